// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import Synchronization
import TransferModel

/// The unfinished files of one download: what is kept, and beside it a newer version until that one is whole.
///
/// `NAME.fileq-part` comes first. When a response brings the file from its first byte although bytes are kept, its
/// bytes go to `NAME.fileq-part-new`, with a record of its own, so that a login page or a connection that breaks off
/// costs nothing. The first file goes when the second is whole and named. Where a third version comes, the one of the
/// two goes that is worth less: what can be resumed is worth more than what cannot, then the longer one.
///
/// Both are used under the lock of the first. From any thread. ``current``, ``version`` and ``takeSuperseded()`` wait
/// for no file system; all else may.
final class KeptFiles: Sendable {
    /// Which file is being written, and how many times that has changed: what is recorded of one version must not meet
    /// another.
    struct Version: Sendable {
        let file: PartialFile
        let number: Int
    }

    /// Bytes that stay although another version is being written.
    struct Superseded: Sendable, Equatable {
        let path: String
        let bytes: Int64
    }

    /// What the name of a newer version's file ends in, after that of the first.
    static let newSuffix = "-new"

    private struct State {
        var first: PartialFile
        var second: PartialFile?
        var writesSecond = false
        var number = 0

        var current: PartialFile { writesSecond ? second ?? first : first }
        var other: PartialFile? { writesSecond ? first : second }
    }

    /// Of the first file.
    let path: String
    /// Whether there were bytes when the files were opened.
    let hadBytes: Bool
    private let state: Mutex<State>
    private let superseded = Mutex<Superseded?>(nil)
    /// Held while files are changed; ``state`` is not, so that its readers do not wait for a file system.
    private let disk = Mutex(())
    private let closing: @Sendable (Int32) -> Void

    /// Opens what is there, or makes the first file.
    /// - Parameter closing: closes the descriptors, on any thread.
    /// - Throws: code `cannotWrite`, as ``PartialFile/init(path:permissions:)``.
    init(path: String, closing: @escaping @Sendable (Int32) -> Void = { close($0) }) throws(TransferError) {
        let first = try PartialFile(path: path, closing: closing)
        hadBytes = first.lengthAtOpening > 0
        self.path = path
        self.closing = closing
        var state = State(first: first)
        Self.findSecond(&state, path, closing)
        self.state = Mutex(state)
    }

    /// Changes files and what is known of them. One after the other.
    private func change<Value, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try disk.withLock { _ throws(Failure) in
            var changed = state.withLock { $0 }
            defer { state.withLock { $0 = changed } }
            return try body(&changed)
        }
    }

    /// What a run left that ended early: a second file, or the record of one that has been renamed since.
    private static func findSecond(
        _ state: inout State, _ path: String, _ closing: @escaping @Sendable (Int32) -> Void
    ) {
        let newPath = path + newSuffix
        // A record without its file would speak of bytes that are to come: a power cut may leave one beside an empty
        // file.
        if state.first.lengthAtOpening == 0 { PartialRecord.remove(path) }
        guard DownloadAdmission.exists(newPath) else {
            if state.first.lengthAtOpening > 0 { PartialRecord.remove(newPath) }
            return
        }
        // One that cannot be opened is left alone; where a file is needed there, that fails with the reason.
        guard let second = try? PartialFile(path: newPath, closing: closing) else { return }
        guard second.lengthAtOpening > 0 else { return remove(second) }
        state.second = second
        if state.first.lengthAtOpening == 0 { try? promote(&state) }
    }

    /// The file that is being written, or will be.
    var current: PartialFile { state.withLock { $0.current } }

    var version: Version { state.withLock { Version(file: $0.current, number: $0.number) } }

    /// From where to go on: the newer version before the older one. The file it is for becomes ``current``.
    /// - Parameter isRetry: whether this process has written to the files since they were opened.
    func choose(url: String, isRetry: Bool) -> ResumePoint? {
        change { state in
            if let second = state.second, let point = PartialRecord.resumePoint(for: second, url: url, isRetry: isRetry)
            {
                state.writesSecond = true
                return point
            }
            state.writesSecond = false
            return PartialRecord.resumePoint(for: state.first, url: url, isRetry: isRetry)
        }
    }

    /// The file for a version that comes from its first byte. No record says anything of it any more, and what is worth
    /// keeping is in the other file. Called on the transport's thread.
    /// - Throws: code `cannotWrite`; then all is as it was.
    func makeRoom() throws(TransferError) -> PartialFile {
        try change { state throws(TransferError) in
            if let second = state.second, Self.isWorthMore(second, than: state.first) { try Self.promote(&state) }
            let room =
                if let second = state.second { second } else {
                    try PartialFile(path: path + Self.newSuffix, closing: closing)
                }
            PartialRecord.remove(room.path)
            state.number += 1
            state.second = room
            state.writesSecond = true
            let left = Superseded(path: state.first.path, bytes: state.first.length)
            superseded.withLock { $0 = left }
            return room
        }
    }

    /// What stays since ``makeRoom()`` was called; once.
    func takeSuperseded() -> Superseded? {
        superseded.withLock { superseded in
            defer { superseded = nil }
            return superseded
        }
    }

    /// Writes the record of `version`, unless another one is being written by now.
    func save(_ record: ResumeData, of version: Version) {
        disk.withLock { _ in
            guard state.withLock({ $0.number }) == version.number else { return }
            var record = record
            record.partialPath = version.file.path
            PartialRecord.save(record)
        }
    }

    // MARK: Ends

    /// The current version is whole and has its name: what was kept beside it goes.
    func removeOther() {
        change { state in
            if let other = state.other { Self.remove(other) }
            if state.writesSecond { state.first = state.current }
            (state.second, state.writesSecond) = (nil, false)
        }
    }

    /// Removes the file being written; what is kept of another version stays.
    func removeCurrent() { Self.remove(current) }

    func removeAll() {
        disk.withLock { _ in
            let state = state.withLock { $0 }
            Self.remove(state.first)
            if let second = state.second { Self.remove(second) }
        }
    }

    /// Lets other openers have the files although references to them may live on a while.
    func unlock() {
        disk.withLock { _ in
            let state = state.withLock { $0 }
            state.second?.unlock()
            state.first.unlock()
        }
    }

    // MARK: By name

    /// What lies beside a partial file of a download that has its name: nothing is to be left.
    static func removeLeftovers(of partialPath: String) {
        let first = partialPath.hasSuffix(newSuffix) ? String(partialPath.dropLast(newSuffix.count)) : partialPath
        for path in [first, first + newSuffix] {
            if DownloadAdmission.exists(path), let file = try? PartialFile(path: path) {
                remove(file)
            } else {
                PartialRecord.remove(path)
            }
        }
    }

    /// Removes what lies under a partial file's name, unless a transfer is writing it.
    static func removeAll(at path: String, closing: @escaping @Sendable (Int32) -> Void = { close($0) }) {
        guard DownloadAdmission.exists(path) || DownloadAdmission.exists(path + newSuffix),
            let files = try? KeptFiles(path: path, closing: closing)
        else { return }
        files.removeAll()
    }

    /// The bytes are those of another address from now on.
    static func relabel(_ path: String, url: String) {
        for path in [path, path + newSuffix] { PartialRecord.relabel(path, url: url) }
    }

    private static func remove(_ file: PartialFile) {
        PartialRecord.remove(file.path)
        file.remove()
    }

    /// The first file's bytes go, and the second file takes its name.
    private static func promote(_ state: inout State) throws(TransferError) {
        guard let second = state.second else { return }
        let (old, new) = (second.path, state.first.path)
        // Between the two, bytes without a record are bytes that are never joined to others.
        PartialRecord.remove(new)
        try second.rename(to: new)
        PartialRecord.move(from: old, to: new)
        (state.first, state.second, state.writesSecond) = (second, nil, false)
    }

    private static func isWorthMore(_ one: PartialFile, than other: PartialFile) -> Bool {
        func worth(_ file: PartialFile) -> (Int, Int64) {
            let validator = PartialRecord.load(PartialRecord.path(of: file.path))?.validator
            return (validator?.ifRange == nil ? 0 : 1, file.length)
        }
        return worth(one) > worth(other)
    }
}
