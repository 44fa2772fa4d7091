// SPDX-License-Identifier: MIT

import CTerminal
import Synchronization
import TransferControl

/// Messages from other threads to the screen's thread. Wakes it only when the box was empty.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case update(QueueUpdate)
        /// A command failed.
        case refused(String)
        /// Adding failed: typed text, error.
        case rejected(String, String)
        /// The number of added transfers.
        case added(Int)
        /// A reply to a request that only checks the service.
        case replied
        case rates(RateReport)
        /// The update stream has ended.
        case queueEnded

        /// Whether it proves that the queue replies. A failed call may be due to a missing reply.
        var isFromQueue: Bool {
            switch self {
            case .update, .added, .replied, .rates: true
            case .refused, .rejected, .queueEnded: false
            }
        }
    }

    private let messages = Mutex<[Message]>([])

    var isEmpty: Bool { messages.withLock(\.isEmpty) }

    func post(_ message: Message) {
        let wasEmpty = messages.withLock { messages in
            defer { messages.append(message) }
            return messages.isEmpty
        }
        if wasEmpty { ct_wake() }
    }

    /// Takes all messages, oldest first.
    func take() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
