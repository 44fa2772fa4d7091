// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Platform
public import TransferModel

/// Keeps ``AlternativeServices`` in a file that its owner alone can read, for it tells where somebody has been.
public struct AlternativeServicesFile: Sendable {
    public let path: String
    /// A larger file is not ours.
    private static let maximumBytes: off_t = 4 << 20

    public init(path: String) { self.path = path }

    /// What is kept; empty where there is nothing that can be read: it is only a hint, and is learnt again.
    public func load() -> AlternativeServices {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumBytes,
            let data = FileManager.default.contents(atPath: path)
        else { return AlternativeServices() }
        return (try? JSONDecoder().decode(AlternativeServices.self, from: data)) ?? AlternativeServices()
    }

    /// Whole or not at all.
    /// - Throws: code `cannotWrite`.
    public func save(_ services: AlternativeServices) throws(TransferError) {
        guard let bytes = try? [UInt8](JSONEncoder().encode(services)) else { return }
        do {
            try AtomicFile.replace(path, with: bytes, temporary: .unique, durability: .none)
        } catch {
            throw failure(error.errno)
        }
    }

    private func failure(_ errno: Int32) -> TransferError {
        TransferError(.cannotWrite, "\(path): \(SystemError.phrase(errno))", systemErrno: errno)
    }
}
