// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TransferControl

@Suite struct PartialListsTests {
    private func transfers(_ numbers: Range<Int>) throws -> [Spec] {
        try numbers.map {
            Spec(
                url: try TransferURL("http://h/\($0)"),
                operation: .download(Download(destination: .file(path: "/\($0)"))))
        }
    }

    @Test func joinsConsecutiveParts() throws {
        var lists = PartialLists()
        #expect(try lists.keep(try transfers(0..<2), of: 1, offset: 0, bytes: 10) == 2)
        #expect(try lists.keep(try transfers(5..<6), of: 2, offset: 0, bytes: 10) == 1)
        #expect(try lists.keep(try transfers(2..<5), of: 1, offset: 2, bytes: 10) == 5)
        #expect(lists.bytes == 30)
        #expect(try lists.complete(1, offset: 5, with: try transfers(5..<6)) == transfers(0..<6))
        #expect((lists.count, lists.bytes) == (1, 10))
        #expect(try lists.complete(3, offset: 0, with: try transfers(0..<1)) == transfers(0..<1))
    }

    @Test(arguments: [1, 3, -1]) func gapsDiscardTheList(offset: Int) throws {
        for isLast in [false, true] {
            var lists = PartialLists()
            _ = try lists.keep(try transfers(0..<2), of: 1, offset: 0, bytes: 10)
            let error = #expect(throws: TransferError.self) {
                _ =
                    isLast
                    ? try lists.complete(1, offset: offset, with: []).count
                    : try lists.keep(try transfers(0..<1), of: 1, offset: offset, bytes: 1)
            }
            #expect(error?.code == .usage)
            #expect((lists.count, lists.bytes) == (0, 0))
            #expect(throws: TransferError.self) { try lists.complete(1, offset: 2, with: []) }
        }
    }

    @Test func firstPartsRestartAndEmptyPartsDiscard() throws {
        var lists = PartialLists()
        _ = try lists.keep(try transfers(0..<2), of: 1, offset: 0, bytes: 10)
        #expect(try lists.keep(try transfers(0..<1), of: 1, offset: 0, bytes: 4) == 1)
        #expect(lists.bytes == 4)
        #expect(try lists.keep([], of: 1, offset: 0, bytes: 4) == 0)
        #expect((lists.count, lists.bytes) == (0, 0))
    }

    @Test func limitsStoredBytes() throws {
        var lists = PartialLists(maximumBytes: 100)
        _ = try lists.keep(try transfers(0..<1), of: 1, offset: 0, bytes: 60)
        #expect(throws: TransferError.self) { try lists.keep(try transfers(0..<1), of: 2, offset: 0, bytes: 60) }
        #expect(throws: TransferError.self) { try lists.keep(try transfers(1..<2), of: 1, offset: 1, bytes: 41) }
        #expect((lists.count, lists.bytes) == (0, 0))
        #expect(try lists.keep(try transfers(0..<1), of: 2, offset: 0, bytes: 100) == 1)
    }
}
