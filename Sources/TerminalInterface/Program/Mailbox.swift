// SPDX-License-Identifier: MIT

import CTerminal
import Synchronization
import TransferControl

/// What other threads have to say to the one that owns the screen. It is woken when the box stops being empty, not for
/// every message.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case update(QueueUpdate)
        /// A command was refused.
        case refused(String)
        /// What was typed to be added was refused: text, reason.
        case rejected(String, String)
        /// So many were added.
        case added(Int)
        /// The queue answered a question that is asked for the answer's sake alone.
        case replied
        /// The stream of updates is over.
        case queueEnded

        /// Whether it shows that the queue is there. A call that was refused may have been so for want of a reply.
        var isFromQueue: Bool {
            switch self {
            case .update, .added, .replied: true
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

    /// All of it, oldest first; the box is empty then.
    func take() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
