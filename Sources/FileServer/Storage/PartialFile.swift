// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import Platform
import Synchronization
import TransferModel

/// An upload in progress: a file in the work folder, removed unless it is renamed into place. Its functions block;
/// calls must not overlap.
final class PartialFile: Sendable {
    private struct State {
        var size: Int64 = 0
        var hashers: [ContentHasher] = []
        var isPlaced = false
    }

    private let folder: FolderDescriptor
    private let name: String
    private let descriptor: Descriptor
    private let state: Mutex<State>

    /// - Parameter algorithms: of ``digests()``.
    init(in folder: FolderDescriptor, name: String, hashing algorithms: [Checksum.Algorithm]) throws(SystemError) {
        self.folder = folder
        self.name = name
        descriptor = try folder.create(name)
        state = Mutex(State(hashers: algorithms.map { ContentHasher($0) }))
    }

    /// A resumable upload whose bytes are complete; it outlives this object.
    init(resumable name: String, in folder: FolderDescriptor, size: Int64) throws(SystemError) {
        self.folder = folder
        self.name = name
        descriptor = try Descriptor.open(name, O_RDWR | O_NOFOLLOW, in: folder.descriptor)
        state = Mutex(State(size: size, isPlaced: true))
    }

    deinit { discard() }

    var size: Int64 { state.withLock { $0.size } }

    /// The digests of all bytes so far.
    func digests() -> [Checksum] { state.withLock { $0.hashers.map(\.checksum) } }

    func append(_ buffers: [ByteBuffer]) throws(SystemError) {
        try state.withLock { (state) throws(SystemError) in
            for buffer in buffers {
                try buffer.withUnsafeReadableBytes { (bytes) throws(SystemError) in
                    try descriptor.write(bytes, at: state.size)
                    for index in state.hashers.indices { state.hashers[index].update(bytes) }
                }
                state.size += Int64(buffer.readableBytes)
            }
        }
    }

    /// Sets the modification time, if given, syncs, and fails as closing would.
    func complete(modified: Int64?, syncing: Bool) throws(SystemError) {
        if let modified {
            let time = timespec(tv_sec: Int(modified), tv_nsec: 0)
            try check(futimens(descriptor.number, [time, time]), "set time")
        }
        if syncing { try descriptor.sync() }
        try descriptor.flush()
    }

    /// Renames the file into place, atomically.
    /// - Throws: `EEXIST` if the name exists and `replacing` is false; `ESTALE` if its own name leads to another file.
    func place(in target: FolderDescriptor, as newName: String, replacing: Bool) throws(SystemError) -> FileStatus {
        guard try folder.status(name).inode == status().inode else {
            throw SystemError("place another file", errno: ESTALE)
        }
        if replacing {
            try folder.move(name, to: target, as: newName)
        } else {
            try folder.renameWithoutReplacing(name, to: target, as: newName)
        }
        state.withLock { $0.isPlaced = true }
        return try status()
    }

    /// Gives a file that was private while unfinished the permissions of a new file.
    func publish(umask: mode_t) throws(SystemError) {
        try check(fchmod(descriptor.number, 0o666 & ~umask), "set permissions")
    }

    func status() throws(SystemError) -> FileStatus { try descriptor.fileStatus() }

    /// Removes the file; no effect after the rename.
    func discard() {
        let isFirst = state.withLock { state in
            defer { state.isPlaced = true }
            return !state.isPlaced
        }
        if isFirst { try? folder.remove(name) }
    }
}
