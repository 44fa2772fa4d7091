// SPDX-License-Identifier: MIT

import Testing
import TransferTesting

@testable import TransferService

@Suite struct ChunkedTableTests {
    /// Over the limits of chunks, up and down, against a dictionary.
    @Test func behavesLikeADictionary() {
        var random = SeededRandom(7)
        var table = ChunkedTable<Int, String>()
        var expected: [Int: String] = [:]
        for round in 0..<40_000 {
            let key = Int(random.next() % 3000)
            // Grows first, then shrinks.
            if random.next() % 10 < (round < 20_000 ? 8 : 2) {
                table.set(key, "\(round)")
                expected[key] = "\(round)"
            } else {
                #expect(table.remove(key) == expected.removeValue(forKey: key))
            }
        }
        #expect(table.count == expected.count)
        #expect(Set(table.allKeys) == Set(expected.keys))
        for key in 0..<3000 { #expect(table[key] == expected[key]) }
        for key in table.allKeys { table.remove(key) }
        #expect(table.isEmpty)
        #expect(table[1] == nil)
    }

    @Test func changesInPlace() {
        var table = ChunkedTable<String, [Int]>()
        let index = table.set("a", [1])
        table[at: index].append(2)
        #expect(table.update("a") { $0.count } == 2)
        #expect(table.update("b") { $0.count } == nil)
        #expect(table.index(forKey: "a") == index)
        #expect(table["a"] == [1, 2])
    }
}
