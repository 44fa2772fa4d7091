// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

struct ByteRangeSetTests {
    @Test(
        arguments: [
            ([], []), ([0..<0], []), ([0..<5, 5..<9], [0..<9]), ([5..<9, 0..<5], [0..<9]),
            ([0..<5, 6..<9], [0..<5, 6..<9]),
            ([6..<9, 0..<5, 4..<7], [0..<9]), ([0..<10, 2..<3], [0..<10]), ([2..<3, 0..<10], [0..<10]),
            ([0..<1, 2..<3, 4..<5, 1..<4], [0..<5]),
        ] as [([Range<Int64>], [Range<Int64>])])
    func joins(inserted: [Range<Int64>], expected: [Range<Int64>]) {
        #expect(ByteRangeSet(inserted).ranges == expected)
        #expect(ByteRangeSet(inserted).count == expected.reduce(0) { $0 + Int64($1.count) })
    }

    @Test(
        arguments: [
            ([], 0, []), ([], 5, [0..<5]), ([0..<5], 5, []), ([1..<2, 3..<4], 6, [0..<1, 2..<3, 4..<6]),
            ([4..<9], 6, [0..<4]),
            ([7..<9], 6, [0..<6]),
        ] as [([Range<Int64>], Int64, [Range<Int64>])])
    func gaps(ranges: [Range<Int64>], total: Int64, expected: [Range<Int64>]) {
        #expect(ByteRangeSet(ranges).gaps(in: total) == expected)
    }

    @Test func prefix() {
        #expect(ByteRangeSet(0..<7).prefixLength == 7)
        #expect(ByteRangeSet(1..<7).prefixLength == 0)
        #expect(ByteRangeSet().isEmpty)
    }

    /// What is read from disk keeps the promises of the type, whatever stands there.
    @Test func decodingSortsAndJoins() throws {
        let decoded = try JSONDecoder().decode(ByteRangeSet.self, from: Data(#"{"ranges":[[5,9],[0,5],[7,8]]}"#.utf8))
        #expect(decoded == ByteRangeSet(0..<9))
        let set = ByteRangeSet([0..<5, 7..<9])
        #expect(try JSONDecoder().decode(ByteRangeSet.self, from: JSONEncoder().encode(set)) == set)
        for damaged in [#"{"ranges":[[-3,4]]}"#, #"{"ranges":[[5,4]]}"#, #"{"ranges":7}"#] {
            #expect(throws: (any Error).self) { try JSONDecoder().decode(ByteRangeSet.self, from: Data(damaged.utf8)) }
        }
    }
}

struct ResumeDataTests {
    let data = ResumeData(
        url: "http://h/x", validator: .init(entityTag: "\"a\""), ranges: ByteRangeSet(0..<9), total: 20,
        partialPath: "/t/x.fileq-part", bootID: "b")

    @Test func survivesEncoding() throws { #expect(try ResumeData(decoding: data.encoded()) == data) }

    @Test func aNewerVersionIsNamed() {
        let error = #expect(throws: TransferError.self) {
            try ResumeData(decoding: Data(#"{"version":2,"shape":"other"}"#.utf8))
        }
        #expect(error?.code == .rangeRefused)
        #expect(error?.message.contains("version 2") == true)
    }

    @Test(arguments: ["", "{", "[]", #"{"version":1}"#])
    func reportsDamagedData(text: String) {
        let error = #expect(throws: TransferError.self) { try ResumeData(decoding: Data(text.utf8)) }
        #expect(error?.code == .rangeRefused)
    }
}
