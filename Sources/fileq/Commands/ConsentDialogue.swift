// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferControl
import TransferModel

/// A question as text for a terminal, and the reply as a command.
struct ConsentDialogue {
    /// The default user name.
    let user: String?
    let glyphs: TerminalGlyphs
    /// Shows a text and reads a line. `nil`: cancelled.
    let readLine: (_ prompt: String, _ isHidden: Bool) -> String?

    /// - Returns: `nil` if cancelled.
    func answer(to question: ConsentQuestion) -> QueueCommand? {
        var text = glyphs.shown(MessageCatalog.summary(of: question)) + "\n"
        for detail in MessageCatalog.details(of: question) {
            text += "  \(detail.label): \(glyphs.shown(detail.value))\n"
        }
        switch question {
        case .trust:
            guard let answer = readLine(text + "Trust it? [o]nce, [a]lways, [N]o: ", false) else { return nil }
            return switch answer.trimmed(\.isWhitespace).lowercased() {
            case "o", "once": .trust(.once)
            case "a", "always": .trust(.always)
            default: .decline
            }
        case .login(let login):
            guard let typed = readLine(text + "User name\(user.map { " [\(glyphs.shown($0))]" } ?? ""): ", false) else {
                return nil
            }
            let name = typed.isEmpty ? user ?? "" : typed
            guard !name.isEmpty else { return .decline }
            let place = ConsentQuestion.authority(login.host, login.port)
            guard let password = readLine("Password of \(glyphs.shown(name)) at \(glyphs.shown(place)): ", true) else {
                return nil
            }
            return .login(Credential(user: name, password: password), .once)
        }
    }
}
