// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// What servers announce about the size of uploads and requests.
extension UploadMachineTests {
    /// What is known of the server may be outdated.
    @Test func failuresBecauseOfTheAnnouncementAreMarked() {
        let (known, small) = (UploadSupport.ietf(.v8, UploadLimits()), UploadLimits(maximumSize: 100))
        for (support, status, expected, isMarked): (UploadSupport, Int?, String, Bool) in [
            (.ietf(.v8, small), nil, "end 22", true), (known, 413, "refused 22", true),
            (known, 405, "refused 22", true),
            (known, 201, "end 55", true), (known, 403, "refused 22", false), (known, 409, "refused 22", false),
            (known, 503, "failed 22", false),
        ] {
            var talk = Talk(.ietf)
            var step = talk.begin(support)
            if let status { step = talk.says(status) }
            if step.hasPrefix("HEAD") { step = talk.says(404) }
            #expect(step == expected && talk.machine.failedForSupport == isMarked, "\(expected) after \(status ?? 0)")
        }
    }

    /// A server that takes one byte in each request would get three million.
    @Test(arguments: [1, 4095] as [Int64]) func limitsBelowAPageAreNotObeyed(_ most: Int64) {
        let field: HTTPFields = [.uploadLimit: "max-append-size=\(most)"]
        let state: HTTPFields = [.uploadOffset: "0", .uploadComplete: "?0", .uploadLimit: "max-append-size=\(most)"]
        for size in [3_000_000, nil] as [Int64?] {
            var talk = Talk(.auto, size: size)
            _ = talk.begin()
            #expect(talk.says(204, field) == "plain")
            talk = Talk(.ietf, size: size)
            _ = talk.begin()
            #expect(talk.says(204, field) == "end 55" && talk.machine.failedForSupport)
            #expect(talk.lastError?.fields.variant == .appendLimit)
            #expect(talk.lastError?.message.contains("at most \(most) bytes in one request") == true)
            // Stated at the creation, before anything was sent.
            talk = Talk(.auto, size: size)
            _ = talk.begin(.ietf(.v8, UploadLimits()))
            #expect(talk.says(201, [.location: "/u", .uploadLimit: "max-append-size=\(most)"]) == "plain")
            #expect(talk.machine.found == UploadSupport.none && talk.machine.point == nil)
        }
        for resumption in [UploadResumption.auto, .ietf] {
            var talk = Talk(resumption, point: 0)
            _ = talk.begin()
            #expect(talk.says(204, state) == "end 55" && talk.machine.point == nil)
            talk = Talk(resumption, point: 0)
            _ = talk.begin()
            _ = talk.says(204, [.uploadOffset: "0", .uploadComplete: "?0"])
            #expect(talk.says(413, field) == "HEAD /u v8")
            #expect(talk.says(204, [.uploadOffset: "0", .uploadComplete: "?0"]) == "end 55")
        }
    }

    @Test func theRestOfTheFileMayBeSmallerThanThat() {
        var talk = Talk(.ietf, size: 100)
        #expect(talk.begin(.ietf(.v8, UploadLimits(maximumAppend: 100))) == "PUT /f v8 ?0 length=100 empty")
        #expect(talk.says(201, [.location: "/u"]) == "commit PATCH /u v8 ?1 @0 0-100")
        talk = Talk(.ietf, point: 2_999_900)
        _ = talk.begin()
        let state: HTTPFields = [
            .uploadOffset: "2999900", .uploadComplete: "?0", .uploadLimit: "max-append-size=100",
        ]
        #expect(talk.says(204, state) == "PATCH /u v8 ?1 @2999900 2999900-3000000")
        talk = Talk(.ietf)
        #expect(talk.begin(.ietf(.v8, UploadLimits(maximumAppend: 4096))) == "PUT /f v8 ?0 length=3000000 empty")
        #expect(talk.says(201, [.location: "/u"]) == "commit PATCH /u v8 ?0 @0 0-4096")
    }
}
