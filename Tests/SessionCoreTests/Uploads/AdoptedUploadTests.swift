// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// Addresses that are uploads already, which another program has created: they refuse the creation.
@Suite struct AdoptedUploadTests {
    /// The creation was refused, and the target is asked.
    private func asked(_ status: Int = 405) -> Talk {
        var talk = Talk(.tus, name: "other")
        #expect(talk.begin() == "POST /f tus length=3000000 empty")
        #expect(talk.says(status) == "HEAD /f tus")
        #expect(talk.machine.point == nil)
        return talk
    }

    @Test(arguments: [400, 404, 405, 501]) func continuesWithWhatTheServerHas(_ status: Int) {
        var talk = asked(status)
        #expect(
            talk.says(200, [.uploadOffset: "700", .uploadLength: "3000000"])
                == "commit PATCH /f tus @700 700-3000000")
        #expect(talk.machine.point?.url == "http://host.test/f" && talk.machine.point?.offset == 700)
        // The other program may need it.
        #expect(talk.machine.cancellations.isEmpty && talk.machine.removals.isEmpty)
        #expect(talk.says(204, [.uploadOffset: "3000000"]) == "finish")
    }

    @Test func whatWasSentCountsFromThere() {
        for (offset, expected) in [("800", "PATCH /f tus @800 800-3000000"), ("801", "end 55")] {
            var talk = asked()
            _ = talk.says(200, [.uploadOffset: "700", .uploadLength: "3000000"])
            #expect(talk.breaks(sent: 100) == "failed 56")
            #expect(talk.begin() == "HEAD /f tus")
            #expect(talk.says(200, [.uploadOffset: offset]) == expected)
            #expect(talk.machine.takeRemovals().isEmpty)
        }
    }

    @Test(arguments: [
        (["700", nil, "1"], "commit PATCH /f tus @700 length=3000000 700-3000000"),
        (["3000000", "3000000", nil], "finish without verdict"), (["0", "9", nil], "end 55"),
        (["3000001", "3000000", nil], "end 55"),
    ] as [([String?], String)])
    func itsLengthIsThatOfTheFile(_ state: [String?], _ expected: String) {
        var talk = asked()
        var fields: HTTPFields = [:]
        (fields[.uploadOffset], fields[.uploadLength], fields[.uploadDeferLength]) = (state[0], state[1], state[2])
        #expect(talk.says(200, fields) == expected)
    }

    /// The refusal is that of the creation.
    @Test(arguments: [200, 404, 405, 500]) func otherAddressesAreRefused(_ status: Int) {
        var talk = asked()
        #expect(talk.says(status) == "refused 22")
        #expect(talk.lastError?.fields.status == 405 && talk.lastError?.fields.variant == .tusNeedsFolder)
        talk = Talk(.auto, name: "other")
        _ = talk.begin(.tus(TusSupport()))
        #expect(talk.says(405) == "HEAD /f tus")
        #expect(talk.says(status) == "plain")
    }

    @Test(arguments: [404, 405]) func uploadsByTheDraft(_ status: Int) {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        #expect(talk.says(status) == "HEAD /f v8")
        #expect(
            talk.says(204, [.uploadOffset: "700", .uploadComplete: "?0"])
                == "commit PATCH /f v8 ?1 @700 700-3000000")
    }
}
