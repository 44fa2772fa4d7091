// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct ByteRangeRequestTests {
    @Test(
        arguments: [
            ("bytes=0-", 10, 0..<10), ("bytes=4-", 10, 4..<10), ("bytes=10-", 10, nil), ("bytes=0-0", 10, 0..<1),
            ("bytes=2-5", 10, 2..<6), ("bytes=2-99", 10, 2..<10), ("bytes=10-12", 10, nil), ("bytes=-3", 10, 7..<10),
            ("bytes=-30", 10, 0..<10), ("bytes=-0", 10, nil), ("bytes=-3", 0, nil), ("bytes=0-", 0, nil),
            ("BYTES=1-2", 10, 1..<3), ("bytes= 1-2 ", 10, 1..<3),
        ] as [(String, Int64, Range<Int64>?)])
    func resolves(text: String, size: Int64, expected: Range<Int64>?) throws {
        let request = try #require(ByteRangeRequest(parsing: text))
        #expect(request.resolved(size: size) == expected)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=5-2", "bytes=0-1,3-4", "bytes=a-", "bytes=+1-2", "bytes=1-2-3",
        "items=0-1", "bytes 0-1", "bytes=99999999999999999999-", "bytes=0-9223372036854775807", "bytes=1-b",
    ])
    func ignoredInput(text: String) { #expect(ByteRangeRequest(parsing: text) == nil) }

    @Test(arguments: [(ByteRangeRequest.from(7), "bytes=7-"), (.bounded(3...9), "bytes=3-9"), (.suffix(5), "bytes=-5")])
    func printsWhatItReads(request: ByteRangeRequest, text: String) {
        #expect(request.description == text)
        #expect(ByteRangeRequest(parsing: text) == request)
    }
}

struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-0/1", .satisfied(0..<1, total: 1)), ("bytes 5-9/*", .satisfied(5..<10, total: nil)),
            ("bytes */12", .unsatisfied(total: 12)),
        ] as [(String, ContentRange)])
    func readsAndPrints(text: String, range: ContentRange) {
        #expect(ContentRange(parsing: text) == range)
        #expect(range.description == text)
    }

    @Test(arguments: [
        "", "bytes", "bytes 5-4/10", "bytes 0-10/10", "bytes */*", "items 0-1/2", "bytes 0-1", "bytes -1/2",
        "bytes 0-/2", "bytes +0-1/2", "bytes 0-9223372036854775807/*",
    ])
    func refuses(text: String) { #expect(ContentRange(parsing: text) == nil) }
}
