// SPDX-License-Identifier: MIT

import CPublicSuffix
public import SessionCore

/// The system's public suffix list, through libpsl: the newer one of the system's file and the built-in list.
///
/// An unlisted name of one label is a public suffix, too (the list's prevailing rule `*`).
public final class SystemPublicSuffixes: PublicSuffixes {
    public static let shared = SystemPublicSuffixes()

    /// Loaded on first use, and never freed. `nil` if libpsl has no list.
    // Unsafe: a pointer to a list that is immutable after loading, and libpsl reads it without state.
    nonisolated(unsafe) private static let list = psl_latest(nil)

    private init() {}

    public func isPublicSuffix(_ domain: String) -> Bool {
        guard let list = Self.list else { return !domain.utf8.contains(UInt8(ascii: ".")) }
        return psl_is_public_suffix(list, domain) != 0
    }
}
