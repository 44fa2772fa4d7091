// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TransferModel
import TransferStore

@testable import TransferService

/// A store that is full and has space again.
@Suite struct UnstoredTermsTests {
    private final class Disk: Sendable {
        struct Content {
            var isFull = false
            var settings: [StoreSettings] = []
            var places: [[TransferID: Int64]] = []
        }

        let content = Mutex(Content())

        func write(_ terms: UnstoredTerms) throws(TransferError) {
            try terms.write { (settings) throws(TransferError) in
                try put { $0.settings.append(settings) }
            } places: { (places) throws(TransferError) in
                try put { $0.places.append(places) }
            }
        }

        private func put(_ change: (inout Content) -> Void) throws(TransferError) {
            let isFull = content.withLock { content in
                if !content.isFull { change(&content) }
                return content.isFull
            }
            if isFull { throw TransferError(.diskFull, "full") }
        }
    }

    private static func id(_ number: Int) -> TransferID { TransferID(rawValue: number) }

    @Test func writesOnce() throws {
        let (disk, terms) = (Disk(), UnstoredTerms())
        terms.add(StoreSettings(concurrent: 3))
        terms.add([Self.id(1): 10])
        try disk.write(terms)
        try disk.write(terms)
        let content = disk.content.withLock { $0 }
        #expect(content.settings == [StoreSettings(concurrent: 3)])
        #expect(content.places == [[Self.id(1): 10]])
    }

    @Test func writesTheLatestAfterAFailure() throws {
        let (disk, terms) = (Disk(), UnstoredTerms())
        disk.content.withLock { $0.isFull = true }
        terms.add(StoreSettings(concurrent: 3))
        terms.add([Self.id(1): 10, Self.id(2): 20])
        #expect(throws: TransferError.self) { try disk.write(terms) }
        terms.add([Self.id(1): 30])
        #expect(throws: TransferError.self) { try disk.write(terms) }
        disk.content.withLock { $0.isFull = false }
        try disk.write(terms)
        let content = disk.content.withLock { $0 }
        #expect(content.settings == [StoreSettings(concurrent: 3)])
        #expect(content.places == [[Self.id(1): 30, Self.id(2): 20]])
    }
}
