// SPDX-License-Identifier: MIT

import Dispatch
import TransferControl
import TransferModel

/// Has a person answer what transfers of a run ask, one question at a time, while the run goes on.
final class ConsentDesk: Sendable {
    /// What is asked with; blocks. `nil`: it was broken off, nothing is to be done.
    typealias Ask = @Sendable (ConsentQuestion) -> QueueCommand?

    /// So many logins are asked for in one place.
    static let maximumTries = 3

    private let ask: Ask
    private let breakOff: @Sendable () -> Void
    /// Gives the terminal back as it was; waits for nothing.
    let restore: @Sendable () -> Void
    private let (questions, inbox) = AsyncStream.makeStream(of: TransferID.self)

    /// - Parameter breakOff: makes a question end that is being asked.
    init(ask: @escaping Ask, breakOff: @escaping @Sendable () -> Void, restore: @escaping @Sendable () -> Void) {
        self.ask = ask
        self.breakOff = breakOff
        self.restore = restore
    }

    /// Takes note of transfers that have been set aside with a question.
    func hear(_ events: [TransferEvent]) {
        for event in events where event.transfer.state == .paused && event.transfer.question != nil {
            inbox.yield(event.transfer.id)
        }
    }

    /// Nothing more is asked, and what is being asked is broken off.
    func close() {
        inbox.finish()
        breakOff()
    }

    /// Returns when it has been closed.
    func work(_ client: any QueueClient, _ display: any ProgressDisplay) async {
        var tries: [ConsentQuestion.Subject: Int] = [:]
        for await id in questions {
            // One answer serves all that ask the same: this one may have been answered with another.
            guard let transfer = try? await client.snapshot().transfers.first(where: { $0.id == id }),
                transfer.state == .paused,
                let question = transfer.question
            else { continue }
            let count = tries[question.subject, default: 0] + 1
            tries[question.subject] = count
            guard let answer = await answer(question, isLast: count > Self.maximumTries, display) else { continue }
            do {
                try await client.perform(answer, on: [id])
            } catch {
                display.say(MessageCatalog.text(of: error))
                try? await client.perform(.decline, on: [id])
            }
        }
    }

    private func answer(
        _ question: ConsentQuestion, isLast: Bool, _ display: any ProgressDisplay
    ) async -> QueueCommand? {
        if isLast { return .decline }
        display.withdraw()
        defer { display.comeBack() }
        return await withCheckedContinuation { done in
            DispatchQueue.global().async { [ask] in done.resume(returning: ask(question)) }
        }
    }
}
