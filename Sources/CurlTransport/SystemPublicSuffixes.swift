// SPDX-License-Identifier: MIT

import CPublicSuffix
public import SessionCore

/// The system's public suffix list, through libpsl: the newer one of the system's file and the built-in list.
///
/// An unlisted name of one label is a public suffix, too (the list's prevailing rule `*`).
public final class SystemPublicSuffixes: PublicSuffixes {
    /// Loaded on first use.
    public static let shared = SystemPublicSuffixes()

    /// `nil` if libpsl has no list.
    // Unsafe: a pointer to a list that is immutable after loading, and libpsl reads it without state.
    nonisolated(unsafe) private let list: OpaquePointer?

    private init() { list = psl_latest(nil) }

    deinit { psl_free(list) }

    public func isPublicSuffix(_ domain: String) -> Bool {
        guard let list else { return !domain.utf8.contains(UInt8(ascii: ".")) }
        return psl_is_public_suffix(list, domain) != 0
    }
}
