// SPDX-License-Identifier: MIT

import Dispatch
import TransferControl
import TransferModel

/// Asks the user the questions of a run's transfers, one at a time, while the run continues.
final class ConsentCoordinator: Sendable {
    /// Asks a question; blocks. `nil`: cancelled, nothing to do.
    typealias Ask = @Sendable (ConsentQuestion) -> QueueCommand?

    /// The maximum number of login prompts per server.
    static let maximumAttempts = 3

    private let ask: Ask
    private let breakOff: @Sendable () -> Void
    /// Restores the terminal; must not block.
    let restore: @Sendable () -> Void
    private let (questions, inbox) = AsyncStream.makeStream(of: TransferID.self)

    /// - Parameter breakOff: cancels the current question.
    init(ask: @escaping Ask, breakOff: @escaping @Sendable () -> Void, restore: @escaping @Sendable () -> Void) {
        self.ask = ask
        self.breakOff = breakOff
        self.restore = restore
    }

    /// Records transfers that are paused with a question.
    func handle(_ events: [TransferEvent]) {
        for event in events where event.transfer.state == .paused && event.transfer.question != nil {
            inbox.yield(event.transfer.id)
        }
    }

    /// Cancels the current question and asks no more.
    func close() {
        inbox.finish()
        breakOff()
    }

    /// Returns when it is closed.
    func work(_ client: any QueueClient, _ display: any ProgressDisplay) async {
        var attempts: [ConsentQuestion.Subject: Int] = [:]
        for await id in questions {
            // One reply applies to all transfers with the same question: this one may be resolved already.
            guard let transfer = try? await client.snapshot().transfers.first(where: { $0.id == id }),
                transfer.state == .paused,
                let question = transfer.question
            else { continue }
            let count = attempts[question.subject, default: 0] + 1
            attempts[question.subject] = count
            guard let answer = await answer(question, isLast: count > Self.maximumAttempts, display) else { continue }
            do {
                try await client.perform(answer.answering(question), on: [id])
            } catch {
                display.say(MessageCatalog.text(of: error))
                try? await client.perform(.decline(to: question), on: [id])
            }
        }
    }

    private func answer(
        _ question: ConsentQuestion, isLast: Bool, _ display: any ProgressDisplay
    ) async -> QueueCommand? {
        if isLast { return .decline() }
        display.withdraw()
        defer { display.comeBack() }
        return await withCheckedContinuation { done in
            DispatchQueue.global().async { [ask] in done.resume(returning: ask(question)) }
        }
    }
}
