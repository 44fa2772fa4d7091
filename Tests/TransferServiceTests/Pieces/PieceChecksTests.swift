// SPDX-License-Identifier: MIT

import Testing
import TransferModel
@testable import TransferService

@Suite struct PieceChecksTests {
    /// Parts of 10 bytes of a file of 35.
    private func checks() throws -> PieceChecks {
        let digests = try PieceDigests(algorithm: .md5, length: 10, bytes: Array(repeating: 0, count: 64))
        return try #require(PieceChecks(digests, total: 35))
    }

    @Test func partsAreTakenOnceTheyAreComplete() throws {
        var checks = try checks()
        #expect(checks.take(ByteRangeSet(0..<9)) == [])
        #expect(checks.take(ByteRangeSet([1..<10, 12..<30])) == [2])
        #expect(checks.take(ByteRangeSet(0..<30)) == [0, 1])
        #expect(checks.take(ByteRangeSet(0..<30)) == [])
        #expect(checks.take(ByteRangeSet(0..<35)) == [3])
        for index in 0..<4 { #expect(checks.compared(index, isEqual: true) == nil) }
        #expect(checks.isDone)
        #expect(checks.take(ByteRangeSet(0..<35)) == [])
    }

    @Test func aWrongPartNamesItsAddress() throws {
        var checks = try checks()
        checks.received(0..<4, from: 0)
        checks.received(20..<25, from: 1)
        checks.received(4..<15, from: 0)
        checks.received(25..<35, from: 1)
        checks.received(15..<20, from: 1)
        _ = checks.take(ByteRangeSet(0..<35))
        #expect(checks.compared(0, isEqual: false) == .init(range: 0..<10, source: 0, failures: 1))
        #expect(checks.compared(1, isEqual: false) == .init(range: 10..<20, source: nil, failures: 1))
        #expect(checks.compared(3, isEqual: false) == .init(range: 30..<35, source: 1, failures: 1))
        #expect(!checks.isDone)
        // Requested again, from another address.
        checks.received(0..<10, from: 2)
        #expect(checks.take(ByteRangeSet([0..<10, 20..<30])) == [0])
        #expect(checks.compared(0, isEqual: false) == .init(range: 0..<10, source: 2, failures: 2))
    }

    /// Bytes that an earlier process received.
    @Test func bytesWithoutAnAddressBlameNone() throws {
        var checks = try checks()
        checks.received(5..<10, from: 0)
        _ = checks.take(ByteRangeSet(0..<10))
        #expect(checks.compared(0, isEqual: false)?.source == nil)
    }

    @Test(arguments: [(35, true), (40, true), (31, true), (30, false), (41, false), (0, false)])
    func digestsFitOneSize(_ total: Int64, _ fits: Bool) throws {
        let digests = try PieceDigests(algorithm: .md5, length: 10, bytes: Array(repeating: 0, count: 64))
        #expect((PieceChecks(digests, total: total) != nil) == fits)
    }

    @Test func removedRangesAreMissingAgain() {
        var set = ByteRangeSet([0..<10, 20..<30])
        set.remove(5..<25)
        #expect(set.ranges == [0..<5, 25..<30])
        set.remove(1..<3)
        #expect(set.ranges == [0..<1, 3..<5, 25..<30])
        set.remove(0..<100)
        #expect(set.isEmpty)
        set.remove(3..<3)
        #expect(set.isEmpty)
    }
}
