// SPDX-License-Identifier: MIT

import Testing
@testable import TransferService

@Suite struct ConnectionLimitsTests {
    @Test func remembersARefusalForAWhile() {
        var limits = ConnectionLimits()
        limits.note("http://host.test:80", most: 2, at: 10)
        #expect(limits.most(for: "http://host.test:80", at: 11) == 2)
        #expect(limits.most(for: "http://other.test:80", at: 11) == nil)
        #expect(limits.most(for: "http://host.test:80", at: 10 + ConnectionLimits.memory) == nil)
        limits.note("http://host.test:80", most: 0, at: 12)
        #expect(limits.most(for: "http://host.test:80", at: 13) == 1)
    }
}
