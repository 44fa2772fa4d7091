// SPDX-License-Identifier: MIT

import FoundationEssentials
import Platform
import Synchronization
import TransferModel

/// The resumable uploads of the server, unfinished and recently finished.
final class UploadStore: Sendable {
    /// Seconds for which the response of a finished upload can be repeated.
    static let outcomeSeconds: Double = 86_400

    let limits: FileServerConfiguration.Limits
    let quota: UploadQuota
    private let folder: FolderDescriptor
    private let bootID = UploadState.currentBootID()
    private let syncs: Bool
    private let entries: Mutex<[String: UploadEntry]>
    /// When the expired uploads were last removed.
    private let swept = Mutex(0.0)
    private static let sweepSeconds: Double = 60

    /// Reads the uploads on disk. Blocks.
    init(folder: FolderDescriptor, limits: FileServerConfiguration.Limits, syncs: Bool) throws {
        self.folder = folder
        self.limits = limits
        self.syncs = syncs
        quota = UploadQuota(mostUploads: limits.unfinishedUploads, mostBytes: limits.unfinishedBytes)
        var found: [String: UploadEntry] = [:]
        var names = Set(try folder.names())
        // What another user has written is neither read nor removed.
        let foreign = Set(try names.filter { try !folder.isOwn($0) }.map { Self.id(of: $0) })
        names = names.filter { !foreign.contains(Self.id(of: $0)) }
        // Their files stay for the next start.
        var unreadable: Set<String> = []
        for name in names where name.hasSuffix(".json") {
            let id = Self.id(of: name)
            do {
                let entry = try UploadEntry.load(
                    id: id, in: folder, bootID: bootID, syncs: syncs,
                    lifetime: { Self.lifetime(of: $0, limits) }, limits: Self.limits(limits))
                // No response has named a concatenation that was interrupted; its parts remain.
                if let entry, !entry.isUnfinishedConcatenation { found[id] = entry }
            } catch {
                unreadable.insert(id)
            }
        }
        // Parts that a killed server had joined, and not removed: they must not outlive the response that can be
        // repeated, or be joined to a second file.
        for entry in found.values where entry.resource.phase == .complete {
            for id in entry.joinedParts where found[id]?.state.target == UploadState.Target.none { found[id] = nil }
        }
        for name in names where found[name] == nil && !unreadable.contains(Self.id(of: name)) {
            if !name.hasSuffix(".json") || found[Self.id(of: name)] == nil { try folder.remove(name) }
        }
        entries = Mutex(found)
        for entry in found.values {
            if let unfinished = entry.unfinished { quota.restore(entry.id, holding: unfinished.bytes) }
        }
        // What is here counts first.
        for entry in found.values { recount(entry) }
        sweep(now: Self.now())
    }

    /// The upload to which a file belongs.
    private static func id(of name: String) -> String {
        name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : name
    }

    static func now() -> Double { Date().timeIntervalSince1970 }

    private static func limits(_ limits: FileServerConfiguration.Limits) -> UploadResource.Limits {
        .init(
            maximumSize: limits.uploadBytes, maximumAppend: limits.appendBytes, minimumAppend: nil)
    }

    private static func lifetime(of state: UploadState, _ limits: FileServerConfiguration.Limits) -> Double {
        switch state.phase {
        case .open, .placing: limits.uploadLifetimeSeconds
        // Parts of a concatenation are complete, but not finished.
        case .complete where state.target == .none: limits.uploadLifetimeSeconds
        case .complete, .failed: min(outcomeSeconds, limits.uploadLifetimeSeconds)
        }
    }

    subscript(id: String) -> UploadEntry? { entries.withLock { $0[id] } }

    /// An upload of the same sender and UUID, or the result of the same concatenation.
    func first(where matches: (UploadState, UploadResource.Phase) -> Bool) -> UploadEntry? {
        entries.withLock { Array($0.values) }.first { matches($0.state, $0.resource.phase) }
    }

    /// Creates an upload. Blocks.
    /// - Parameters:
    ///   - bytes: what it will have, as far as the request states it: reserved from the quota.
    ///   - parts: the IDs of uploads that it joins.
    /// - Throws: 503 and 507 if the unfinished uploads have reached a limit.
    func create(
        target: UploadState.Target, name: String, isTus: Bool, length: Int64?, reserving bytes: Int64,
        joining parts: Set<String> = [], _ set: (inout UploadState) -> Void
    ) throws -> UploadEntry {
        let now = Self.now()
        if entries.withLock({ $0.count }) >= limits.unfinishedUploads
            || swept.withLock({ $0 + Self.sweepSeconds < now })
        {
            sweep(now: now)
        }
        var state = UploadState(target: target, name: name, isTus: isTus, length: length, bootID: bootID)
        set(&state)
        let resource = UploadResource(
            length: length, expires: now + limits.uploadLifetimeSeconds, limits: Self.limits(limits))
        let entry = UploadEntry(
            id: UniqueName.make(), in: folder, syncs: syncs, resource: resource, state: state)
        try makingRoom(for: bytes) { (quota) throws(Refusal) in
            try quota.admit(entry.id, of: bytes, joining: parts)
        }
        do { try entry.create() } catch {
            quota.release(entry.id)
            throw error
        }
        entries.withLock { $0[entry.id] = entry }
        return entry
    }

    /// Reserves what an append states of the size of an upload. Blocks.
    /// - Throws: 507
    func announce(_ size: Int64, of entry: UploadEntry) throws(Refusal) {
        let written = entry.resource.offset
        try makingRoom(for: size) { (quota) throws(Refusal) in
            try quota.announce(size, after: written, for: entry.id)
        }
    }

    /// Removes uploads of which nothing has arrived for some time, oldest first, until `reserve` succeeds: they cost
    /// nothing to create, and must not keep out others for a week. Removes none if all of them together are too few.
    /// Blocks.
    private func makingRoom(
        for size: Int64, _ reserve: (UploadQuota) throws(Refusal) -> Void
    ) throws(Refusal) {
        do throws(Refusal) { return try reserve(quota) } catch { if quota.excludes(size) { throw error } }
        let end = Self.now() + limits.uploadLifetimeSeconds - limits.emptySeconds
        var empty: [(entry: UploadEntry, lease: UploadAccess.Lease)] = []
        defer { for (entry, lease) in empty { entry.access.release(lease) } }
        for entry in entries.withLock({ Array($0.values) }) where entry.isEmpty && entry.resource.expires <= end {
            guard let lease = entry.access.acquireIfFree() else { continue }
            empty.append((entry, lease))
        }
        // Once more: one may have received something before it was held here.
        let removable = empty.map(\.entry).filter { $0.isEmpty }.sorted { $0.resource.expires < $1.resource.expires }
        try reserve(quota.without(removable.map(\.id)))
        for entry in removable {
            remove(entry)
            if (try? reserve(quota)) != nil { return }
        }
        try reserve(quota)
    }

    /// Updates the quota after a request, or at the end of an upload.
    func recount(_ entry: UploadEntry) {
        if let unfinished = entry.unfinished {
            quota.correct(entry.id, to: unfinished.bytes, of: unfinished.length)
        } else {
            quota.release(entry.id)
        }
    }

    /// Postpones the expiry of an upload in use.
    func extend(_ entry: UploadEntry) {
        let now = Self.now()
        entry.update { content in
            content.resource.expires = max(
                now + Self.lifetime(of: content.state, limits),
                content.resource.phase == .open ? content.resource.expires : 0)
        }
    }

    /// Forgets an upload and removes its files. Blocks.
    func remove(_ entry: UploadEntry) {
        entries.withLock { if $0[entry.id] === entry { $0[entry.id] = nil } }
        entry.removeFiles()
        quota.release(entry.id)
    }

    /// Removes expired uploads that no request uses, and the oldest outcomes if there are too many. Blocks.
    func sweep(now: Double) {
        swept.withLock { $0 = now }
        let all = entries.withLock { Array($0.values) }
        let finished = all.filter { $0.resource.phase != .open && $0.state.target != .none }
        let surplus = finished.sorted { $0.resource.expires < $1.resource.expires }
            .prefix(max(0, finished.count - limits.unfinishedUploads))
        for entry in all.filter({ $0.resource.expires <= now }) + surplus {
            guard let lease = entry.access.acquireIfFree() else { continue }
            remove(entry)
            entry.access.release(lease)
        }
    }
}
