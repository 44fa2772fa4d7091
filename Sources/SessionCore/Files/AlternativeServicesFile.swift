// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
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
            let data = FileManager.default.contents(atPath: path) else { return AlternativeServices() }
        return (try? JSONDecoder().decode(AlternativeServices.self, from: data)) ?? AlternativeServices()
    }

    /// Whole or not at all.
    /// - Throws: code `cannotWrite`.
    public func save(_ services: AlternativeServices) throws(TransferError) {
        guard let bytes = try? [UInt8](JSONEncoder().encode(services)) else { return }
        let temporary = "\(path).\(getpid()).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(errno) }
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                close(descriptor)
                unlink(temporary)
                throw failure(code)
            }
            done += count
        }
        close(descriptor)
        guard rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw failure(code)
        }
    }

    private func failure(_ errno: Int32) -> TransferError {
        TransferError(.cannotWrite, "\(path): \(SystemCall.message(errno))", systemErrno: errno)
    }
}
