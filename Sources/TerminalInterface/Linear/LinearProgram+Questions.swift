// SPDX-License-Identifier: MIT

import Synchronization
import TransferControl
import TransferModel

/// Questions of paused transfers, put as lines.
extension LinearProgram {
    /// The reply to what would change the queue.
    static let onlyWatches = "This only watches: status, why, totals, help, quit."

    /// The words that end the program, also at a question with words to choose from.
    static let leaving: Set<String> = ["quit", "q", "exit"]

    /// - Returns: whether to quit.
    func logIn(_ id: TransferID?, _ output: LinearOutput) async -> Bool {
        guard let (id, question) = asking(id, .login, output) else { return false }
        output.ask("User name: ", after: [words(of: question).summary + "."])
        guard let user = await line(of: output) else { return false }
        guard !user.isEmpty else {
            output.put(["No login. login \(id) asks again"])
            return false
        }
        output.ask("Password of \(TextSanitizer.clean(user)): ")
        guard let password = await line(of: output, isHidden: true) else { return false }
        let login = Credential(user: user, password: password)
        output.ask(ActionTable.keepQuestion)
        while let answer = await line(of: output)?.lowercased() {
            switch answer {
            case "y", "yes", "n", "no":
                await perform(.login(login, answer.hasPrefix("y") ? .always : .once, to: question), id, output)
                return false
            case _ where Self.leaving.contains(answer): return true
            default: output.ask("Type y or n: ")
            }
        }
        return false
    }

    /// - Returns: whether to quit.
    func decideOnTrust(_ id: TransferID?, _ output: LinearOutput) async -> Bool {
        guard let (id, question) = asking(id, .trust, output) else { return false }
        let shown = words(of: question)
        let details = shown.details.map { "\($0.label): \($0.value)" }
        output.ask("Trust it? once, always, or no: ", after: [shown.summary + "."] + details)
        guard let answer = await line(of: output)?.lowercased() else { return false }
        switch answer {
        case _ where Self.leaving.contains(answer): return true
        case "once", "o": await perform(.trust(.once, to: question), id, output)
        case "always", "a": await perform(.trust(.always, to: question), id, output)
        case "no", "n": await perform(.decline(to: question), id, output)
        default: output.put(["Not decided. trust \(id) asks again"])
        }
        return false
    }

    /// The next line without blanks at its ends; a hidden one as it is.
    private func line(of output: LinearOutput, isHidden: Bool = false) async -> String? {
        let repeatPrompt: (@Sendable () -> Void)? = isHidden ? { @Sendable in output.put([]) } : nil
        guard let line = await read(repeatPrompt) else { return nil }
        output.typed()
        return isHidden ? line : line.split(separator: " ").joined(separator: " ")
    }

    /// The question of a transfer; writes why there is none.
    private func asking(
        _ id: TransferID?, _ kind: ActionTable.QuestionKind, _ output: LinearOutput
    ) -> (TransferID, ConsentQuestion)? {
        let command = kind == .login ? "login" : "trust"
        guard !options.isReadOnly else {
            output.put([Self.onlyWatches])
            return nil
        }
        guard let id else {
            output.put(["Name one transfer: \(command) 3"])
            return nil
        }
        let transfer = output.report.withLock { $0.transfer(id) }
        switch (transfer?.state == .paused ? transfer?.question : nil, kind) {
        case (.login(let login)?, .login): return (id, .login(login))
        case (.trust(let trust)?, .trust): return (id, .trust(trust))
        default:
            let asks = kind == .login ? "asks for no login" : "asks about no certificate"
            output.put([transfer == nil ? "No transfer has the id \(id)." : "\(id) \(asks). why \(id)"])
            return nil
        }
    }

    /// As lines without control characters.
    private func words(of question: ConsentQuestion) -> InterfaceWords.Question {
        let shown = options.words.question(question)
        return InterfaceWords.Question(
            summary: TextSanitizer.clean(shown.summary),
            details: shown.details.map { .init($0.role, $0.label, TextSanitizer.clean($0.value)) })
    }

    private func perform(_ command: QueueCommand, _ id: TransferID, _ output: LinearOutput) async {
        do {
            try await client.perform(command, on: [id])
            output.put(["done"])
        } catch {
            output.put(["Error: \((error as? TransferError).map(options.words.failure) ?? "\(error)")"])
        }
    }
}
