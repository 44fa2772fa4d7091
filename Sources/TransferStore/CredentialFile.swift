// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Platform
import TransferModel

/// The secrets of all transfers, separate from the database: one JSON file, mode 0600, replaced atomically and synced.
///
/// Transfers that were added with the same secrets share one set; the database refers to sets by number. A set is
/// written before a row refers to it, and removed after the last such row: a crash in between leaves an unused set,
/// which the next opening removes. Used only on the database's queue.
struct CredentialFile {
    private struct Content: Codable {
        var version = 1
        /// The number of the next set; never reused.
        var next: Int64 = 1
        var sets: [String: SecretValues] = [:]
    }

    static let maximumBytes = 256 << 20

    let path: String
    private var content = Content()

    enum LoadError: Error {
        case damaged(String)
        case refused(TransferError)
    }

    init(emptyAt path: String) { self.path = path }

    /// - Parameter read: reads a number of bytes from the file's beginning.
    init(
        path: String,
        read: (Descriptor, Int) throws(SystemError) -> [UInt8] = { (file, count) throws(SystemError) in
            try file.read(count)
        }
    ) throws(LoadError) {
        self.path = path
        guard let bytes = try Self.bytes(of: path, read) else { return }
        guard let found = try? JSONDecoder().decode(Content.self, from: Data(bytes)) else {
            throw .damaged("\(path) is not what it should be")
        }
        guard found.version <= Content().version else {
            throw .refused(TransferError(.other, file: .newerVersion, path: path, variant: .newerVersion))
        }
        content = found
    }

    var isEmpty: Bool { content.sets.isEmpty }

    subscript(set: Int64) -> SecretValues? { content.sets[String(set)] }

    /// Adds sets; they are in the file before this returns.
    /// - Parameter used: the highest number in use, in case the file was lost.
    /// - Returns: their numbers, in the same order.
    mutating func add(_ sets: [SecretValues], above used: Int64) throws(TransferError) -> [Int64] {
        guard !sets.isEmpty else { return [] }
        var changed = content
        changed.next = max(changed.next, used + 1)
        let first = changed.next
        for set in sets {
            changed.sets[String(changed.next)] = set
            changed.next += 1
        }
        try write(changed)
        return Array(first..<changed.next)
    }

    mutating func remove(_ sets: Set<Int64>) throws(TransferError) {
        var changed = content
        for set in sets { changed.sets[String(set)] = nil }
        if changed.sets.count != content.sets.count { try write(changed) }
    }

    private var numbers: Set<Int64> { Set(content.sets.keys.compactMap { Int64($0) }) }

    func hasOthers(than used: Set<Int64>) -> Bool { !numbers.isSubset(of: used) }

    mutating func keep(only used: Set<Int64>) throws(TransferError) { try remove(numbers.subtracting(used)) }

    private mutating func write(_ changed: Content) throws(TransferError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? [UInt8](encoder.encode(changed)), bytes.count <= Self.maximumBytes else {
            throw TransferError(
                .cannotWrite, file: .init(.tooLarge, bytes: Int64(Self.maximumBytes)), path: path, variant: .fileFull)
        }
        do {
            try AtomicFile.replace(path, with: bytes, temporary: .fixed, durability: .name)
        } catch {
            throw StoreFailure.cannotWrite(error.path ?? path, error.errno)
        }
        content = changed
    }

    /// - Returns: `nil` if there is no file.
    /// - Throws: `damaged` for what the file holds alone; a file that cannot be read now may be whole.
    private static func bytes(
        of path: String, _ read: (Descriptor, Int) throws(SystemError) -> [UInt8]
    ) throws(LoadError) -> [UInt8]? {
        let file: Descriptor
        let size: Int
        let bytes: [UInt8]
        do {
            file = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            if error.errno == ENOENT { return nil }
            throw unreadable(path, error)
        }
        do throws(TransferError) { try StoreFolder.restrictAccess(file, path) } catch { throw .refused(error) }
        do { size = try Int(file.status().st_size) } catch { throw unreadable(path, error) }
        guard size <= maximumBytes else { throw .damaged("\(path) is too large") }
        do { bytes = try read(file, size) } catch { throw unreadable(path, error) }
        guard bytes.count == size else { throw .damaged("\(path) cannot be read to its end") }
        return bytes
    }

    private static func unreadable(_ path: String, _ error: SystemError) -> LoadError {
        .refused(TransferError(.cannotWrite, file: .read, path: path, systemErrno: error.errno))
    }
}
