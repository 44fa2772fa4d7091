// SPDX-License-Identifier: MIT

import TransferModel

/// Who will carry a plan out.
enum PlanPurpose {
    /// This run, while somebody waits for it.
    case foreground
    /// The background service: it has patience, and neither input nor output of this program.
    case background

    /// How often a transfer is tried again where nobody said it; `nil`: until the resource timeout.
    var retries: Int? { self == .foreground ? 5 : nil }

    /// - Parameter what: a stream, as the middle of a sentence.
    /// - Throws: code `usage` where streams cannot be carried along.
    func requireFiles(_ what: String) throws(TransferError) {
        guard self == .background else { return }
        throw TransferError(
            .usage,
            "the background service cannot use \(what): only regular files can wait in a queue; "
                + "use 'fileq get' and 'fileq put' for streams")
    }
}
