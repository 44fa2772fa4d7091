// SPDX-License-Identifier: MIT

/// Why a resolver returned no address.
package enum NameAnswer: Sendable, Hashable {
    case exists
    /// The name does not exist.
    case doesNotExist
    /// It did not reply.
    case silent
}
