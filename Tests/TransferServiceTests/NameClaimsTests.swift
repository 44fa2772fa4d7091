// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TransferService

@Suite struct NameClaimsTests {
    private let first = TransferID(rawValue: 1)
    private let second = TransferID(rawValue: 2)

    /// In a queue that ends with its process, no other download replaces a file that is complete.
    @Test(arguments: [true, false]) func aCompletedTransferKeepsItsNameWhereThatIsDecided(_ keeps: Bool) {
        let claims = NameClaims(keepsCompleted: keeps)
        #expect(claims.claim("/d/a", for: first) && !claims.claim("/d/a", for: second))
        claims.complete("/d/a", by: first)
        #expect(claims.claim("/d/a", for: second) == !keeps)
    }

    @Test func anotherCannotReleaseTheName() {
        let claims = NameClaims(keepsCompleted: false)
        #expect(claims.claim("/d/a", for: first))
        claims.release("/d/a", by: second)
        #expect(!claims.claim("/d/a", for: second))
        claims.release("/d/a", by: first)
        #expect(claims.claim("/d/a", for: second))
    }
}
