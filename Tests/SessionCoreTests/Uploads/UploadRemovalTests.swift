// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// What is removed from a server without a command of the user. ``MultipartUploadTests`` has S3.
@Suite struct UploadRemovalTests {
    private func words(_ removals: [UploadRemoval]) -> [String] {
        removals.flatMap { removal in
            [removal.question.map(Talk.words), Talk.words(removal.cancellation)].compactMap(\.self)
        }
    }

    /// Also one of which every byte was sent: the server knows whether it is complete.
    @Test(arguments: [false, true]) func theServerIsAskedFirst(_ isTailSent: Bool) {
        var talk = Talk(.ietf, point: 5, isTailSent: isTailSent)
        #expect(words(talk.machine.removals) == ["HEAD /u v8", "DELETE /u v8"])
        talk = Talk(.tus, point: 5, .tus, isTailSent: isTailSent)
        #expect(words(talk.machine.removals) == ["HEAD /u tus", "DELETE /u tus"])
        #expect(words(talk.machine.takeRemovals()) == [])
        #expect(Talk(.tus).machine.removals.isEmpty)
    }

    @Test func onlyWhatIsIncompleteIsRemoved() throws {
        for (carrier, status, fields, expected): (UploadCarrier, Int, HTTPFields, Bool) in [
            (.ietf(.v8), 204, [.uploadOffset: "5", .uploadComplete: "?0"], true),
            (.ietf(.v8), 204, [.uploadOffset: "5", .uploadComplete: "?1"], false),
            (.ietf(.v8), 204, [.uploadOffset: "5"], false), (.ietf(.v8), 200, [:], false),
            (.ietf(.v8), 404, [.uploadComplete: "?0"], false), (.ietf(.v8), 500, [.uploadComplete: "?0"], false),
            (.ietf(.v3), 204, [.uploadOffset: "5", .uploadIncomplete: "?1"], true),
            (.ietf(.v3), 204, [.uploadOffset: "5", .uploadIncomplete: "?0"], false),
            (.tus, 200, [.uploadOffset: "5", .uploadLength: "6"], true),
            (.tus, 200, [.uploadOffset: "6", .uploadLength: "6"], false),
            (.tus, 200, [.uploadOffset: "5", .uploadDeferLength: "1"], true),
            (.tus, 200, [.uploadOffset: "5"], false), (.tus, 200, [:], false),
            (.tus, 403, [.uploadOffset: "5", .uploadLength: "6"], false),
            (.tus, 410, [.uploadOffset: "5", .uploadLength: "6"], false),
        ] {
            let talk = Talk(carrier == .tus ? .tus : .ietf, point: 5, carrier)
            let removal = try #require(talk.machine.removals.first)
            let head = HTTPResponse(status: .init(code: status), headerFields: fields)
            #expect(removal.isAllowed(after: head) == expected, "\(carrier) \(status) \(fields)")
        }
    }

    /// An upload that the server no longer has is not removed, nor is one with an unknown outcome.
    @Test func whatIsGoneStays() {
        for (carrier, status, isTailSent, expected): (UploadCarrier, Int, Bool, String) in [
            (.ietf(.v8), 404, false, "restart 33"), (.ietf(.v8), 410, true, "end 56"), (.tus, 403, false, "restart 33"),
            (.tus, 404, true, "end 56"),
        ] {
            var talk = Talk(carrier == .tus ? .tus : .ietf, point: 5, carrier, isTailSent: isTailSent)
            _ = talk.begin()
            #expect(talk.says(status) == expected)
            #expect(talk.machine.point == nil)
            #expect(words(talk.machine.takeRemovals()) == [], "\(carrier) \(status)")
        }
    }

    @Test func whatIsGivenUpIsRemoved() {
        for (carrier, status, fields, expected): (UploadCarrier, Int, HTTPFields, String) in [
            // It has lost bytes.
            (.ietf(.v8), 204, [.uploadOffset: "499", .uploadComplete: "?0"], "restart 33"),
            (.tus, 200, [.uploadOffset: "499"], "restart 33"),
            (.ietf(.v8), 400, [:], "refused 22"), (.tus, 400, [:], "refused 22"),
            (.tus, 200, [.uploadOffset: "500", .uploadLength: "9"], "end 55"),
        ] {
            var talk = Talk(carrier == .tus ? .tus : .ietf, point: 500, carrier)
            let expectedWords = words(talk.machine.removals)
            _ = talk.begin()
            #expect(talk.says(status, fields) == expected)
            #expect(talk.machine.point == nil)
            #expect(words(talk.machine.takeRemovals()) == expectedWords, "\(carrier) \(status)")
            #expect(words(talk.machine.takeRemovals()) == [])
        }
        // It takes so little that the file is sent without a protocol.
        var talk = Talk(.auto)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        #expect(talk.says(201, [.location: "/u", .uploadLimit: "max-append-size=1"]) == "plain")
        #expect(words(talk.machine.takeRemovals()) == ["HEAD /u v8", "DELETE /u v8"])
    }

    /// Its removal would be that of the file.
    @Test func theTargetIsNotRemoved() {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        _ = talk.says(201, [.location: "/f"])
        #expect(talk.machine.point != nil && talk.machine.removals.isEmpty)
    }

    // MARK: Parts

    @Test func partsAreRemovedUntilTheyAreJoined() {
        let all = (0..<4).map { "DELETE /\($0) tus" }
        #expect(words(PartTalk.resumed([8, 8, 0, 1]).machine.removals) == all)
        #expect(words(PartTalk.resumed([8, 8, 8, 8]).machine.removals) == all)
        #expect(PartTalk.resumed([8, 8, 8, 8], isTailSent: true).machine.removals.isEmpty)
        #expect(PartTalk.complete().machine.removals.isEmpty)
    }

    @Test func aPartThatLostBytesIsRemovedAndAnExpiredOneIsNot() {
        var talk = PartTalk.resumed([8, 4, 8, 8])
        _ = talk.begin()
        _ = talk.states(8)
        _ = talk.states(3)
        #expect(words(talk.machine.takeRemovals()) == ["DELETE /1 tus"])
        talk = PartTalk.resumed([8, 4, 8, 8])
        _ = talk.begin()
        _ = talk.states(8)
        _ = talk.says(404)
        #expect(words(talk.machine.takeRemovals()) == [])
    }
}
