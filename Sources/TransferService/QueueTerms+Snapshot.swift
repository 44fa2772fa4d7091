// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension QueueTerms {
    /// Writes into a new record what was agreed on, and what of its options matters to the queue.
    func apply(to transfer: inout TransferSnapshot, options: TransferOptions) {
        transfer.rateLimit = options.rateLimit
        transfer.priority = options.priority == 0.5 ? nil : options.priority
        transfer.earliestBegin = earliestBegin
        transfer.isDiscretionary = isDiscretionary ? true : nil
        transfer.session = session
        transfer.taskDescription = taskDescription
    }
}
