// SPDX-License-Identifier: MIT

import TransferModel

/// Where a plan runs.
enum PlanPurpose {
    /// In this process, while the user waits.
    case foreground
    /// In the background service, which retries for longer and has no standard input or output.
    case background

    /// The default number of retries; `nil`: until the resource timeout.
    var retries: Int? { self == .foreground ? 5 : nil }

    /// The default of the seconds that a server may ask to wait; `nil`: until the resource timeout.
    var maximumRetryWait: Double? { self == .foreground ? 3600 : nil }

    /// - Parameter what: a stream, as the middle of a sentence.
    /// - Throws: code `usage` if streams are not possible.
    func requireFiles(_ what: String) throws(TransferError) {
        guard self == .background else { return }
        throw TransferError(
            .usage,
            "the background service cannot use \(what): only regular files can be enqueued; "
                + "use 'fileq get' and 'fileq put' for streams")
    }
}
