// SPDX-License-Identifier: MIT

import TransferModel

/// Responses that are a failure.
extension MessageCatalog {
    static func text(_ refusal: TransferError.Refusal, host: String?, status: Int) -> String {
        var line = (host.map { "\($0): " } ?? "") + "returned \(status)\(refusal.said)"
        if refusal.mayLackFolder == true { line += "; the folder may not exist on the server" }
        if let attempts = refusal.attempts { line += " (given up after \(attempts) attempts)" }
        if let pause = refusal.retryAfter { line += "; the server asks to wait \(TimeSpan.short(pause))" }
        return line
    }
}
