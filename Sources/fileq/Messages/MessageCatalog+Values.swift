// SPDX-License-Identifier: MIT

import TransferModel

/// Values that cannot be read, and what goes wrong in transfers.
extension MessageCatalog {
    /// The sentence of the library, and what it cannot know of: the shell.
    static func text(_ invalid: InvalidValue) -> String {
        guard case .filter(_, .noValue) = invalid else { return invalid.message }
        return "\(invalid.message); quote it, for '<' and '>' mean something to the shell"
    }

    /// The sentence of the library, which is complete; `nil` for a problem of another version.
    static func text(_ problem: TransferProblem, of error: TransferError) -> String? { problem.message(of: error) }
}
