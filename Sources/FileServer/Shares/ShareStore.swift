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
        /// Responses under way, by link.
        var running: [String: [ShareCharge]] = [:]
    }

    /// More links are refused with 503.
    static let most = 10_000
    private let folder: FolderDescriptor
    private let syncs: Bool
    private let most: Int
    private let state: Mutex<State>
    /// Held while a file is written or removed: the last one written is the link as it is.
    private let writing = Mutex(())

    /// Reads the links on disk, and removes those that have expired or are used up. Blocks.
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
        do { try persist(share.id, syncing: syncs) } catch {
            remove(share.id)
            throw error
        }
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
            (state.shares[id], state.verified[id], state.running[id]) = (nil, nil, nil)
        }
        writing.withLock { _ in
            if state.withLock({ $0.shares[id] }) == nil { try? folder.remove(id + ".json") }
        }
    }

    enum Reservation: Sendable {
        /// ``ShareCharge/end()`` follows.
        case granted(ShareCharge)
        /// A response under way may return it.
        case later
        case usedUp
    }

    /// Reserves what a request sends. Blocks.
    func reserve(_ range: Range<Int64>, of id: String, at now: Double) throws -> Reservation {
        let reservation = state.withLock { state -> Reservation in
            guard var share = state.shares[id] else { return .usedUp }
            // An unlimited one counts nothing.
            guard share.downloads != nil else { return .granted(ShareCharge(range, of: 0) { _ in }) }
            let running = state.running[id] ?? []
            guard let number = Self.take(range, of: &share, running, at: now) else {
                // The first byte is never returned once it was sent.
                return range.lowerBound > 0 && running.contains { !$0.rest.isEmpty } ? .later : .usedUp
            }
            let charge = ShareCharge(range, of: number) { self.ended($0, of: id) }
            state.shares[id] = share
            state.running[id] = running + [charge]
            return .granted(charge)
        }
        guard case .granted(let charge) = reservation, charge.download > 0 else { return reservation }
        do { try persist(id, syncing: false) } catch {
            charge.end()
            throw error
        }
        return reservation
    }

    /// - Returns: the number of the download to which `range` belongs: one that has not sent it, one of which another
    ///   connection is to send it, or a new one. `nil`: none.
    private static func take(
        _ range: Range<Int64>, of share: inout Share, _ running: [ShareCharge], at now: Double
    ) -> Int64? {
        if range.lowerBound > 0, !share.open.contains(where: { $0.has(range) }) {
            for charge in running where charge.rest.lowerBound <= range.lowerBound {
                guard range.upperBound <= charge.rest.upperBound,
                    share.resend(range, of: charge.download, at: now)
                else { continue }
                return charge.download
            }
        }
        return share.take(range, at: now)
    }

    /// Returns the bytes that a response has not sent to its link. Blocks.
    private func ended(_ charge: ShareCharge, of id: String) {
        let rest = charge.rest
        let hasChanged = state.withLock { state -> Bool in
            guard var share = state.shares[id], let running = state.running[id] else { return false }
            let others = running.filter { $0 !== charge }
            state.running[id] = others.isEmpty ? nil : others
            guard !rest.isEmpty else { return false }
            share.giveBack(charge.range, sent: rest.lowerBound - charge.range.lowerBound, of: charge.download)
            state.shares[id] = share
            return true
        }
        if hasChanged { try? persist(id, syncing: false) }
    }

    /// Whether the password is right, as far as none has to be derived: `nil` if one has to.
    func verdict(on password: String?, of share: Share) -> Bool? {
        guard share.password != nil else { return true }
        guard let password else { return false }
        let known = state.withLock { $0.verified[share.id] }
        return known.map { Secret.areEqual($0, Secret.digest(password)) } == true ? true : nil
    }

    /// Derives the password, unless another request has done so meanwhile. Blocks.
    func check(_ password: String, of share: Share) -> Bool {
        let isRight = verdict(on: password, of: share) ?? share.password?.matches(password) ?? false
        guard isRight else { return false }
        state.withLock { $0.verified[share.id] = Secret.digest(password) }
        return true
    }

    /// Writes the link as it is now, unless it was removed.
    private func persist(_ id: String, syncing: Bool) throws {
        try writing.withLock { _ in
            guard let share = state.withLock({ $0.shares[id] }) else { return }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            try folder.replaceFile(id + ".json", with: Array(encoder.encode(share)), syncing: syncing)
        }
    }
}

/// The bytes of a link's file that one response sends.
final class ShareCharge: Sendable {
    let range: Range<Int64>
    /// The number of the download; 0 if the link is unlimited.
    let download: Int64
    private let total = Mutex<Int64>(0)
    private let ended: @Sendable (ShareCharge) -> Void

    /// - Parameter ended: called by ``end()``. Blocks.
    init(_ range: Range<Int64>, of download: Int64, ended: @escaping @Sendable (ShareCharge) -> Void) {
        (self.range, self.download, self.ended) = (range, download, ended)
    }

    /// The range that was not sent.
    var rest: Range<Int64> {
        range.lowerBound + min(total.withLock { $0 }, Int64(range.count))..<range.upperBound
    }

    func sent(_ count: Int) { total.withLock { $0 += Int64(count) } }

    /// The response has ended; call it once. Blocks.
    func end() { ended(self) }
}
