// SPDX-License-Identifier: MIT

import TransferService

/// A state in 128 bits.
struct ExplorationKey: Hashable {
    private(set) var low: UInt64 = 0
    private(set) var high: UInt64 = 0
    private var count: UInt64 = 0

    @inline(__always) mutating func add(_ value: some FixedWidthInteger, _ bits: UInt64) {
        let value = UInt64(value)
        if count < 64 {
            low |= value << count
            if count + bits > 64 { high |= value >> (64 - count) }
        } else {
            high |= value << (count - 64)
        }
        count += bits
        assert(count <= 128)
    }

    @inline(__always) mutating func add(_ bit: Bool) { add(bit ? 1 : 0, 1) }

    mutating func add(_ wish: Life.Wish) {
        add(wish.pause.map { $0.rawValue + 1 } ?? 0, 2)
        add(wish.cancel.map { $0.rawValue + 1 } ?? 0, 2)
    }

    mutating func add(_ record: Life.Record) {
        add(record.end.map { $0.rawValue + 1 } ?? 0, 2)
        add(record.wish)
        add(record.obstacle.rawValue, 3)
        add(record.hasIntention)
    }

    /// But serials, times and the number of the attempt.
    mutating func add(_ life: Life) {
        add(life.phaseCode, 5)
        add(life.wish)
        add(life.obstacle.rawValue, 3)
        add(life.holdsSlot)
        add(life.facts.rawValue, 16)
        add(life.due < .infinity)
    }

    var hash: Int {
        var mixed = (low ^ high &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        mixed ^= mixed >> 29
        mixed = (mixed ^ high) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: mixed ^ mixed >> 32)
    }
}

/// A set of keys that allocates nothing for each.
struct KeyTable {
    private var slots: [(low: UInt64, high: UInt64)] = Array(repeating: (0, 0), count: 1 << 10)
    private var count = 0

    func contains(_ key: ExplorationKey) -> Bool { slots[place(key.low, key.high, key.hash)] == (key.low, key.high) }

    /// - Returns: whether it is new.
    @discardableResult
    mutating func insert(_ key: ExplorationKey) -> Bool {
        let place = place(key.low, key.high, key.hash)
        guard slots[place] != (key.low, key.high) else { return false }
        slots[place] = (key.low, key.high)
        count += 1
        if count * 2 > slots.count { grow() }
        return true
    }

    /// No state has a key of zeros: its budget is not empty, or a fact.
    private func place(_ low: UInt64, _ high: UInt64, _ hash: Int) -> Int {
        var place = hash & (slots.count - 1)
        while slots[place] != (low, high), slots[place] != (0, 0) { place = (place + 1) & (slots.count - 1) }
        return place
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: (0, 0), count: old.count * 2)
        for slot in old where slot != (0, 0) {
            slots[place(slot.low, slot.high, ExplorationKey(low: slot.low, high: slot.high).hash)] = slot
        }
    }
}

extension ExplorationKey {
    fileprivate init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }
}

extension Life {
    fileprivate var phaseCode: UInt8 {
        switch phase {
        case .idle: 0
        case .opening: 1
        case .stocked(let isStarted): isStarted ? 3 : 2
        case .moving: 4
        case .parked: 5
        case .stopping: 6
        case .checking: 7
        case .securing: 8
        case .naming: 9
        case .committing: 10
        case .removing: 11
        case .left: 12
        case .ended(let end): 13 + end.rawValue
        case .copying(let end): 16 + (end.map { $0.rawValue + 1 } ?? 0)
        }
    }

    /// As docs/dev/Life.md has it.
    var phaseName: String {
        switch phase {
        case .stocked(let isStarted): isStarted ? "started" : "stocked"
        case .ended(let end): "\(end)"
        case .copying: "copying"
        default: "\(phase)"
        }
    }
}
