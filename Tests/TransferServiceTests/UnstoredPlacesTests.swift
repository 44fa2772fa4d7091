// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TransferModel

@testable import TransferService

/// A store that is full and has space again.
@Suite struct UnstoredPlacesTests {
    private final class Disk: Sendable {
        struct Content {
            var isFull = false
            var places: [[TransferID: Int64]] = []
        }

        let content = Mutex(Content())

        func write(_ unstored: UnstoredPlaces) throws(TransferError) {
            try unstored.write { (places) throws(TransferError) in
                let isFull = content.withLock { content in
                    if !content.isFull { content.places.append(places) }
                    return content.isFull
                }
                if isFull { throw TransferError(.diskFull, "full") }
            }
        }
    }

    private static func id(_ number: Int) -> TransferID { TransferID(rawValue: number) }

    @Test func writesOnce() throws {
        let (disk, unstored) = (Disk(), UnstoredPlaces())
        unstored.add([Self.id(1): 10])
        try disk.write(unstored)
        try disk.write(unstored)
        #expect(disk.content.withLock { $0.places } == [[Self.id(1): 10]])
    }

    @Test func writesTheLatestAfterAFailure() throws {
        let (disk, unstored) = (Disk(), UnstoredPlaces())
        disk.content.withLock { $0.isFull = true }
        unstored.add([Self.id(1): 10, Self.id(2): 20])
        #expect(throws: TransferError.self) { try disk.write(unstored) }
        unstored.add([Self.id(1): 30])
        #expect(throws: TransferError.self) { try disk.write(unstored) }
        disk.content.withLock { $0.isFull = false }
        try disk.write(unstored)
        #expect(disk.content.withLock { $0.places } == [[Self.id(1): 30, Self.id(2): 20]])
    }
}
