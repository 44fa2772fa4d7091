// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RemoteControl
import TransferModel

/// The files of the remote control: whether it is enabled, and its secret.
struct RemotePlaces: Sendable, Equatable {
    /// Exists while it is enabled.
    let marker: String
    /// One line; mode 0600.
    let secret: String

    var isEnabled: Bool { access(marker, F_OK) == 0 }

    /// - Throws: code `usage` for a file without a secret, or that other users can read.
    func readSecret() throws(TransferError) -> String {
        guard let status = FileStatus(secret, followingLinks: false) else {
            throw TransferError(.usage, "\(secret) is missing; 'fileq rpc enable' makes it")
        }
        guard status.isRegular, status.owner == geteuid() else {
            throw TransferError(.usage, "\(secret): refused, because it is not a file of yours")
        }
        guard !status.isOpenToOthers else {
            throw TransferError(
                .usage,
                "\(secret): refused, because other users can read it; 'fileq rpc enable --new-secret' makes another"
            )
        }
        return try SecretFile.firstLine(of: secret, option: "rpc")
    }

    /// Makes a secret of 128 bits, unless there is one that is kept.
    func makeSecret(keeping keeps: Bool) throws(TransferError) {
        if keeps, access(secret, F_OK) == 0 {
            _ = try readSecret()
            return
        }
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        try write(secret, Array("\(Hex.encode(bytes))\n".utf8))
    }

    func enable() throws(TransferError) { try write(marker, []) }

    func disable() throws(TransferError) {
        guard unlink(marker) != 0, errno != ENOENT, errno != ENOTDIR else { return }
        throw TransferError(.cannotWrite, "\(marker): \(TransferError.phrase(errno: errno))", systemErrno: errno)
    }

    private func write(_ path: String, _ bytes: [UInt8]) throws(TransferError) {
        let folder = ParentFolder.path(of: path)
        do {
            try PrivateFolder.prepare(folder)
        } catch {
            throw TransferError(.cannotWrite, "\(folder) cannot be used: others can write it, or it cannot be made")
        }
        do throws(SystemError) {
            try AtomicFile.replace(path, with: bytes, temporary: .unique, durability: .name)
        } catch {
            throw TransferError(
                .cannotWrite, "\(path): \(TransferError.phrase(errno: error.errno))", systemErrno: error.errno)
        }
    }
}
