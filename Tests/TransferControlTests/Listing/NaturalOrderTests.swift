// SPDX-License-Identifier: MIT

import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct NaturalOrderTests {
    /// Each before the next, and not behind it.
    @Test(arguments: [
        ["", "0", "1", "2", "9", "10", "11", "100", "a"], ["a", "a1", "A2", "a10", "a10b", "a11", "ab", "b"],
        ["v1.9", "v1.10", "v1.10.1", "v2"], ["1", "99999999999999999999", "100000000000000000000"],
        ["part 2 of 10", "part 10 of 2", "京都1", "京都12"], ["a/", "a0", "a1", "a:"],
        [126, 127, 128, 254, 255].map { String(repeating: "9", count: $0) },
    ])
    func numbersCountAsSuch(_ names: [String]) {
        for (place, left) in names.enumerated() {
            for right in names[(place + 1)...] {
                #expect(NaturalOrder.key(left) < NaturalOrder.key(right), "\(left) \(right)")
            }
        }
    }

    @Test(arguments: [("0", "00"), ("a01b10", "A1b010"), ("É", "é"), ("x", "X")])
    func caseAndZerosDoNotMatter(_ one: String, _ other: String) {
        #expect(NaturalOrder.key(one) == NaturalOrder.key(other))
    }

    private static func transfers(_ names: [String]) -> [Transfer] {
        names.enumerated().map { number, name in
            Transfer(
                id: TransferID(rawValue: number + 1), kind: .download, url: "https://a.example/\(number)",
                file: "/tmp/\(name)", state: .queued)
        }
    }

    /// As the screen and the windows of the service show them; what has the same key stays in the order of the queue.
    @Test(arguments: [(false, [5, 4, 2, 1, 6, 3]), (true, [3, 1, 6, 2, 4, 5])])
    func listsAreSortedByIt(_ isReversed: Bool, _ expected: [Int]) {
        let transfers = Self.transfers(["file10", "FILE2", "file100", "file1", "a", "file010"])
        let order = ListOrder(key: .name, isReversed: isReversed)
        #expect(order.sorted(transfers).map(\.rawValue) == expected)
        var listing = QueueListing()
        listing.replaceAll(transfers)
        var spec = ListingSpec()
        spec.order = order
        listing.show(spec) { id in transfers.first { $0.id == id } }
        #expect(listing.members.map(\.rawValue) == expected)
    }
}
