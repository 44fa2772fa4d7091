// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import SessionCore

@Suite struct UploadSupportTableTests {
    private static let support = UploadSupport.ietf(.v8, UploadLimits(maximumSize: 1000))

    @Test(arguments: [(0.0, true), (899.0, true), (900.0, false), (100_000.0, false)])
    func announcementsAreValidForAWhile(_ seconds: Double, _ isKnown: Bool) {
        var table = UploadSupportTable()
        table.note(Self.support, of: "http://a.test:80", at: 5000)
        #expect(table.support(of: "http://a.test:80", at: 5000 + seconds) == (isKnown ? Self.support : nil))
        #expect(table.support(of: "http://b.test:80", at: 5000 + seconds) == nil)
    }

    @Test func theLatestAnnouncementCounts() {
        var table = UploadSupportTable()
        table.note(Self.support, of: "http://a.test:80", at: 0)
        table.note(.none, of: "http://a.test:80", at: 800)
        #expect(table.support(of: "http://a.test:80", at: 1600) == UploadSupport.none)
    }

    @Test func oneOriginIsForgotten() {
        var table = UploadSupportTable()
        for origin in ["http://a.test:80", "http://b.test:80"] { table.note(Self.support, of: origin, at: 0) }
        table.forget("http://a.test:80")
        #expect(table.support(of: "http://a.test:80", at: 0) == nil)
        #expect(table.support(of: "http://b.test:80", at: 0) == Self.support)
    }
}
