// SPDX-License-Identifier: MIT

import FoundationEssentials
import NIOCore
import Platform
import Synchronization

/// The FileQ uploads of the server, complete and in progress, in memory and on disk.
final class UploadIndex: Sendable {
    enum Claim: Equatable {
        /// The caller receives the upload until ``release(_:)``.
        case granted
        /// It is complete.
        case existing(UploadRecord)
        /// Another request receives it.
        case busy
    }

    private struct State {
        var records: [String: UploadRecord] = [:]
        var ids: [UploadRecord.Key: String] = [:]
        /// Waiters for an upload in progress, by ticket.
        var claims: [UploadRecord.Key: [Int: CheckedContinuation<Bool, Never>]] = [:]
        var nextTicket = 0
        /// Records whose metadata are on disk only.
        var abridged: Set<String> = []

        mutating func keep(_ record: UploadRecord) {
            var record = record
            if UploadRecord.bytes(of: record.metadata) > UploadIndex.mostMetadata {
                record.metadata = []
                abridged.insert(record.id)
            }
            records[record.id] = record
            if let key = record.key { ids[key] = record.id }
        }
    }

    /// More metadata of an upload are not kept in memory.
    private static let mostMetadata = 512

    private let folder: FolderDescriptor
    private let syncs: Bool
    private let state: Mutex<State>

    /// Reads the records on disk. Drops records whose file does not exist.
    init(folder: FolderDescriptor, root: RootFolder, syncs: Bool) throws {
        self.folder = folder
        self.syncs = syncs
        var loaded = State()
        for name in try folder.names() {
            guard name.hasSuffix(".json") else {
                try folder.remove(name)
                continue
            }
            guard let record = try Self.read(name, in: folder) else { continue }
            guard try Self.isStored(record, in: root) else {
                try folder.remove(name)
                try? root.subfolder(["files"]).removeFolder(record.id)
                continue
            }
            loaded.keep(record)
        }
        state = Mutex(loaded)
    }

    /// Whether the file of a record is stored. True if it cannot be checked, so that the record stays.
    private static func isStored(_ record: UploadRecord, in root: RootFolder) throws -> Bool {
        do throws(SystemError) { return try root.status(record.path)?.kind == .regular } catch {
            return !SystemError.isMissing(error.errno)
        }
    }

    /// Some of them, oldest first. Blocks.
    func page(after cursor: UploadCursor?) -> UploadPage {
        let (all, abridged) = state.withLock { (Array($0.records.values), $0.abridged) }
        return UploadPage(of: all, after: cursor) { record in
            guard abridged.contains(record.id), let whole = try? Self.read(record.id + ".json", in: folder) else {
                return record
            }
            return whole
        }
    }

    /// `nil` if it is damaged, of a later version, or of another user.
    private static func read(_ name: String, in folder: FolderDescriptor) throws -> UploadRecord? {
        guard let own = try folder.ownIfAny(name) else { return nil }
        let file = try OpenFile(own)
        let content = try file.read(0..<file.status.size)
        guard let record = try? JSONDecoder().decode(UploadRecord.self, from: Data(content.readableBytesView)),
            record.version == UploadRecord.currentVersion, name == record.id + ".json"
        else { return nil }
        return record
    }

    func record(id: String) -> UploadRecord? { state.withLock { $0.records[id] } }

    func claim(_ key: UploadRecord.Key) -> Claim {
        state.withLock { state in
            if let id = state.ids[key], let record = state.records[id] { return .existing(record) }
            guard state.claims[key] == nil else { return .busy }
            state.claims[key] = [:]
            return .granted
        }
    }

    /// Ends a claim with any result, and wakes its waiters.
    func release(_ key: UploadRecord.Key) {
        let waiting = state.withLock { $0.claims.removeValue(forKey: key) }
        for continuation in (waiting ?? [:]).values { continuation.resume(returning: true) }
    }

    /// Returns when the claim on `key` has ended, after `limit`, or when the task is cancelled.
    func waitForRelease(of key: UploadRecord.Key, atMost limit: Duration) async {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        _ = await TurnWait.run(atMost: limit) { continuation in
            state.withLock { state -> Bool? in
                guard state.claims[key] != nil, !Task.isCancelled else { return true }
                state.claims[key]?[ticket] = continuation
                return nil
            }
        } giveUp: {
            self.wake(ticket, of: key)
        }
    }

    private func wake(_ ticket: Int, of key: UploadRecord.Key) {
        state.withLock { $0.claims[key]?.removeValue(forKey: ticket) }?.resume(returning: false)
    }

    /// Writes the record to disk. It counts from ``add(_:)`` on. Blocks.
    func persist(_ record: UploadRecord) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try folder.replaceFile(record.id + ".json", with: Array(encoder.encode(record)), syncing: syncs)
    }

    func add(_ record: UploadRecord) {
        state.withLock { $0.keep(record) }
    }

    /// Removes a record from memory and disk. Blocks.
    func remove(_ record: UploadRecord) {
        state.withLock { state in
            state.records[record.id] = nil
            state.abridged.remove(record.id)
            if let key = record.key, state.ids[key] == record.id { state.ids[key] = nil }
        }
        // The file no longer exists, so a remaining record is dropped at the next start.
        try? folder.remove(record.id + ".json")
    }
}
