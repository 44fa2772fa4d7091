// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Platform
import SessionCore
import TransferModel

/// The small file beside a partial download that describes its bytes: `NAME.fileq-part.json`.
///
/// It is written through a temporary file and a rename, readable for its owner only.
enum PartialRecord {
    static func path(of partialPath: String) -> String { partialPath + ".json" }

    /// Where a download into `file` may resume, and the address that the bytes are from, one of `urls`.
    ///
    /// In the boot that wrote the record the file's length is reliable; after another boot only the bytes that were
    /// synced before the record.
    /// - Parameter isRetry: whether this process has written to the file since it was opened.
    static func resumePoint(
        for file: PartialFile, urls: [String], isRetry: Bool
    ) -> (point: ResumePoint, url: String)? {
        guard file.lengthAtOpening > 0 || isRetry else { return nil }
        guard let record = load(path(of: file.path)), urls.contains(record.url) else { return nil }
        return point(in: file, record).map { ($0, record.url) }
    }

    /// Whether a download could resume the bytes of `file`, if it asked for the address that they are from.
    static func isResumable(_ file: PartialFile) -> Bool {
        load(path(of: file.path)).flatMap { point(in: file, $0) } != nil
    }

    private static func point(in file: PartialFile, _ record: ResumeData) -> ResumePoint? {
        let length = file.length
        let isSameBoot = record.bootID != nil && record.bootID == BootID.current
        let trusted = isSameBoot ? length : min(length, record.ranges.prefixLength)
        return ResumePoint(
            offset: trusted, validator: record.validator, total: record.total, contentType: record.contentType,
            contentEncoding: record.contentEncoding)
    }

    /// The stored ranges of a file that several connections have written, whose length says nothing: such a record has
    /// no boot ID, and its ranges have been synced.
    static func pieces(of file: PartialFile) -> ByteRangeSet? {
        guard let record = load(path(of: file.path)), record.bootID == nil, record.ranges.ranges.count > 1 else {
            return nil
        }
        let length = file.length
        return ByteRangeSet(record.ranges.ranges.map { $0.clamped(to: 0..<length) })
    }

    static func load(_ path: String) -> ResumeData? {
        guard let file = try? Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
        // Only files that this program wrote for this user: anyone can put a file into a shared folder.
        guard let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_size <= 65_536, let bytes = try? file.read(Int(status.st_size)), bytes.count == status.st_size
        else { return nil }
        return try? ResumeData(decoding: Data(bytes))
    }

    /// - Returns: whether it was written; otherwise a later attempt cannot resume, nothing worse.
    @discardableResult
    static func save(_ record: ResumeData) -> Bool {
        // In a folder that others can write, any file may exist under the temporary name: it is replaced, or nothing is
        // written.
        (try? AtomicFile.replace(
            path(of: record.partialPath), with: [UInt8](record.encoded()), temporary: .fixed, durability: .none)) != nil
    }

    /// Renames the record after its partial file.
    static func move(from old: String, to new: String) {
        copy(from: old, to: new)
        remove(old)
    }

    static func copy(from old: String, to new: String) {
        guard var record = load(path(of: old)) else { return }
        record.partialPath = new
        save(record)
    }

    /// The bytes belong to another URL from now on; their validator decides whether a download from there resumes.
    static func relabel(_ partialPath: String, url: String) {
        guard var record = load(path(of: partialPath)), record.url != url else { return }
        record.url = url
        save(record)
    }

    static func remove(_ partialPath: String) {
        unlink(path(of: partialPath))
        // Left by a process that ended while it wrote the record.
        unlink(path(of: partialPath) + ".new")
    }
}
