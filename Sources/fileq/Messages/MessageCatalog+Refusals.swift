// SPDX-License-Identifier: MIT

import TransferModel

/// Responses that are a failure.
extension MessageCatalog {
    static func text(_ refusal: TransferError.Refusal, host: String?, status: Int) -> String {
        (host.map { "\($0): " } ?? "") + "returned \(status)\(refusal.said)\(refusal.amendments)"
    }
}
