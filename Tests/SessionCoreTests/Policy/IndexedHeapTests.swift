// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing

@Suite struct IndexedHeapTests {
    @Test(arguments: 0..<20) func theLeastIsFirst(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var heap = IndexedHeap<Int, Int>()
        var model: [Int: Int] = [:]
        for _ in 0..<2000 {
            let key = Int.random(in: 0..<60, using: &random)
            if Bool.random(using: &random) {
                let rank = Int.random(in: 0..<30, using: &random)
                heap.set(key, rank)
                model[key] = rank
            } else {
                heap.remove(key)
                model[key] = nil
            }
            #expect(heap.first?.rank == model.values.min())
            #expect(heap.first.map { model[$0.key] == $0.rank } ?? model.isEmpty)
            #expect(heap.isEmpty == model.isEmpty)
        }
        var ranks: [Int] = []
        while let first = heap.first {
            ranks.append(first.rank)
            heap.remove(first.key)
        }
        #expect(ranks == model.values.sorted())
    }
}

/// The same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
