// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Questions of paused transfers, and the prompts for their replies.
extension ActionTable {
    enum QuestionKind { case trust, login }

    static let keepQuestion = "Logging in. Save the password, too, in a file that only you can read? y/N "

    /// The first transfer among the targets with this question.
    static func question(_ kind: QuestionKind, _ state: InterfaceState) -> Transfer? {
        guard !state.isCovered else { return nil }
        guard state.hasTarget(in: { $0 == .paused }) else { return nil }
        return state.firstTarget { Self.asks($0, kind) }
    }

    /// Whether a transfer waits for the reply to such a question.
    static func asks(_ transfer: Transfer, _ kind: QuestionKind) -> Bool {
        guard transfer.state == .paused else { return false }
        return switch transfer.question {
        case .trust: kind == .trust
        case .login: kind == .login
        case nil: false
        }
    }

    /// How many wait for the reply to this question: one is for all of them.
    private static func countAsking(_ question: ConsentQuestion, _ list: ListState) -> Int {
        list.order.count { id in
            list.transfers[id].map { $0.state == .paused && $0.question?.subject == question.subject } ?? false
        }
    }

    /// Opens the prompt for the reply.
    static func ask(about transfer: Transfer?, _ state: inout InterfaceState) {
        guard let transfer, let question = transfer.question else { return }
        switch question {
        case .trust:
            let count = countAsking(question, state.list)
            let all = count > 1 ? "\(count) transfers ask this. " : ""
            state.ask(.trust(transfer.id), text: "\(all)Trust it? o once, a always, n no ", about: question)
        case .login:
            let count = countAsking(question, state.list)
            let all = count > 1 ? "; \(count) transfers ask this" : ""
            state.notice = Notice(text: state.setup.words.question(question).summary + all)
            state.ask(.user(transfer.id), text: "", about: question)
        }
    }

    /// Another attempt alone would fail again.
    static func askAboutFiles(of transfers: [Transfer], _ state: inout InterfaceState) -> [Effect] {
        let name = TextSanitizer.clean(DisplayName.of(transfers[0]))
        let what =
            transfers.count > 1
            ? "\(transfers.count) files exist" : "\(CellText.fit(name, width: min(30, CellWidth.of(name)))) exists"
        state.ask(
            .existing(transfers.map(\.id)),
            text: "\(what): [r] replace  [k] keep both  [n] replace if older  [s] skip ")
        return []
    }

    /// The key after that of ``Action/Name/retry``; any other changes nothing.
    static func existing(_ key: Key) -> EditRequest.Existing? {
        guard case .character(let letter) = key else { return nil }
        return EditRequest.Existing.allCases.first { $0 != .fail && $0.rawValue.unicodeScalars.first == letter }
    }
}
