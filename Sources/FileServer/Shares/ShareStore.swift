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
    }

    /// More links are refused with 503.
    static let most = 10_000
    /// More wrong passwords in an hour are refused with 429.
    static let mostFailures = 50

    private let folder: FolderDescriptor
    private let syncs: Bool
    private let state: Mutex<State>

    /// Reads the links on disk. Blocks.
    init(folder: FolderDescriptor, syncs: Bool) throws {
        (self.folder, self.syncs) = (folder, syncs)
        var loaded = State()
        for name in try folder.names() {
            guard name.hasSuffix(".json") else {
                try folder.remove(name)
                continue
            }
            let file = try OpenFile(folder.openRegular(name))
            let content = try file.read(0..<file.status.size)
            guard let share = try? JSONDecoder().decode(Share.self, from: Data(content.readableBytesView)),
                share.version == Share.currentVersion, name == share.id + ".json"
            else { continue }
            loaded.shares[share.id] = share
        }
        state = Mutex(loaded)
    }

    /// Blocks.
    /// - Returns: false if there are too many.
    func add(_ share: Share) throws -> Bool {
        let isFull = state.withLock { state in
            if state.shares.count >= Self.most { return true }
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

    /// Reserves what a request sends. Blocks.
    /// - Returns: the number of the download, for ``giveBack(_:sent:of:download:)``; `nil` if the link is used up.
    func reserve(_ range: Range<Int64>, of id: String, at now: Double) throws -> Int64? {
        let (number, share) = state.withLock { state -> (Int64?, Share?) in
            guard var share = state.shares[id] else { return (nil, nil) }
            // An unlimited one counts nothing.
            guard share.downloads != nil else { return (0, nil) }
            let number = share.take(range, at: now)
            state.shares[id] = share
            return (number, number == nil ? nil : share)
        }
        if let share { try persist(share, syncing: false) }
        return number
    }

    /// Returns what was reserved, of a response that broke off after `sent` bytes. Blocks.
    func giveBack(_ range: Range<Int64>, sent: Int64, of id: String, download: Int64) {
        let share = state.withLock { state -> Share? in
            guard var share = state.shares[id], share.downloads != nil else { return nil }
            share.giveBack(range, sent: sent, of: download)
            state.shares[id] = share
            return share
        }
        if let share { try? persist(share, syncing: false) }
    }

    enum Verdict: Equatable { case right, wrong, tooMany }

    /// Blocks.
    func check(_ password: String?, of share: Share, at now: Double) -> Verdict {
        guard let stored = share.password else { return .right }
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
        guard let password else { return .wrong }
        let isRight = stored.matches(password)
        state.withLock { state in
            if isRight { state.verified[share.id] = digest } else { state.failures[share.id, default: 0] += 1 }
        }
        return isRight ? .right : .wrong
    }

    private func persist(_ share: Share, syncing: Bool) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try folder.replaceFile(share.id + ".json", with: Array(encoder.encode(share)), syncing: syncing)
    }
}

/// What one response sends of a link's file: the rest is returned when it ends.
final class ShareCharge: Sendable {
    private let bytes: Int64
    private let total = Mutex<Int64>(0)
    private let giveBack: @Sendable (Int64) -> Void

    /// - Parameter giveBack: gets the bytes sent if they are less than `bytes`. Blocks.
    init(_ bytes: Int64, giveBack: @escaping @Sendable (Int64) -> Void) {
        (self.bytes, self.giveBack) = (bytes, giveBack)
    }

    func sent(_ count: Int) { total.withLock { $0 += Int64(count) } }

    /// The response has ended; call it once. Blocks.
    func end() {
        let sent = total.withLock { $0 }
        if sent < bytes { giveBack(sent) }
    }
}
