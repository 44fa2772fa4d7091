// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore
import Synchronization
import TransferModel

/// The partial files of one download: the existing one, and beside it a newer version until that one is complete.
///
/// `NAME.fileq-part` comes first. If a response carries the file from its first byte although bytes exist, the new
/// bytes go to `NAME.fileq-part-new`, with its own record, so that a login page or an interrupted connection costs
/// nothing. The first file is deleted when the second is complete and renamed. If a third version arrives, the less
/// valuable of the two is deleted: a resumable file is worth more than one that is not, then the longer one.
///
/// Bytes that certainly no download can ever resume are replaced by the next version, once a response brings it: beside
/// them it might not find room, attempt after attempt. A record that cannot be read says nothing.
///
/// A version never overwrites the bytes of another in the same file. Names and bytes reach the disk apart: a power cut
/// may bring back a record that was removed, which would vouch for bytes that were never synced. Of a new file under
/// the same name, it brings back the old one, too.
///
/// Both are used under the lock of the first. From any thread. ``current``, ``version`` and ``takeSuperseded()`` wait
/// for no file system; everything else may.
final class PartialFiles: Sendable {
    /// The file being written, and the number of changes of it: a record of one version must not be written for
    /// another.
    struct Version: Sendable {
        let file: PartialFile
        let number: Int
    }

    /// Bytes that are not resumed, since another version is being written.
    struct Superseded: Sendable, Equatable {
        /// The file that keeps them; `nil`: they have been replaced.
        let path: String?
        let bytes: Int64
    }

    /// Suffix of the newer version's file, appended to the first file's name.
    static let newSuffix = "-new"

    private struct State {
        var first: PartialFile
        var second: PartialFile?
        var writesSecond = false
        var number = 0
        /// All bytes, which earlier attempts have left, are of no use to any download.
        var isReplaceable = false
        /// Removed on request: nothing is created or recorded after that.
        var isRemoved = false

        var current: PartialFile { writesSecond ? second ?? first : first }
        var other: PartialFile? { writesSecond ? first : second }
    }

    /// The path of the first file.
    let path: String
    /// Whether there were bytes when the files were opened.
    let hadBytes: Bool
    private let state: Mutex<State>
    private let superseded = Mutex<Superseded?>(nil)
    /// Held while files are changed; ``state`` is not, so that its readers do not wait for a file system.
    private let disk = Mutex(())
    private let closing: @Sendable (Int32) -> Void
    private let permissions: UInt32

    /// Opens existing files, or creates the first one.
    /// - Parameters:
    ///   - permissions: of new files, before the umask.
    ///   - closing: closes the descriptors, on any thread.
    /// - Throws: code `cannotWrite`, as ``PartialFile/init(path:permissions:)``.
    init(
        path: String, permissions: UInt32 = 0o666, closing: @escaping @Sendable (Int32) -> Void = { close($0) }
    ) throws(TransferError) {
        let first = try PartialFile(path: path, permissions: permissions, closing: closing)
        hadBytes = first.lengthAtOpening > 0
        self.path = path
        self.permissions = permissions
        self.closing = closing
        var state = State(first: first)
        try Self.findSecond(&state, path, permissions, closing)
        self.state = Mutex(state)
    }

    /// Changes files and their state, serially.
    private func change<Value, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try disk.withLock { _ throws(Failure) in
            var changed = state.withLock { $0 }
            defer { state.withLock { $0 = changed } }
            return try body(&changed)
        }
    }

    /// Handles what an interrupted run left: a second file, or the record of one that has been renamed since.
    private static func findSecond(
        _ state: inout State, _ path: String, _ permissions: UInt32, _ closing: @escaping @Sendable (Int32) -> Void
    ) throws(TransferError) {
        let newPath = path + newSuffix
        // A record without its file would describe bytes that do not exist yet: a power cut may leave one beside an
        // empty file.
        if state.first.lengthAtOpening == 0, PartialRecord.remove(path) {
            try replaceFirst(&state, permissions, closing)
        }
        guard DownloadAdmission.exists(newPath) else {
            if state.first.lengthAtOpening > 0 { PartialRecord.remove(newPath) }
            return
        }
        let second: PartialFile
        do throws(TransferError) { second = try PartialFile(path: newPath, closing: closing) } catch {
            // Later it can be opened, and its bytes count.
            if PartialRecord.isShortage(error.systemErrno) { throw error }
            // Another one is ignored; creating a file there fails later, with the reason.
            return
        }
        guard second.lengthAtOpening > 0 else { return remove(second) }
        state.second = second
        if state.first.lengthAtOpening == 0 { try? promote(&state) }
    }

    /// The file that is or will be written.
    var current: PartialFile { state.withLock { $0.current } }

    /// Whether there is another version beside ``current``.
    var hasOther: Bool { state.withLock { $0.other != nil } }

    /// Whether the bytes of ``current`` have been written since the files were opened.
    var holdsOwnBytes: Bool { !hadBytes || state.withLock { $0.number > 0 } }

    var version: Version { state.withLock { Version(file: $0.current, number: $0.number) } }

    /// Where to resume: in the newer version, else in the older one. The chosen file becomes ``current``. What an
    /// earlier process has left in it beyond the synced bytes is written again before the next sync.
    /// - Parameter isRetry: whether this process has written to the files since they were opened.
    /// - Throws: code `cannotWrite` if descriptors or memory are short for reading the records: nothing is decided.
    func choose(urls: [String], isRetry: Bool) throws(TransferError) -> PartialRecord.Found? {
        try change { state throws(TransferError) in
            state.isReplaceable = false
            if let second = state.second, let found = try Self.find(in: second, urls, isRetry) {
                state.writesSecond = true
                return found
            }
            state.writesSecond = false
            return try Self.find(in: state.first, urls, isRetry)
        }
    }

    private static func find(
        in file: PartialFile, _ urls: [String], _ isRetry: Bool
    ) throws(TransferError) -> PartialRecord.Found? {
        guard let found = try PartialRecord.resumePoint(for: file, urls: urls, isRetry: isRetry) else { return nil }
        let left = min(file.lengthAtOpening, found.point.offset)
        if found.synced < left { file.rewriteBeforeSync(found.synced..<left) }
        return found
    }

    /// The next attempt resumes from no bytes. If no download can ever resume any of them, the next version replaces
    /// them; until it arrives, they stay.
    /// - Parameter isAlwaysWhole: whether downloads of this kind are never resumed.
    /// - Throws: as ``choose(urls:isRetry:)``.
    func startOver(isAlwaysWhole: Bool) throws(TransferError) {
        try change { state throws(TransferError) in
            func isUseless(_ file: PartialFile) throws(TransferError) -> Bool {
                if isAlwaysWhole { return true }
                return try PartialRecord.isUseless(file)
            }
            state.isReplaceable = false
            if let second = state.second, try !isUseless(second) { return }
            guard state.second != nil || state.first.length > 0 else { return }
            state.isReplaceable = try isUseless(state.first)
        }
    }

    /// Provides an empty file for a version that starts at its first byte, without a record. The more valuable bytes
    /// stay in the other file, unless ``startOver(isAlwaysWhole:)`` has found all to be of no use. Called on the
    /// transport's thread.
    /// - Throws: code `cannotWrite`; then the less valuable bytes may be gone. `cancelled` after ``removeAll()``: the
    ///   transport may receive a response that was under way when the user removed everything.
    func makeNewVersion() throws(TransferError) -> PartialFile {
        try change { state throws(TransferError) in
            if state.isRemoved { throw TransferError.cancelled }
            if state.isReplaceable {
                // Only once: what arrives from now on may be of use.
                state.isReplaceable = false
                let left = Superseded(path: nil, bytes: max(state.first.length, state.second?.length ?? 0))
                PartialRecord.remove(state.first.path)
                // Its room is free although others may still have it open.
                try state.first.truncate(to: 0)
                if let second = state.second { Self.remove(second) }
                (state.second, state.writesSecond) = (nil, false)
                state.number += 1
                try Self.replaceFirst(&state, permissions, closing)
                superseded.withLock { $0 = left }
                return state.first
            }
            if let second = state.second, try Self.isWorthMore(second, than: state.first) { try Self.promote(&state) }
            if let second = state.second {
                Self.remove(second)
                (state.second, state.writesSecond) = (nil, false)
            }
            state.number += 1
            PartialRecord.remove(path + Self.newSuffix)
            let room = try PartialFile(path: path + Self.newSuffix, permissions: permissions, closing: closing)
            state.second = room
            state.writesSecond = true
            let pieces = try? PartialRecord.pieces(of: state.first)
            let stored = pieces?.count ?? state.first.length
            let left = Superseded(path: state.first.path, bytes: stored)
            superseded.withLock { $0 = left }
            return room
        }
    }

    /// The bytes that remain since ``makeNewVersion()`` was called; returned once.
    func takeSuperseded() -> Superseded? {
        superseded.withLock { superseded in
            defer { superseded = nil }
            return superseded
        }
    }

    /// Writes the record of `version`, unless another version is being written meanwhile.
    /// - Returns: whether it was written.
    @discardableResult
    func save(_ record: ResumeData, of version: Version) -> Bool {
        disk.withLock { _ in
            guard state.withLock({ $0.number == version.number && !$0.isRemoved }) else { return false }
            var record = record
            record.partialPath = version.file.path
            return PartialRecord.save(record)
        }
    }

    // MARK: Ends

    /// The current version is complete and has its final name: deletes the other one.
    /// - Parameter sharing: whose files they are: that of another transfer stays.
    func removeOther(leaving sharing: PartialSharing = .alone) {
        change { state in
            if let other = state.other {
                if sharing.isOfAnother(other.path) { other.unlock() } else { Self.remove(other) }
            }
            if state.writesSecond { state.first = state.current }
            (state.second, state.writesSecond) = (nil, false)
        }
    }

    /// Deletes the file being written; another version's bytes stay.
    func removeCurrent() { Self.remove(current) }

    /// Removes both; nothing is created or recorded afterwards.
    /// - Parameter sharing: whose files they are: those of other transfers stay.
    func removeAll(leaving sharing: PartialSharing = .alone) {
        change { state in
            state.isRemoved = true
            for file in [state.first, state.second].compactMap({ $0 })
            where file.length == 0 || !sharing.isOfAnother(file.path, keepsShared: true) { Self.remove(file) }
        }
    }

    /// Unlocks the files for other openers, although references to this object may live longer. Nothing is written any
    /// more: blocks that were reserved for the rest are given back, as it may never be fetched.
    func unlock() {
        disk.withLock { _ in
            let state = state.withLock { $0 }
            _ = clinux_release_reserved(state.current.descriptor)
            state.second?.unlock()
            state.first.unlock()
        }
    }

    // MARK: By name

    /// Deletes partial files that remain beside a finished download.
    /// - Parameter sharing: whose files they are: those of other transfers stay.
    static func removeLeftovers(of partialPath: String, leaving sharing: PartialSharing) {
        let first = partialPath.hasSuffix(newSuffix) ? String(partialPath.dropLast(newSuffix.count)) : partialPath
        for path in [first, first + newSuffix] {
            if DownloadAdmission.exists(path), sharing.isOfAnother(path) { continue }
            if DownloadAdmission.exists(path), let file = try? PartialFile(path: path) {
                remove(file)
            } else {
                PartialRecord.remove(path)
            }
        }
    }

    /// Whether there is any; not whether it can be opened.
    static func exist(at path: String) -> Bool {
        DownloadAdmission.exists(path) || DownloadAdmission.exists(path + newSuffix)
    }

    /// Deletes the partial files at a path, unless a transfer is writing them.
    static func removeAll(
        at path: String, leaving sharing: PartialSharing, closing: @escaping @Sendable (Int32) -> Void = { close($0) }
    ) {
        guard exist(at: path), let files = try? PartialFiles(path: path, closing: closing)
        else { return }
        files.removeAll(leaving: sharing)
    }

    /// Whether a transfer or another program is writing them.
    static func isBusy(_ path: String) -> Bool {
        guard DownloadAdmission.exists(path) else { return false }
        do throws(TransferError) {
            _ = try PartialFile(path: path)
            return false
        } catch {
            return error.fields.file?.kind == .beingWritten
        }
    }

    /// The bytes belong to another URL from now on.
    static func relabel(_ path: String, url: String, leaving sharing: PartialSharing) {
        for path in [path, path + newSuffix] where !sharing.isOfAnother(path) {
            PartialRecord.relabel(path, url: url)
        }
    }

    /// An empty file under the name of the first one, which has no bytes of use.
    private static func replaceFirst(
        _ state: inout State, _ permissions: UInt32, _ closing: @escaping @Sendable (Int32) -> Void
    ) throws(TransferError) {
        let path = state.first.path
        state.first.remove()
        state.first = try PartialFile(path: path, permissions: permissions, closing: closing)
    }

    /// Deletes it and its record.
    static func remove(_ file: PartialFile) {
        PartialRecord.remove(file.path)
        file.remove()
    }

    /// Replaces the first file by the second, which takes its name.
    private static func promote(_ state: inout State) throws(TransferError) {
        guard let second = state.second else { return }
        let (old, new) = (second.path, state.first.path)
        // A crash between the two leaves bytes without a record, which are never appended to.
        PartialRecord.remove(new)
        try second.rename(to: new)
        PartialRecord.move(from: old, to: new)
        (state.first, state.second, state.writesSecond) = (second, nil, false)
    }

    private static func isWorthMore(
        _ one: PartialFile, than other: PartialFile
    ) throws(TransferError) -> Bool {
        func worth(_ file: PartialFile) throws(TransferError) -> (Int, Int64) {
            let isPromising =
                switch try PartialRecord.read(of: file) {
                case .absent: false
                case .record(let record): record.validator.ifRange != nil
                // It may belong to bytes that can be resumed.
                case .unfit, .unreadable: true
                }
            return (isPromising ? 1 : 0, file.length)
        }
        return try worth(one) > worth(other)
    }
}
