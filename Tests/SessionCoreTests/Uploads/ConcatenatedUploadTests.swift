// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// Uploads by tus in parts, each conversation as a value.
@Suite struct ConcatenatedUploadTests {
    private let creation = "POST / tus length=8388608 empty partial"

    // MARK: Whether there are parts

    @Test(
        arguments: [(4, 32, 4), (4, 31, 3), (4, 16, 2), (4, 15, 1), (4, 0, 1), (1, 1000, 1), (100, 1000, 16)]
            as [(Int, Int64, Int)])
    func largeFilesHaveParts(_ most: Int, _ size: Int64, _ count: Int) {
        #expect(ConcatenatedUpload.number(atMost: most, size: size * PartTalk.mebibyte) == count)
    }

    @Test func theServerIsAsked() {
        var talk = PartTalk()
        #expect(talk.begin(nil) == "OPTIONS /")
        #expect(talk.says(204, [.tusVersion: "1.0.0", .tusExtension: "creation,concatenation"]) == creation)
        #expect(talk.machine.found == .tus(TusSupport(defersLength: false, concatenates: true)))
        talk = PartTalk()
        _ = talk.begin(nil)
        #expect(
            talk.says(204, [.tusVersion: "1.0.0", .tusExtension: "creation"]) == "POST / tus length=33554432 empty")
        talk = PartTalk()
        _ = talk.begin(nil)
        #expect(talk.breaks() == "POST / tus length=33554432 empty")
    }

    /// The draft is preferred, as without parts.
    @Test func otherUploadsAreOne() {
        let both = UploadSupport.ietf(.v8, UploadLimits(), tus: TusSupport(concatenates: true))
        var talk = PartTalk(.auto)
        #expect(talk.begin(both).hasPrefix("PUT /f v8"))
        #expect(talk.says(201, [.location: "/u"]) == "commit PATCH /u v8 ?1 @0 0-33554432")
        talk = PartTalk(.tus)
        #expect(talk.begin(both) == creation)
        talk = PartTalk(.auto)
        #expect(talk.begin(PartTalk.joins) == creation)
        talk = PartTalk(.auto)
        #expect(talk.begin(UploadSupport.none) == "plain")
        talk = PartTalk(size: 15 << 20)
        #expect(talk.begin() == "POST / tus length=15728640 empty")
        talk = PartTalk(parts: 1)
        #expect(talk.begin() == "POST / tus length=33554432 empty")
    }

    /// An upload that began as one continues so.
    @Test func anUploadWithoutPartsContinues() {
        var talk = PartTalk(
            point: UploadPoint(.tus, url: "http://host.test/u", target: "http://host.test/f", offset: 5))
        #expect(talk.begin() == "HEAD /u tus")
        #expect(talk.says(200, [.uploadOffset: "7"]) == "PATCH /u tus @7 7-33554432")
        #expect(talk.beside() == nil)
        #expect(talk.says(204, [.uploadOffset: "33554432"]) == "finish")
    }

    @Test func aServerThatRefusesTheFirstPartGetsTheFileAsOne() {
        for status in [400, 403, 404, 501] {
            var talk = PartTalk()
            _ = talk.begin()
            #expect(talk.says(status) == "POST / tus length=33554432 empty")
            #expect(talk.says(201, [.location: "/u"]) == "commit PATCH /u tus @0 0-33554432")
            #expect(talk.machine.point?.parts == nil)
        }
        for status in [401, 500, 503] {
            var talk = PartTalk()
            _ = talk.begin()
            #expect(talk.says(status) == "failed")
        }
        var talk = PartTalk()
        _ = talk.begin()
        #expect(talk.says(201) == "POST / tus length=33554432 empty")
        talk = PartTalk()
        _ = talk.begin()
        #expect(talk.says(423) == "busy")
    }

    // MARK: Parts at the same time

    @Test func partsAreCreatedSentAndJoined() {
        var talk = PartTalk()
        #expect(talk.begin() == creation)
        #expect(talk.machine.point == nil)
        for number in 0..<3 {
            #expect(talk.says(201, [.location: "/\(number)"]) == "commit " + creation)
            #expect(talk.machine.point?.parts?.compactMap(\.url).count == number + 1)
            #expect(talk.lastExchange?.fields[.uploadMetadata] == nil)
            #expect(talk.beside() == nil)
        }
        #expect(talk.says(201, [.location: "/3"]) == "commit PATCH /0 tus @0 0-8388608")
        #expect(talk.beside() == "PATCH /1 tus @0 8388608-16777216")
        #expect(talk.beside() == "PATCH /2 tus @0 16777216-25165824")
        #expect(talk.beside() == "PATCH /3 tus @0 25165824-33554432")
        #expect(talk.beside() == nil)
        #expect(talk.states(8, beside: 1) == .confirmed)
        #expect(talk.machine.point?.offset == 8 << 20 && talk.machine.base == 8 << 20)
        #expect(talk.states(8) == "join 2")
        #expect(talk.states(8, beside: 3) == .confirmed)
        #expect(talk.states(8) == "commit POST / tus empty " + PartTalk.concatenation)
        #expect(talk.lastExchange?.fields[.uploadMetadata]?.hasPrefix("filename ") == true)
        #expect(talk.machine.point?.isTailSent == true && talk.machine.point?.offset == 32 << 20)
        #expect(talk.says(201, [.location: "/all"]) == "finish")
    }

    @Test func theLengthsAddUp() {
        var talk = PartTalk(size: (32 << 20) + 3)
        _ = talk.begin()
        #expect(talk.machine.parts.map(\.length) == [8_388_609, 8_388_609, 8_388_609, 8_388_608])
    }

    @Test func eachPartContinuesWhereItIs() {
        var talk = PartTalk.resumed([1, 2, 8, 0])
        #expect(talk.machine.point?.offset == 11 << 20)
        #expect(talk.begin() == "HEAD /0 tus")
        #expect(talk.beside() == nil)
        #expect(talk.states(3) == "PATCH /0 tus @3145728 3145728-8388608")
        #expect(talk.beside() == "HEAD /1 tus")
        #expect(talk.beside() == "HEAD /2 tus")
        #expect(talk.states(2, beside: 1) == .confirmed)
        #expect(talk.beside() == "PATCH /1 tus @2097152 10485760-16777216")
        #expect(talk.states(8, beside: 2) == .confirmed)
        #expect(talk.beside() == "HEAD /3 tus")
        #expect(talk.breaks(beside: 1) == .unclear)
        #expect(talk.beside() == "HEAD /1 tus")
        #expect(talk.states(8, beside: 1) == .confirmed)
        // The own task takes the place of the question.
        #expect(talk.states(8) == "join 3")
        #expect(talk.states(0) == "PATCH /3 tus @0 25165824-33554432")
        #expect(talk.states(8) == "commit POST / tus empty " + PartTalk.concatenation)
    }

    @Test func aTaskThatWasEndedLeavesAQuestion() {
        var talk = PartTalk.begun()
        _ = talk.beside()
        talk.machine.forget(beside: 1)
        #expect(talk.beside() == "HEAD /1 tus")
        #expect(talk.states(1, beside: 1) == .confirmed)
        #expect(talk.breaks() == "failed")
        #expect(talk.beside() == nil)
        #expect(talk.begin() == "HEAD /0 tus")
        #expect(talk.machine.point?.offset == 1 << 20)
        #expect(talk.machine.cancellations.map(PartTalk.words) == (0..<4).map { "DELETE /\($0) tus" })
    }

    /// The server closes a connection that was used before.
    @Test func aConnectionWithoutAResponseIsNoFailure() {
        var talk = PartTalk.begun()
        #expect(talk.breaks(TransferError(.noResponse, "closed")) == "HEAD /0 tus")
        #expect(talk.lastExchange?.isOfPart == true)
    }

    // MARK: Refusals

    @Test func refusalsOfTheOwnPart() {
        for (status, expected) in [(409, "HEAD /0 tus"), (413, "HEAD /0 tus"), (423, "busy"), (503, "failed")] {
            var talk = PartTalk.begun()
            #expect(talk.says(status) == expected)
            guard status == 413 else { continue }
            #expect(talk.states(0) == "PATCH /0 tus @0 0-2097152")
            #expect(talk.machine.point?.maximumAppend == 2 << 20)
        }
        var talk = PartTalk.begun()
        var steps = 0
        while talk.says(409) == "HEAD /0 tus", steps < 50 {
            _ = talk.states(0)
            steps += 1
        }
        #expect(steps == ConcatenatedUpload.patience)
    }

    @Test func refusalsBesideLeaveThePartToTheOwnTask() {
        for (status, end) in [(409, BesideEnd.unclear), (423, .missing), (503, .missing), (413, .missing)] {
            var talk = PartTalk.begun()
            _ = talk.beside()
            #expect(talk.says(beside: 1, status) == end)
            #expect(talk.states(8) == "HEAD /1 tus")
        }
        // No progress.
        var talk = PartTalk.begun()
        _ = talk.beside()
        #expect(talk.states(0, beside: 1) == .missing)
        // Nothing is known of it any more.
        #expect(talk.states(1, beside: 1) == .missing)
    }

    @Test func aLostPartStartsAgainOnce() {
        for status in [403, 404, 410] {
            var talk = PartTalk.resumed([8, 8, 4, 0])
            _ = talk.begin()
            #expect(talk.says(status) == creation)
            #expect(talk.machine.takeLoss()?.code == .rangeRefused)
            #expect(talk.machine.takeLoss() == nil)
            #expect(talk.machine.point?.offset == 12 << 20)
            #expect(talk.says(201, [.location: "/4"]) == "commit PATCH /4 tus @0 0-8388608")
            #expect(talk.beside() == "HEAD /1 tus")
            #expect(talk.says(status) == "failed")
            #expect(talk.lastError?.code == .other)
            #expect(talk.machine.point?.offset == 12 << 20)
        }
    }

    @Test func aPartLostBesideIsCreatedByTheOwnTask() {
        var talk = PartTalk.begun()
        _ = talk.beside()
        _ = talk.beside()
        #expect(talk.says(beside: 1, 404) == .lost)
        #expect(talk.machine.takeLoss() != nil)
        #expect(talk.states(8) == creation)
        #expect(talk.lastExchange?.isOfPart == true)
        #expect(talk.says(201, [.location: "/5"]) == "commit PATCH /5 tus @0 8388608-16777216")
        // Of bytes that were confirmed and are gone, too.
        talk = PartTalk.resumed([8, 4, 8, 8])
        _ = talk.begin()
        _ = talk.states(8)
        #expect(talk.states(1) == creation)
    }

    @Test func whatCannotBeEndsTheUpload() {
        var talk = PartTalk.begun()
        #expect(talk.states(9) == "end")
        talk = PartTalk.begun()
        _ = talk.beside()
        #expect(talk.states(9, beside: 1) == .missing)
        #expect(talk.states(8) == "end")
        talk = PartTalk.resumed([0, 0, 0, 0])
        _ = talk.begin()
        #expect(talk.says(200, [.uploadOffset: "0", .uploadLength: "33554432"]) == "end")
    }
}
