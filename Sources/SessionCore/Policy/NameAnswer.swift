// SPDX-License-Identifier: MIT

/// Why a resolver gave no address.
public enum NameAnswer: Sendable, Hashable {
    case exists
    /// It said so.
    case doesNotExist
    /// It said nothing.
    case silent
}
