// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import Platform
import Synchronization

/// The content of a response, read from its first byte to its last. Its functions block.
protocol ContentSource: Sendable {
    /// All of `range`, which is at most a chunk.
    func read(_ range: Range<Int64>) throws -> OpenFile.Chunk
    /// - Throws: if the bytes that were read are of two versions.
    func checkUnchanged() throws
}

extension OpenFile: ContentSource {}

/// A folder as a ZIP archive, made while it is sent. Its size is known before: names, sizes and times are those of the
/// moment when it was asked for, and a file that has changed since ends the response.
final class ZipArchive: ContentSource {
    /// More are refused.
    static let mostEntries = 100_000

    private struct State {
        var layout = ZipLayout()
        var next = 0
        /// Bytes of records that have to be sent before anything else.
        var pending: ArraySlice<UInt8> = []
        var file: (open: OpenFile, position: Int64, checksum: CRC32, first: Int)?
        var isClosed = false
    }

    let size: Int64
    /// Approximately, in memory.
    let memory: Int
    private let root: RootFolder
    private let entries: [(path: [String], status: FileStatus, entry: ZipLayout.Entry)]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: below `root`.
    ///   - listsHidden: with names that begin with a dot.
    /// - Throws: 404, 413.
    init(of folder: [String], in root: RootFolder, listsHidden: Bool) throws {
        let found = try root.subfolder(folder).tree(atMost: Self.mostEntries) { name in
            (listsHidden || name.utf8.first != UInt8(ascii: ".")) && !RequestTarget.isWorkFolder(name)
        }
        let top = folder.suffix(1)
        entries = found.filter { $0.status.kind != .other }.map { found in
            let isFolder = found.status.kind == .folder
            let name = (top + found.path).map(Self.safe).joined(separator: "/") + (isFolder ? "/" : "")
            return (
                folder + found.path, found.status,
                ZipLayout.Entry(name: name, size: isFolder ? 0 : found.status.size, modified: found.status.modified)
            )
        }
        var layout = ZipLayout()
        for (_, _, entry) in entries {
            let first = layout.begin(entry).count
            _ = layout.end(entry, checksum: 0, first: first)
        }
        size = layout.offset + Int64(layout.close().count)
        memory = 2 * layout.directory.count + entries.count * 256
        self.root = root
    }

    /// Some programs take a backslash for a slash when they unpack.
    private static func safe(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0 == "\\" || $0.properties.generalCategory == .control ? "_" : $0 }))
    }

    /// The next bytes: `range` begins where the one before ended.
    func read(_ range: Range<Int64>) throws -> OpenFile.Chunk {
        try state.withLock { state in
            var chunk = ByteBufferAllocator().buffer(capacity: range.count)
            while chunk.readableBytes < range.count {
                let missing = range.count - chunk.readableBytes
                if !state.pending.isEmpty {
                    chunk.writeBytes(state.pending.prefix(missing))
                    state.pending = state.pending.dropFirst(missing)
                } else if state.file != nil {
                    var piece = try readFile(missing, &state)
                    chunk.writeBuffer(&piece)
                } else if state.next < entries.count {
                    try open(&state)
                } else {
                    guard !state.isClosed else { throw SystemError("read beyond the end", errno: EIO) }
                    state.isClosed = true
                    state.pending = state.layout.close()[...]
                }
            }
            return chunk
        }
    }

    /// Each file was checked at its end.
    func checkUnchanged() {}

    private func open(_ state: inout State) throws {
        let (path, status, entry) = entries[state.next]
        let begin = state.layout.begin(entry)
        state.pending = begin[...]
        guard !entry.isFolder else {
            state.next += 1
            _ = state.layout.end(entry, checksum: 0, first: begin.count)
            return
        }
        let file = try root.openFile(path)
        guard file.status == status else { throw SystemError("read what has changed", errno: EIO) }
        file.adviseSequentialReading()
        state.file = (file, 0, CRC32(), begin.count)
    }

    private func readFile(_ most: Int, _ state: inout State) throws -> OpenFile.Chunk {
        guard let (file, position, before, first) = state.file else { return ByteBuffer() }
        var checksum = before
        let end = min(file.status.size, position + Int64(most))
        let piece = try file.read(position..<end)
        piece.withUnsafeReadableBytes { checksum.update($0) }
        state.file = (file, end, checksum, first)
        if end == file.status.size {
            try file.checkUnchanged()
            state.pending = state.layout.end(entries[state.next].entry, checksum: checksum.value, first: first)[...]
            (state.file, state.next) = (nil, state.next + 1)
        }
        return piece
    }
}
