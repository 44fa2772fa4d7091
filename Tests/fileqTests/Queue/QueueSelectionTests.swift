// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import fileq

@Suite struct QueueSelectionTests {
    @Test(
        arguments: [
            (["7"], [7], []), (["3,5", "5", "1"], [3, 5, 1], []), (["3-7", "9"], [9], [3...7]),
            (["1,4-4,2"], [1, 2], [4...4]),
            (["state:failed", "2"], [2], []),
        ] as [([String], [Int], [ClosedRange<Int>])])
    func wordsAreRead(_ words: [String], _ ids: [Int], _ ranges: [ClosedRange<Int>]) throws {
        let selection = try QueueSelection(words, now: 0)
        #expect(selection.ids.map(\.rawValue) == ids)
        #expect(selection.ranges == ranges)
        #expect(selection.terms.count == words.count { $0.contains(":") })
    }

    @Test(arguments: ["7-3", "0", "3-", "1,,2", "1;2", "99999999999999999999", "big.iso", "-3", "size", "state:x"])
    func rejectsOthers(_ word: String) {
        let error = #expect(throws: TransferError.self) { try QueueSelection([word], now: 0) }
        #expect(error?.code == .usage)
    }

    @Test func idsAndRangesAreOneCondition() throws {
        #expect(
            try QueueSelection(["2", "4"], now: 0).filter == QueueFilter(ids: [2, 4].map(TransferID.init(rawValue:))))
        #expect(try QueueSelection(["2", "4-5"], now: 0).filter == QueueFilter(terms: [.init(.ids([4...5, 2...2]))]))
        #expect(try QueueSelection([], now: 0).filter == QueueFilter())
    }
}
