// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferControl
import TransferModel

/// A question as text for a terminal, and the reply as a command.
struct ConsentDialogue {
    /// The default user name.
    let user: String?
    let glyphs: TerminalGlyphs
    /// Shows a text and reads a line.
    let readLine: (_ prompt: String, _ isHidden: Bool) -> TypedLine

    /// The end of input declines, so that the transfer fails instead of waiting for a reply that cannot come.
    /// - Returns: `nil` if cancelled.
    func answer(to question: ConsentQuestion) -> QueueCommand? {
        var text = glyphs.shown(MessageCatalog.summary(of: question)) + "\n"
        for detail in MessageCatalog.details(of: question) {
            text += "  \(detail.label): \(glyphs.shown(detail.value))\n"
        }
        switch question {
        case .trust:
            let typed = readLine(text + "Trust it? [o]nce, [a]lways, [N]o: ", false)
            guard case .line(let answer) = typed else { return typed.refusal }
            return switch answer.trimmed(\.isWhitespace).lowercased() {
            case "o", "once": .trust(.once)
            case "a", "always": .trust(.always)
            default: .decline()
            }
        case .login(let login):
            let typed = readLine(text + "User name\(user.map { " [\(glyphs.shown($0))]" } ?? ""): ", false)
            guard case .line(let answer) = typed else { return typed.refusal }
            let name = answer.isEmpty ? user ?? "" : answer
            guard !name.isEmpty else { return .decline() }
            let place = ConsentQuestion.authority(login.host, login.port)
            let hidden = readLine("Password of \(glyphs.shown(name)) at \(glyphs.shown(place)): ", true)
            guard case .line(let password) = hidden else { return hidden.refusal }
            return .login(Credential(user: name, password: password), .once)
        }
    }
}

extension TypedLine {
    /// What a reply without a line means; `nil`: nothing.
    fileprivate var refusal: QueueCommand? { self == .ended ? QueueCommand.decline() : nil }
}
