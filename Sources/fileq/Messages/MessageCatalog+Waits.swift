// SPDX-License-Identifier: MIT

import TransferModel

/// Why a download starts from the first byte.
extension MessageCatalog {
    static func text(_ cause: RestartCause) -> String {
        guard case .failure(let error) = cause else { return cause.message }
        return self.cause(of: error)
    }
}
