// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Platform
package import TransferModel

/// Stores ``AlternativeServices`` in a private file, since it reveals visited hosts.
package struct AlternativeServicesFile: Sendable {
    package let path: String
    /// A larger file is not valid.
    private static let maximumBytes: off_t = 4 << 20

    package init(path: String) { self.path = path }

    /// The stored value; empty if unreadable: it is only a hint.
    package func load() -> AlternativeServices {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumBytes,
            let data = FileManager.default.contents(atPath: path)
        else { return AlternativeServices() }
        return (try? JSONDecoder().decode(AlternativeServices.self, from: data)) ?? AlternativeServices()
    }

    /// Atomically.
    /// - Throws: code `cannotWrite`.
    package func save(_ services: AlternativeServices) throws(TransferError) {
        guard let bytes = try? [UInt8](JSONEncoder().encode(services)) else { return }
        do {
            try AtomicFile.replace(path, with: bytes, temporary: .unique, durability: .none)
        } catch {
            throw failure(error.errno)
        }
    }

    private func failure(_ errno: Int32) -> TransferError {
        TransferError(.cannotWrite, file: .write, path: path, systemErrno: errno)
    }
}
