// SPDX-License-Identifier: MIT

import Glibc
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

    /// In place of one that a file system has refused.
    @Test(
        arguments: [
            ("a:b", EINVAL, "a_b"), ("a", EINVAL, nil), ("a:b", EEXIST, nil), ("a", ENAMETOOLONG, nil),
            (String(repeating: "n", count: 200), ENAMETOOLONG, String(repeating: "n", count: 102) + "~"),
        ] as [(String, Int32, String?)])
    func claimsAnAcceptedName(_ name: String, _ code: Int32, _ beginning: String?) throws {
        let claims = NameClaims(keepsCompleted: false)
        let admission = DownloadAdmission(
            Download(destination: .folder(path: "/d", name: name)), url: try TransferURL("http://h/"), id: first,
            claims: claims)
        #expect(claims.claim("/d/\(name)", for: first))
        let next = admission.claimAcceptedName(after: code)
        #expect(next == nil ? beginning == nil : beginning.map { next?.hasPrefix("/d/" + $0) == true } == true)
        #expect(next.map { $0.utf8.count <= 3 + 119 } ?? true)
        #expect(claims.claim("/d/\(name)", for: second) == (next != nil))
    }
}
