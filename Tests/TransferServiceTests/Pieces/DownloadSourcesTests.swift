// SPDX-License-Identifier: MIT

import SessionCore
import Testing
import TransferModel
@testable import TransferService

@Suite struct DownloadSourcesTests {
    private func sources(_ priorities: [Int?], hasDigests: Bool = true) throws -> DownloadSources {
        let mirrors = try priorities.enumerated().map {
            FileMirror(url: try TransferURL("http://m\($0.offset + 1).test/f"), priority: $0.element)
        }
        return DownloadSources(try TransferURL("http://m0.test/f"), mirrors, hasDigests: hasDigests)
    }

    /// The address of the transfer first, then by priority, then in the order given; then all again.
    @Test func addressesFollowOneAnother() throws {
        var sources = try sources([nil, 2, 1])
        var order: [Int] = []
        repeat { order.append(sources.lead) } while sources.leadFailed()
        #expect(order == [0, 3, 2, 1])
        #expect(sources.lead == 0)
        #expect(sources.all.allSatisfy { $0.state == .usable })
    }

    /// `Retry-After` is of one address. Another is asked meanwhile; if all have asked to wait, the first to be free.
    @Test func anAddressThatAskedForTimeGetsIt() throws {
        var sources = try sources([nil])
        let hasNext = sources.leadFailed(retryAfter: 200, at: 1000)
        #expect(hasNext)
        #expect(sources.lead == 1)
        #expect(sources.pause(at: 1000) == nil)
        let startsOver = !sources.leadFailed(at: 1001)
        #expect(startsOver)
        #expect(sources.lead == 1)
        #expect(sources.pause(at: 1001) == nil)
        let waits = !sources.leadFailed(retryAfter: 500, at: 1002)
        #expect(waits)
        #expect(sources.lead == 0)
        #expect(sources.pause(at: 1002) == 198)
        #expect(sources.next([:], at: 1002) == nil)
        #expect(sources.next([:], at: 1200) == 0)
        #expect(sources.pause(at: 1200) == nil)
    }

    /// Also once the transfer has another address of its own, which may be asked at once.
    @Test func aRelocationLeavesTheWaitsOfMirrors() throws {
        var sources = try sources([nil, nil])
        sources.wait(0, until: 1300)
        sources.wait(2, until: 1200)
        var relocated = DownloadSources(
            try TransferURL("http://other.test/f"),
            try ["m2", "m1"].map { FileMirror(url: try TransferURL("http://\($0).test/f")) },
            hasDigests: true)
        relocated.keepWaits(of: sources)
        #expect(relocated.all.map(\.notBefore) == [nil, 1200, nil])
    }

    /// Nor after a digest has shown that the bytes of the other are wrong.
    @Test func theLastRightAddressIsWaitedFor() throws {
        var sources = try sources([nil])
        sources.wait(0, until: 1200)
        sources.lead(by: 1)
        sources.contributed(1)
        let asksAnother = sources.mismatched(at: 1000)
        #expect(asksAnother)
        #expect(sources.lead == 0)
        #expect(sources.pause(at: 1000) == 200)
    }

    @Test func oneAddressHasNoOther() throws {
        var sources = try sources([])
        let result1 = sources.leadFailed()
        #expect(!result1)
        let result2 = sources.drop(0)
        #expect(!result2)
        let result3 = sources.mismatched()
        #expect(!result3)
        #expect(sources.lead == 0)
    }

    @Test func theSameAddressCountsOnce() throws {
        var sources = try sources([nil])
        let result4 = sources.add(FileMirror(url: try TransferURL("http://m0.test/f")))
        #expect(result4 == 0)
        #expect(sources.all.count == 2)
    }

    /// Without digests nothing of another address is joined.
    @Test func furtherConnectionsAskOthersIfDigestsAreKnown() throws {
        let alone = try sources([nil, nil], hasDigests: false)
        #expect(alone.next([0: 3]) == 0)
        #expect(alone.joined.count == 1)
        let several = try sources([nil, nil])
        #expect(several.next([0: 1]) == 1)
        #expect(several.next([0: 1, 1: 1]) == 2)
        #expect(several.next([0: 1, 1: 1, 2: 1]) == 0)
        #expect(several.joined.count == 3)
    }

    /// RFC 6249: its entity tags are those of the first address.
    /// An entity tag is of one address.
    @Test func mirrorsAreNotJoinedByTheirTags() throws {
        var sources = try sources([], hasDigests: false)
        sources.add(FileMirror(url: try TransferURL("http://p.test/f")))
        sources.note(0, validator: Validator(entityTag: "\"a\""))
        sources.note(1, validator: Validator(entityTag: "\"a\""))
        #expect(sources.next([0: 1]) == 0)
    }

    @Test func fastAddressesGetMoreConnections() throws {
        var sources = try sources([nil])
        sources.note(0, speed: 1e6)
        sources.note(1, speed: 1e5)
        var load = [0: 1]
        for _ in 0..<11 {
            let next = try #require(sources.next(load))
            load[next, default: 0] += 1
        }
        #expect(load == [0: 11, 1: 1])
    }

    @Test func refusalsAndFailuresCount() throws {
        var sources = try sources([nil])
        sources.refused(1, with: 1)
        #expect(sources.next([0: 5, 1: 1]) == 0)
        #expect(sources.next([0: 5]) == 1)
        sources.failed(1)
        #expect(sources.next([0: 5]) == 0)
    }

    /// First the mixture is given up, then one address after the other.
    @Test func anotherDigestLeadsToOneAddressAlone() throws {
        var sources = try sources([nil])
        sources.contributed(0)
        sources.contributed(1)
        let result5 = sources.mismatched()
        #expect(result5)
        #expect(sources.lead == 0)
        #expect(!sources.joins)
        #expect(sources.next([0: 1]) == 0)
        sources.contributed(0)
        let result6 = sources.mismatched()
        #expect(result6)
        #expect(sources.lead == 1)
        sources.contributed(1)
        let result7 = sources.mismatched()
        #expect(!result7)
    }

    @Test func aWrongAddressIsNotAskedAgain() throws {
        var sources = try sources([nil, nil])
        let result8 = sources.drop(0)
        #expect(result8)
        #expect(sources.lead == 1)
        let result9 = sources.leadFailed()
        #expect(result9)
        #expect(sources.lead == 2)
        let result10 = sources.leadFailed()
        #expect(!result10)
        #expect(sources.lead == 1)
        #expect(sources.next([:]) == 1 || sources.next([:]) == 2)
    }

    /// Another server's validator is not sent; the digest vouches for the bytes.
    @Test func pointsOfOtherAddressesHaveTheirOwnValidator() throws {
        var sources = try sources([nil])
        let point = try #require(ResumePoint(offset: 5, validator: Validator(entityTag: "\"a\""), total: 9))
        #expect(sources.point(0, like: point) == point)
        var other = sources.point(1, like: point)
        #expect(other.isVouched)
        #expect(other.validator == Validator())
        #expect(other.total == 9)
        sources.note(1, validator: Validator(entityTag: "\"b\""))
        other = sources.point(1, like: point)
        #expect(other.validator.entityTag == "\"b\"")
    }
}
