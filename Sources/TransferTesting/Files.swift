// SPDX-License-Identifier: MIT

import Foundation
package import Glibc
import Platform

/// Files that may be larger than memory, and their metadata.
package enum Files {
    /// The size of large files: 64 MiB, or `FILEQ_TEST_BYTES`, such as 1073741824.
    package static let large: Int =
        ProcessInfo.processInfo.environment["FILEQ_TEST_BYTES"].flatMap(Int.init) ?? 64 << 20

    /// Writes `count` bytes that differ everywhere: each block begins with its number, and its length is not a common
    /// chunk size.
    @discardableResult
    package static func fill(_ path: String, _ count: Int = large, seed: UInt64 = 1) throws -> String {
        var block = patternedBytes(1_000_003, seed: seed)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        defer { close(descriptor) }
        var (written, number) = (0, UInt64(0))
        while written < count {
            withUnsafeBytes(of: number) { block.replaceSubrange(0..<8, with: $0) }
            number += 1
            let wanted = min(block.count, count - written)
            guard write(descriptor, block, wanted) == wanted else { throw POSIXError(.ENOSPC) }
            written += wanted
        }
        return path
    }

    /// All of a file that the kernel makes up, such as `/proc/net/tcp`; empty if it cannot be read. Foundation does not
    /// know its size and takes the end of the first page for the end of the file.
    package static func kernelText(_ path: String) -> String {
        let bytes = try? Descriptor.open(path, O_RDONLY).readToEnd()
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    /// The first bytes of an open file that are no hole; `nil` if there are none.
    package static func data(_ descriptor: Int32) -> Range<Int64>? {
        // SEEK_DATA and SEEK_HOLE, lseek(2).
        let first = lseek(descriptor, 0, 3)
        guard first >= 0 else { return nil }
        return Int64(first)..<Int64(lseek(descriptor, first, 4))
    }

    package static func append(_ count: Int, to path: String) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        write(descriptor, [UInt8](repeating: 0x78, count: count), count)
        close(descriptor)
    }

    /// Changes the first byte in place.
    package static func overwrite(_ path: String) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        pwrite(descriptor, [UInt8(ascii: "x")], 1, 0)
        close(descriptor)
    }

    /// Overwrites the first byte and sets the time of modification back, as `rsync --inplace --times` does.
    package static func overwriteKeepingTime(_ path: String) {
        var before = stat()
        guard stat(path, &before) == 0 else { return }
        var after = before
        // The clock of the file system may not have moved on at the first write.
        repeat {
            overwrite(path)
            var times = [before.st_atim, before.st_mtim]
            utimensat(AT_FDCWD, path, &times, 0)
            guard stat(path, &after) == 0 else { return }
        } while after.st_ctim.tv_sec == before.st_ctim.tv_sec && after.st_ctim.tv_nsec == before.st_ctim.tv_nsec
    }

    /// Whether both have equal bytes.
    package static func same(_ one: String, _ other: String) -> Bool {
        guard let first = try? Data(contentsOf: URL(fileURLWithPath: one), options: .alwaysMapped),
            let second = try? Data(contentsOf: URL(fileURLWithPath: other), options: .alwaysMapped)
        else { return false }
        guard first.count == second.count else { return false }
        return first.isEmpty
            || first.withUnsafeBytes { left in
                second.withUnsafeBytes { memcmp(left.baseAddress!, $0.baseAddress!, left.count) == 0 }
            }
    }

    package static func exists(_ path: String) -> Bool { status(path) != nil }
    package static func size(_ path: String) -> Int { status(path).map { Int($0.st_size) } ?? 0 }
    /// The permission bits.
    package static func mode(_ path: String) -> mode_t { status(path).map { $0.st_mode & 0o7777 } ?? 0 }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
