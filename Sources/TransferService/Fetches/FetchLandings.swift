// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// Small downloads of a durable queue that are complete but for their names, in two lanes: those on a disk wait for
/// each other, so that a sync serves many; those in memory wait for the previous ones alone. Pure.
struct FetchLandings {
    struct Landing: Sendable {
        let id: TransferID
        let name: String
        let path: String
        let file: NamelessFile
        let length: Int64
        let metrics: TransferMetrics
        /// Seconds since 1970.
        let endedAt: Double
        let runsProgram: Bool
    }

    enum Lane: Sendable { case memory, disk }

    /// Seconds between the starts of two rounds on a disk; each syncs twice.
    static let interval = 1.0

    private var landings: [TransferID: Landing] = [:]
    private(set) var onDisk = 0
    let maximum: Int
    private var memory: SyncRounds
    private var disk: SyncRounds
    /// Numbers of groups that are outdated.
    private var outdated: [Int64] = []

    /// - Parameter maximum: how many may wait: each holds a descriptor.
    init(maximum: Int) {
        self.maximum = maximum
        memory = SyncRounds(maximumWaiting: maximum, interval: 0)
        disk = SyncRounds(maximumWaiting: maximum, interval: Self.interval, gathers: true)
    }

    var isEmpty: Bool { landings.isEmpty }
    /// Whether no more may come.
    var isFull: Bool { landings.count >= maximum }

    mutating func add(_ added: [Landing], _ lane: Lane, isBusy: Bool, at now: Double) -> SyncRounds.Step? {
        for landing in added { landings[landing.id] = landing }
        let ids = added.map(\.id)
        switch lane {
        case .memory: return memory.add(ids, isBusy: isBusy, at: now)
        case .disk: return disk.add(ids, isBusy: isBusy, at: now)
        }
    }

    mutating func change(_ lane: Lane, _ body: (inout SyncRounds) -> SyncRounds.Step?) -> SyncRounds.Step? {
        switch lane {
        case .memory: body(&memory)
        case .disk: body(&disk)
        }
    }

    func batch(_ ids: [TransferID]) -> [Landing] { ids.compactMap { landings[$0] } }

    mutating func remove(_ batch: [Landing]) { for landing in batch { landings[landing.id] = nil } }

    mutating func note(outdated number: Int64) { outdated.append(number) }

    /// Those to drop with the next group.
    mutating func takeOutdated() -> [Int64] {
        defer { outdated = [] }
        return outdated
    }
}
