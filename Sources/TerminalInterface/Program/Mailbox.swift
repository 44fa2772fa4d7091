// SPDX-License-Identifier: MIT

import CTerminal
import Synchronization
import TransferControl
import TransferModel

/// Messages from other threads to the screen's thread. Wakes it only when the box was empty.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case update(QueueUpdate)
        /// The first transfers of the queue, before the first update.
        case firstPage([Transfer])
        /// A command failed.
        case refused(String)
        case added(AddOutcome)
        /// A preview of a request to add, and the serial number of its form.
        case outlook(AddOutlook, Int)
        case edited(EditOutcome)
        case editOutlook(EditOutlook, Int)
        /// The entries of a folder, and the number of the request.
        case listed(Picker.Listing, Int)
        case details(TransferInfo)
        /// The details of this one could not be loaded.
        case noDetails(TransferID)
        /// A reply to a request that only checks the service.
        case replied
        case rates(RateReport)
        case undone(UndoneCommand)
        case nothingToUndo(String)
        /// The result of a command line.
        case ran(String, CommandOutcome)
        /// A page of the history: entries, and the request.
        case history([HistoryEntry], before: HistoryEntry.Place?, limit: Int)
        /// The queue has no history, or does not return it.
        case noHistory(String)
        /// A page of the queue's log, and the request.
        case log(LogPage, LogQuery)
        /// The queue did not return it; final: it keeps none.
        case noLog(isFinal: Bool)
        /// The final records of transfers that have left the queue.
        case found([Transfer])
        /// The connection has ended and the next one is sought, or that is open.
        case lost(Bool)
        /// Another machine's queue, and the command line that asked for it.
        case switched(TerminalProgram, String)
        /// The update stream has ended.
        case queueEnded

        /// Whether it proves that the queue replies. A failed call may be due to a missing reply.
        var isFromQueue: Bool {
            switch self {
            case .update, .firstPage, .replied, .rates, .undone, .nothingToUndo, .history, .log, .found, .details: true
            case .added(let outcome): if case .added = outcome { true } else { false }
            case .edited(let outcome): if case .done = outcome { true } else { false }
            case .refused, .outlook, .editOutlook, .listed, .noDetails, .queueEnded, .ran, .noHistory, .noLog, .lost,
                .switched:
                false
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
