// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Platform
import Synchronization
import TransferModel

/// One upload: what the server knows of it in memory, with its two files: `ID` has the bytes, `ID.json` an
/// ``UploadState``. Only the holder of a lease on ``access`` changes it.
final class UploadEntry: Sendable {
    struct Content: Sendable {
        var resource: UploadResource
        var state: UploadState
        /// For the digests of the first ``hashed`` bytes; empty after a restart.
        var hashers: [ContentHasher]
        var hashed: Int64 = 0
        /// An interim response has named the upload.
        var isAnnounced = false
    }

    let id: String
    let access = UploadAccess()
    let folder: FolderDescriptor
    let syncs: Bool
    private let content: Mutex<Content>

    init(id: String, in folder: FolderDescriptor, syncs: Bool, resource: UploadResource, state: UploadState) {
        self.id = id
        self.folder = folder
        self.syncs = syncs
        let isNew = resource.offset == 0
        content = Mutex(
            Content(
                resource: resource, state: state,
                hashers: isNew ? state.algorithms.map { ContentHasher($0) } : []))
    }

    var resource: UploadResource { content.withLock { $0.resource } }
    var state: UploadState { content.withLock { $0.state } }
    /// The bytes so far are hashed, so that those that follow are, too.
    var isHashing: Bool {
        content.withLock { !$0.hashers.isEmpty && $0.hashed == $0.resource.written }
    }
    var isAnnounced: Bool { content.withLock { $0.isAnnounced } }
    /// The part that counts against the quota (``UploadQuota``): stored bytes, and the length if known; `nil` once it
    /// counts no more.
    var unfinished: (bytes: Int64, length: Int64)? {
        content.withLock { content -> (Int64, Int64)? in
            let resource = content.resource
            switch resource.phase {
            case .open: return (resource.written, max(resource.length ?? 0, resource.written))
            case .complete: return content.state.target == .none ? (resource.offset, resource.offset) : nil
            case .failed: return nil
            }
        }
    }
    /// No byte has arrived.
    var isEmpty: Bool {
        content.withLock { $0.resource.phase == .open && $0.resource.written == 0 }
    }
    var isUnfinishedConcatenation: Bool {
        guard case .final? = state.tusConcat.flatMap({ Tus.Concatenation(parsing: $0) }) else { return false }
        return resource.phase == .open
    }
    /// tus: the IDs of the parts that it joins.
    var joinedParts: [String] {
        guard case .final(let urls)? = state.tusConcat.flatMap({ Tus.Concatenation(parsing: $0) }) else { return [] }
        return urls.compactMap { $0.lastPathPart.map(String.init) }
    }
    /// The path of the upload resource.
    var path: String { "/files/\(id)" }

    @discardableResult
    func update<Result, Failure: Error>(
        _ change: (inout Content) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try content.withLock { (content) throws(Failure) in try change(&content) }
    }

    static func stateName(_ id: String) -> String { id + ".json" }

    /// Creates both files, and syncs them: a client that has the URL can rely on it. Blocks.
    func create() throws {
        let file = try folder.create(id, mode: 0o600)
        do {
            if syncs { try file.sync() }
            try persist()
        } catch {
            try? folder.remove(id)
            throw error
        }
    }

    /// Replaces the state file. Blocks.
    func persist() throws {
        let (state, mark) = update { content in
            content.state.length = content.resource.length
            return (
                content.state,
                UploadState.Mark(synced: content.resource.offset, isTentative: content.resource.isTentative)
            )
        }
        try folder.replaceFile(Self.stateName(id), with: try state.bytes(mark), syncing: syncs)
    }

    /// Removes both files. Blocks.
    func removeFiles() {
        try? folder.remove(id)
        try? folder.remove(Self.stateName(id))
    }

    /// Opens an upload of an earlier process, which may have been killed, or have lost power. Blocks.
    /// - Returns: `nil` if its files are gone or damaged.
    /// - Throws: if they cannot be read now; nothing is decided about them then.
    static func load(
        id: String, in folder: FolderDescriptor, bootID: String, syncs: Bool, lifetime: (UploadState) -> Double,
        limits: UploadResource.Limits
    ) throws -> UploadEntry? {
        let stateFile = try folder.openOwn(stateName(id))
        let modified = Double(try stateFile.fileStatus().modified)
        guard let bytes = try stateFile.readToEnd(limit: 256 * 1024), var (state, mark) = UploadState.parse(bytes)
        else { return nil }
        // Any other error than a missing name says nothing: taken for a rename, it would remove the bytes.
        let part = try folder.statusIfPresent(id) == nil ? nil : try folder.openOwn(id)
        if case .placing(let outcome) = state.phase {
            // Renamed, or linked under the new name but not yet unlinked here.
            if try part.map({ try $0.status().st_nlink > 1 }) ?? true {
                try? folder.remove(id)
                state.phase = .complete(outcome)
            } else {
                state.phase = .open
                mark.isTentative = false
            }
        }
        var offset = state.length ?? mark.synced
        var phase = UploadResource.Phase.failed
        switch state.phase {
        case .complete: phase = .complete
        case .failed: break
        case .open, .placing:
            guard let part else { return nil }
            let size = try part.fileStatus().size
            // A killed process leaves its writes in the kernel's cache; after a power cut only synced bytes count.
            offset = state.bootID == bootID && !mark.isTentative ? size : mark.synced
            guard size >= offset else { return nil }
            phase = .open
            let writable = try Descriptor.open(id, O_RDWR | O_NOFOLLOW, in: folder.descriptor)
            if size > offset { try check(ftruncate(writable.number, off_t(offset)), "truncate") }
            if syncs { try writable.sync() }
        }
        let resource = UploadResource(
            offset: offset, length: state.length, phase: phase, expires: modified + lifetime(state), limits: limits)
        let hasChanged = state.bootID != bootID || mark.isTentative || phase == .open && mark.synced != offset
        state.bootID = bootID
        let entry = UploadEntry(id: id, in: folder, syncs: syncs, resource: resource, state: state)
        // Without that, as on a full disk, what is stored leads to the same entry again.
        if hasChanged { try? entry.persist() }
        return entry
    }
}
