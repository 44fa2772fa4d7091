// SPDX-License-Identifier: MIT

import Dispatch
import TransferControl
import TransferModel

/// Carries commands to the queue, one after the other in the order of the keys, away from the screen's thread.
struct EffectPump: Sendable {
    private let continuation: AsyncStream<Effect>.Continuation
    private let isDone = DispatchSemaphore(value: 0)

    init(client: any QueueClient, mailbox: Mailbox,
         describe: @escaping @Sendable (String) throws -> [TransferDescription]) {
        let (stream, continuation) = AsyncStream.makeStream(of: Effect.self)
        self.continuation = continuation
        Task { [isDone] in
            for await effect in stream {
                await Self.carryOut(effect, client, mailbox, describe)
            }
            isDone.signal()
        }
    }

    func send(_ effect: Effect) { continuation.yield(effect) }

    /// No more will come. Waits until all have been carried out, but not for ever: a queue that hangs holds up nobody.
    func finish() {
        continuation.finish()
        _ = isDone.wait(timeout: .now() + .seconds(2))
    }

    private static func carryOut(_ effect: Effect, _ client: any QueueClient, _ mailbox: Mailbox,
                                 _ describe: @Sendable (String) throws -> [TransferDescription]) async {
        do {
            switch effect {
            case .perform(let command, let ids): try await client.perform(command, on: ids)
            case .setLimits(let limits): try await client.setLimits(limits)
            case .add(let text):
                do {
                    let ids = try await client.add(try describe(text), paused: false)
                    mailbox.post(.added(ids.count))
                } catch {
                    mailbox.post(.rejected(text, message(of: error)))
                }
            case .redraw, .suspend, .quit: break
            }
        } catch {
            mailbox.post(.refused(message(of: error)))
        }
    }

    private static func message(of error: any Error) -> String {
        (error as? TransferError)?.message ?? String(describing: error)
    }
}
