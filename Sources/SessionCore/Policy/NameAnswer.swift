// SPDX-License-Identifier: MIT

/// Why a resolver returned no address.
public enum NameAnswer: Sendable, Hashable {
    case exists
    /// It said that there is none.
    case doesNotExist
    /// It did not reply.
    case silent
}
