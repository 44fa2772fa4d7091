// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

private let mebibyte: Int64 = 1 << 20

/// A server cannot have bytes that no process has sent: one that confirms them ends the upload.
@Suite struct UploadReachTests {
    @Test func isAheadOfARequestAndExactAfterIt() {
        let range = 4 * mebibyte..<30 * mebibyte
        for (before, stored, sent, after) in [
            (0, 20, 9, 13), (0, 20, nil, 30), (0, 20, 0, 4), (0, 20, 99, 30), (15, 20, 1, 15), (0, nil, 5, 9),
        ] as [(Int64, Int64?, Int64?, Int64)] {
            var reach = UploadReach(before * mebibyte)
            reach.begin(range)
            #expect(reach.end == max(before, 12) * mebibyte)
            if let stored {
                reach.extend(to: stored * mebibyte)
                #expect(reach.end == stored * mebibyte)
            }
            reach.finish(range, sent: sent.map { $0 * mebibyte })
            #expect(reach.end == after * mebibyte, "\(before) \(sent ?? -1)")
            #expect(reach.admits(after * mebibyte) && !reach.admits(after * mebibyte + 1))
        }
        var unknown = UploadReach(nil)
        unknown.begin(range)
        unknown.finish(range, sent: 0)
        #expect(unknown.end == nil && unknown.admits(.max))
    }

    // MARK: One upload

    private static let carriers: [(UploadSupport, UploadResumption, HTTPFields)] = [
        (.tus(TusSupport()), .tus, [:]), (.ietf(.v8, UploadLimits()), .ietf, [.uploadComplete: "?0"]),
    ]

    /// The server has created it, and the file is being sent.
    private func begun(_ support: UploadSupport, _ resumption: UploadResumption, size: Int64 = 3_000_000) -> Talk {
        var talk = Talk(resumption, size: size)
        _ = talk.begin(support)
        #expect(talk.says(201, [.location: "/u"]).hasPrefix("commit PATCH /u"))
        return talk
    }

    @Test(arguments: [(1_000_000, true), (1_000_001, false), (3_000_000, false), (0, true)] as [(Int64, Bool)])
    func confirmsWhatWasSent(_ offset: Int64, _ isTrue: Bool) {
        for (support, resumption, fields) in Self.carriers {
            var talk = begun(support, resumption)
            #expect(talk.breaks(sent: 1_000_000) == "failed 56")
            #expect(talk.begin().hasPrefix("HEAD /u"))
            var state = fields
            state[.uploadOffset] = String(offset)
            let step = talk.says(200, state)
            #expect(isTrue ? step.hasPrefix("PATCH /u") : step == "end 55", "\(resumption)")
            if !isTrue { #expect(talk.lastError?.message.contains("more than were sent") == true) }
        }
    }

    /// What arrives late belongs to an earlier request.
    @Test func allRequestsCount() {
        for (offset, expected) in [(2_000_000, "PATCH /u tus @2000000 2000000-3000000"), (2_000_001, "end 55")] {
            var talk = begun(.tus(TusSupport()), .tus)
            _ = talk.breaks(sent: 2_000_000)
            _ = talk.begin()
            _ = talk.says(200, [.uploadOffset: "1000000"])
            _ = talk.breaks(sent: 10)
            _ = talk.begin()
            #expect(talk.says(200, [.uploadOffset: String(offset)]) == expected)
        }
    }

    @Test func informationalResponsesAreCompared() {
        for (sent, expected) in [(1_000_000, "end 55"), (2_000_000, "failed 56")] as [(Int64, String)] {
            var talk = Talk(.ietf)
            _ = talk.begin(UploadSupport.none)
            #expect(talk.gets([.uploadInterop: "10", .location: "/u"]) == .created)
            #expect(talk.gets([.uploadInterop: "10", .uploadOffset: "2000000"]) == .confirmed)
            #expect(talk.breaks(sent: sent) == expected)
        }
    }

    /// Without a question, the creation has the whole file.
    @Test func creationsCountInStepsToo() {
        var talk = Talk(.ietf, size: 30 * mebibyte)
        #expect(talk.begin(UploadSupport.none) == "PUT /f v10 ?1 length=31457280 0-31457280")
        talk.machine.willSend(upTo: 16 * mebibyte)
        #expect(talk.gets([.uploadInterop: "10", .location: "/u"]) == .created)
        #expect(talk.machine.point?.reach == 16 * mebibyte)
        #expect(talk.breaks(sent: 9 * mebibyte) == "failed 56" && talk.machine.point?.reach == 9 * mebibyte)
        #expect(talk.begin() == "HEAD /u v10")
        #expect(talk.says(204, [.uploadOffset: "9437185", .uploadComplete: "?0"]) == "end 55")
    }

    @Test func aLaterProcessKnowsIt() {
        var talk = begun(.tus(TusSupport()), .tus, size: 30 * mebibyte)
        #expect(talk.machine.point?.reach == 8 * mebibyte)
        talk.machine.willSend(upTo: 16 * mebibyte)
        // Killed here.
        let stored = talk.machine.point
        #expect(stored?.reach == 16 * mebibyte)
        #expect(talk.breaks(sent: 9 * mebibyte) == "failed 56" && talk.machine.point?.reach == 9 * mebibyte)
        var older = stored
        older?.forgetReach()
        for (point, offset, isTrue) in [
            (stored, 16, true), (stored, 17, false), (talk.machine.point, 10, false), (older, 30, true),
        ] as [(UploadPoint?, Int64, Bool)] {
            var later = talk
            later.machine = ResumableUpload(talk.machine.subject, .tus, point: point)
            _ = later.begin()
            let step = later.says(200, [.uploadOffset: String(offset * mebibyte)])
            #expect((step == "end 55") == !isTrue, "\(offset): \(step)")
        }
    }

    // MARK: In parts

    @Test func eachPartHasItsOwn() {
        for (offset, end) in [(1, BesideEnd.confirmed), (2, .missing)] as [(Int64, BesideEnd)] {
            var talk = PartTalk.begun()
            #expect(talk.machine.point?.parts?.map(\.reach) == [8 * mebibyte, 0, 0, 0])
            _ = talk.beside()
            #expect(talk.breaks(beside: 1, sent: mebibyte) == .unclear)
            #expect(talk.machine.point?.parts?.map(\.reach) == [8 * mebibyte, mebibyte, 0, 0])
            #expect(talk.beside() == "HEAD /1 tus")
            #expect(talk.states(offset, beside: 1) == end)
            #expect((talk.states(8) == "end") == (end == .missing))
        }
        for (offset, expected) in [(3, "PATCH /0 tus @3145728 3145728-8388608"), (8, "end")] as [(Int64, String)] {
            var talk = PartTalk.begun()
            _ = talk.breaks(sent: 3 * mebibyte)
            _ = talk.begin()
            #expect(talk.states(offset) == expected)
        }
        // Another process: the first part was being sent, the second one was not.
        var later = PartTalk(point: PartTalk.begun().machine.point)
        _ = later.begin()
        #expect(later.states(8) == "HEAD /1 tus")
        #expect(later.states(1) == "end")
    }

    @Test func stepsBelongToTheirPart() {
        var talk = PartTalk(size: 96 * mebibyte)
        _ = talk.begin()
        for number in 0..<4 { _ = talk.says(201, [.location: "/\(number)"]) }
        _ = talk.beside()
        talk.machine.willSend(upTo: 40 * mebibyte)
        #expect(talk.machine.point?.parts?.map(\.reach) == [8, 16, 0, 0].map { $0 * mebibyte })
        talk.machine.willSend(upTo: 24 * mebibyte)
        #expect(talk.machine.point?.parts?.map(\.reach) == [24, 16, 0, 0].map { $0 * mebibyte })
    }

    // MARK: S3

    private func stored(_ numbers: [Int], _ talk: StoreTalk) -> S3Answer {
        .parts(S3PartList(numbers.map { talk.part($0) }))
    }

    @Test func aListNamesPartsThatWereSent() {
        for (sent, numbers, expected) in [
            (100, [1, 2, 3], "end 55"), (100, [1], "end 55"),
            (100, [], "PUT /b/k?uploadId=u&partNumber=1 checksum 0-8388608"),
            (8 * mebibyte, [1], "PUT /b/k?uploadId=u&partNumber=2 checksum 8388608-16777216"),
            (8 * mebibyte, [1, 2], "end 55"),
        ] as [(Int64, [Int], String)] {
            var talk = StoreTalk(size: 24 * mebibyte)
            _ = talk.begin()
            _ = talk.says(200, .created(uploadID: "u"))
            #expect(talk.machine.point?.reach == 8 * mebibyte)
            let point = talk.machine.point
            #expect(talk.breaks(sent: sent) == "failed 56")
            #expect(talk.begin() == "GET /b/k?uploadId=u")
            #expect(talk.says(200, stored(numbers, talk)) == expected, "\(sent) \(numbers)")
            // Another process knows which parts were being sent.
            talk = StoreTalk(size: 24 * mebibyte, restored: point)
            _ = talk.begin()
            #expect((talk.says(200, stored(numbers, talk)) == "end 55") == numbers.contains(2))
        }
    }

    /// A task that was ended may have sent all of its part.
    @Test func partsBesideCount() {
        for (number, isTrue) in [(3, true), (4, false), (5, false)] {
            var talk = StoreTalk(size: 40 * mebibyte)
            _ = talk.begin()
            _ = talk.says(200, .created(uploadID: "u"))
            _ = talk.stores(1)
            _ = talk.beside()
            _ = talk.beside()
            talk.machine.forget(beside: 3)
            let error = TransferError(.receiveFailed, "broken")
            var reply = UploadReply(nil, from: talk.machine.subject.target, error: error)
            reply.sent = mebibyte
            #expect(talk.machine.ended(beside: 4, reply) == .missing)
            _ = talk.breaks()
            _ = talk.begin()
            let step = talk.says(200, stored([1, 2, number], talk))
            #expect((step == "end 55") == !isTrue, "\(number): \(step)")
        }
    }
}
