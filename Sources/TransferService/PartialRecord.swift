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
    /// What is known of a record. Only ``absent`` and a record itself say something about the bytes that it belongs to.
    enum Reading: Sendable {
        case absent
        case record(ResumeData)
        /// Not of this program or user, too large, or of a version that this one cannot decode.
        case unfit
        case unreadable(SystemError)
    }

    /// Where a download may resume.
    struct Found: Sendable {
        let point: ResumePoint
        /// The address that the bytes are from, or a renewed one.
        let url: String
        /// How many of them have been synced.
        let synced: Int64
    }

    static func path(of partialPath: String) -> String { partialPath + ".json" }

    /// Where a download into `file` may resume, with bytes of one of `urls`.
    ///
    /// In the boot that wrote the record the file's length is reliable; after another boot only the bytes that were
    /// synced before the record.
    /// - Parameter isRetry: whether this process has written to the file since it was opened.
    /// - Throws: as ``read(of:)``.
    static func resumePoint(
        for file: PartialFile, urls: [String], isRetry: Bool
    ) throws(TransferError) -> Found? {
        guard file.lengthAtOpening > 0 || isRetry else { return nil }
        guard case .record(var record) = try read(of: file), let url = address(of: record, among: urls) else {
            return nil
        }
        let isRenewed = url != record.url
        if isRenewed { (record.finalURL, record.validator.lastModified) = (nil, nil) }
        guard var point = point(in: file, record) else { return nil }
        point.needsTotal = isRenewed
        return Found(point: point, url: url, synced: min(point.offset, record.ranges.prefixLength))
    }

    /// Which of `urls` has the bytes of `record`: the same, or one that differs in its query, as renewed links do, if
    /// entity tag and size can prove the version.
    static func address(of record: ResumeData, among urls: some Collection<String>) -> String? {
        if urls.contains(record.url) { return record.url }
        guard record.validator.entityTag != nil, record.validator.ifRange != nil, record.total != nil,
            let old = try? TransferURL(record.url),
            let url = urls.first(where: { (try? TransferURL($0)).map { $0.isSameFile(as: old) } ?? false })
        else { return nil }
        return url
    }

    /// Whether it is certain that no download can resume the bytes of `file`, whatever address it asks for: a record
    /// that cannot be read or decoded now may be of use later, or to another version of this program.
    /// - Throws: as ``read(of:)``.
    static func isUseless(_ file: PartialFile) throws(TransferError) -> Bool {
        switch try read(of: file) {
        case .absent: true
        case .record(let record): point(in: file, record) == nil
        case .unfit, .unreadable: false
        }
    }

    private static func point(in file: PartialFile, _ record: ResumeData) -> ResumePoint? {
        let length = file.length
        let isSameBoot = record.bootID != nil && record.bootID == BootID.current
        let trusted = isSameBoot ? length : min(length, record.ranges.prefixLength)
        return ResumePoint(record, offset: trusted)
    }

    /// The stored ranges of a file that several connections have written, whose length says nothing: such a record has
    /// no boot ID, and its ranges have been synced.
    /// - Throws: as ``read(of:)``.
    static func pieces(of file: PartialFile) throws(TransferError) -> ByteRangeSet? {
        guard case .record(let record) = try read(of: file), record.bootID == nil, record.ranges.ranges.count > 1
        else { return nil }
        let length = file.length
        return ByteRangeSet(record.ranges.ranges.map { $0.clamped(to: 0..<length) })
    }

    static func load(_ path: String) -> ResumeData? {
        guard case .record(let record) = read(path) else { return nil }
        return record
    }

    /// The record of `file`, before something is decided about its bytes.
    /// - Throws: code `cannotWrite` if descriptors or memory are short: the same attempt succeeds later.
    static func read(of file: PartialFile) throws(TransferError) -> Reading {
        let path = path(of: file.path)
        let found = read(path)
        if case .unreadable(let error) = found, isShortage(error.errno) {
            throw TransferError(.cannotWrite, file: .write, path: path, systemErrno: error.errno)
        }
        return found
    }

    private static func read(_ path: String) -> Reading {
        do throws(SystemError) {
            let file = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            // Only files that this program wrote for this user: anyone can put a file into a shared folder.
            let status = try file.status()
            guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_size <= 65_536 else {
                return .unfit
            }
            let bytes = try file.read(Int(status.st_size))
            guard bytes.count == status.st_size, let record = try? ResumeData(decoding: Data(bytes)) else {
                return .unfit
            }
            return .record(record)
        } catch {
            return error.errno == ENOENT ? .absent : .unreadable(error)
        }
    }

    /// Descriptors or memory, which are free again when others have ended.
    static func isShortage(_ errno: Int32?) -> Bool { [EMFILE, ENFILE, ENOMEM].contains(errno) }

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
        // One that cannot be read now keeps what it says.
        guard copy(from: old, to: new) || rename(path(of: old), path(of: new)) == 0 else { return }
        remove(old)
    }

    /// - Returns: whether there is a copy.
    static func copy(from old: String, to new: String) -> Bool {
        guard var record = load(path(of: old)) else { return false }
        record.partialPath = new
        return save(record)
    }

    /// The bytes belong to another URL from now on, as the user says; their validator decides whether a download from
    /// there resumes.
    static func relabel(_ partialPath: String, url: String) {
        guard var record = load(path(of: partialPath)), record.url != url else { return }
        (record.url, record.finalURL, record.validator.origin) = (url, nil, nil)
        save(record)
    }

    /// - Returns: whether there was one.
    @discardableResult
    static func remove(_ partialPath: String) -> Bool {
        // Left by a process that ended while it wrote the record.
        defer { unlink(path(of: partialPath) + ".new") }
        return unlink(path(of: partialPath)) == 0
    }
}

extension TransferURL {
    /// Whether they differ in nothing but their queries.
    fileprivate func isSameFile(as other: TransferURL) -> Bool { origin == other.origin && path == other.path }
}
