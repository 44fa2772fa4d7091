// SPDX-License-Identifier: MIT

import FoundationEssentials
import NIOCore
import Synchronization

/// The links of the server, in memory and on disk. A file each; what a request costs is stored before it is answered.
final class ShareStore: Sendable {
    private struct State {
        var shares: [String: Share] = [:]
        /// Passwords that were right, as digests: deriving them takes time.
        var verified: [String: [UInt8]] = [:]
        /// Wrong passwords of the present hour.
        var failures: [String: Int] = [:]
        var hour = 0
        /// Responses under way, by link.
        var running: [String: Int] = [:]
    }

    /// More links are refused with 503.
    static let most = 10_000
    /// More wrong passwords in an hour are refused with 429.
    static let mostFailures = 50

    private let folder: FolderDescriptor
    private let syncs: Bool
    private let most: Int
    private let state: Mutex<State>

    /// Reads the links on disk, and removes those that nobody can use any more. Blocks.
    init(folder: FolderDescriptor, syncs: Bool, most: Int = ShareStore.most, now: Double) throws {
        (self.folder, self.syncs, self.most) = (folder, syncs, most)
        var loaded = State()
        for name in try folder.names() {
            guard name.hasSuffix(".json") else {
                try folder.remove(name)
                continue
            }
            guard let own = try folder.ownIfAny(name) else { continue }
            let file = try OpenFile(own)
            let content = try file.read(0..<file.status.size)
            guard let share = try? JSONDecoder().decode(Share.self, from: Data(content.readableBytesView)),
                share.version == Share.currentVersion, name == share.id + ".json"
            else { continue }
            loaded.shares[share.id] = share
        }
        state = Mutex(loaded)
        sweep(at: now)
    }

    /// Removes links that have expired, and those that are used up unless a response may return some of it. Blocks.
    func sweep(at now: Double) {
        let useless = state.withLock { state in
            state.shares.values.filter { share in
                share.hasExpired(at: now) || share.isUsedUp(at: now) && state.running[share.id] == nil
            }.map(\.id)
        }
        for id in useless { remove(id) }
    }

    /// Whether another link may be made. Blocks.
    func hasRoom(at now: Double) -> Bool {
        if state.withLock({ $0.shares.count }) >= most { sweep(at: now) }
        return state.withLock { $0.shares.count } < most
    }

    /// Blocks.
    /// - Returns: false if there are too many.
    func add(_ share: Share, at now: Double) throws -> Bool {
        guard hasRoom(at: now) else { return false }
        let isFull = state.withLock { state in
            if state.shares.count >= most { return true }
            state.shares[share.id] = share
            return false
        }
        guard !isFull else { return false }
        try persist(share, syncing: syncs)
        return true
    }

    /// `nil` if it does not exist or has expired. Blocks.
    func find(_ id: String, at now: Double) -> Share? {
        guard let share = state.withLock({ $0.shares[id] }) else { return nil }
        guard share.hasExpired(at: now) else { return share }
        remove(id)
        return nil
    }

    /// Blocks.
    func remove(_ id: String) {
        state.withLock { state in
            (state.shares[id], state.verified[id], state.failures[id]) = (nil, nil, nil)
        }
        try? folder.remove(id + ".json")
    }

    /// Reserves what a request sends. Blocks. ``ended(_:sent:of:download:)`` follows.
    /// - Returns: the number of the download; `nil` if the link is used up.
    func reserve(_ range: Range<Int64>, of id: String, at now: Double) throws -> Int64? {
        let (number, share) = state.withLock { state -> (Int64?, Share?) in
            guard var share = state.shares[id] else { return (nil, nil) }
            // An unlimited one counts nothing.
            guard share.downloads != nil else { return (0, nil) }
            guard let number = share.take(range, at: now) else { return (nil, nil) }
            state.shares[id] = share
            state.running[id, default: 0] += 1
            return (number, share)
        }
        guard let number, let share else { return number }
        do { try persist(share, syncing: false) } catch {
            ended(range, sent: 0, of: id, download: number)
            throw error
        }
        return number
    }

    /// A response has ended after `sent` bytes: the others are returned. Blocks.
    func ended(_ range: Range<Int64>, sent: Int64, of id: String, download: Int64) {
        let share = state.withLock { state -> Share? in
            guard var share = state.shares[id], share.downloads != nil else { return nil }
            state.running[id] = state.running[id].flatMap { $0 > 1 ? $0 - 1 : nil }
            guard sent < Int64(range.count) else { return nil }
            share.giveBack(range, sent: sent, of: download)
            state.shares[id] = share
            return share
        }
        if let share { try? persist(share, syncing: false) }
    }

    enum Verdict: Equatable { case right, wrong, tooMany }

    /// As far as no password has to be derived: `nil` if one has to.
    func verdict(on password: String?, of share: Share, at now: Double) -> Verdict? {
        guard share.password != nil else { return .right }
        let digest = password.map { Secret.digest($0) }
        let hour = Int(now / 3600)
        let (isKnown, isBlocked) = state.withLock { state in
            if state.hour != hour { (state.hour, state.failures) = (hour, [:]) }
            let known = state.verified[share.id]
            let isKnown = known.flatMap { known in digest.map { Secret.areEqual(known, $0) } } ?? false
            return (isKnown, state.failures[share.id, default: 0] >= Self.mostFailures)
        }
        if isKnown { return .right }
        if isBlocked { return .tooMany }
        return password == nil ? .wrong : nil
    }

    /// Derives the password, if it must. Blocks.
    func check(_ password: String?, of share: Share, at now: Double) -> Verdict {
        // Again: others may have been wrong meanwhile.
        if let known = verdict(on: password, of: share, at: now) { return known }
        guard let stored = share.password, let password else { return .right }
        let isRight = stored.matches(password)
        state.withLock { state in
            if isRight {
                state.verified[share.id] = Secret.digest(password)
            } else {
                state.failures[share.id, default: 0] += 1
            }
        }
        return isRight ? .right : .wrong
    }

    private func persist(_ share: Share, syncing: Bool) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try folder.replaceFile(share.id + ".json", with: Array(encoder.encode(share)), syncing: syncing)
    }
}

/// What one response sends of a link's file.
final class ShareCharge: Sendable {
    private let total = Mutex<Int64>(0)
    private let ended: @Sendable (Int64) -> Void

    /// - Parameter ended: gets the number of bytes sent. Blocks.
    init(ended: @escaping @Sendable (Int64) -> Void) { self.ended = ended }

    func sent(_ count: Int) { total.withLock { $0 += Int64(count) } }

    /// The response has ended; call it once. Blocks.
    func end() { ended(total.withLock { $0 }) }
}
