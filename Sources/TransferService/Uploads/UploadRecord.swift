// SPDX-License-Identifier: MIT

import Crypto
import FoundationEssentials
import Glibc
import Platform
import TransferModel

/// What an interrupted upload of the foreground needs to continue in a later run: a small file in a folder of the user,
/// locked while an upload uses it.
///
/// It is written in place, in one call, and a record that cannot be read is none: the upload then starts again.
final class UploadRecord: Sendable {
    /// Older records are of uploads that no server has any more.
    static let lifetime = 30 * 86_400
    private static let maximumBytes = 65_536

    private let path: String
    private let file: Descriptor

    private init(_ path: String, _ file: Descriptor) { (self.path, self.file) = (path, file) }

    /// The record of an upload of `source` to `target`.
    /// - Parameter isNew: whether a record is created.
    /// - Returns: `nil` if there is none, or if another process uses it.
    static func open(in folder: String, target: String, source: String, isNew: Bool) -> UploadRecord? {
        let key = SHA256.hash(data: Data("\(target)\n\(absolute(source))".utf8))
        let path = "\(folder)/\(Hex.encode(key.prefix(16))).json"
        if isNew {
            guard (try? PrivateFolder.prepare(folder)) != nil else { return nil }
            removeOld(in: folder)
        }
        let flags = O_RDWR | O_NOFOLLOW | (isNew ? O_CREAT : 0)
        guard let file = try? Descriptor.open(path, flags, mode: 0o600), (try? FileLock.take(file)) == true,
            let status = try? file.status(), status.st_uid == geteuid(), status.st_nlink > 0
        else { return nil }
        return UploadRecord(path, file)
    }

    /// `nil` if it is empty or damaged.
    func load() -> UploadCheckpoint? {
        guard let bytes = try? file.read(Self.maximumBytes, at: 0), !bytes.isEmpty else { return nil }
        return try? JSONDecoder().decode(UploadCheckpoint.self, from: Data(bytes))
    }

    func save(_ checkpoint: UploadCheckpoint) {
        guard var bytes = try? JSONEncoder().encode(checkpoint) else { return }
        bytes.append(UInt8(ascii: "\n"))
        // Spaces behind it replace what was longer, so that the file is valid after each call.
        if let size = try? file.status().st_size, Int(size) > bytes.count {
            bytes += [UInt8](repeating: UInt8(ascii: " "), count: Int(size) - bytes.count)
        }
        _ = bytes.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
    }

    /// Waits until it is on the disk.
    func sync() { fdatasync(file.number) }

    func remove() { unlink(path) }

    private static func absolute(_ path: String) -> String {
        path.beginsWithSlash ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static func removeOld(in folder: String) {
        let oldest = time(nil) - lifetime
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(".json") {
            var status = stat()
            guard stat("\(folder)/\(name)", &status) == 0, status.st_mtim.tv_sec < oldest else { continue }
            unlink("\(folder)/\(name)")
        }
    }
}
