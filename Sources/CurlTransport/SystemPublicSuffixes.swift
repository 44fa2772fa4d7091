// SPDX-License-Identifier: MIT

import CPublicSuffix
public import SessionCore

/// The public suffix list of the machine, through libpsl: the newer one of the system's file and the one built into
/// libpsl.
///
/// A name of one label that is not listed is a public suffix too (the list's prevailing rule `*`).
public final class SystemPublicSuffixes: PublicSuffixes, @unchecked Sendable {
    // Sendable: the list is not changed after it was loaded, and libpsl reads it without any state of its own.

    /// Loaded at the first use.
    public static let shared = SystemPublicSuffixes()

    /// `nil` where libpsl has no list at all.
    private let list: OpaquePointer?

    private init() { list = psl_latest(nil) }

    deinit { psl_free(list) }

    public func isPublicSuffix(_ domain: String) -> Bool {
        guard let list else { return !domain.utf8.contains(UInt8(ascii: ".")) }
        return psl_is_public_suffix(list, domain) != 0
    }
}
