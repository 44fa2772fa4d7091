// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// Names that no field can have, and servers that state what cannot be.
extension UploadMachineTests {
    /// In base64, nothing of a name is more than text.
    @Test(arguments: [
        "a\r\nUpload-Length: 1", "\u{1B}[31m\0\u{7F}", "a,b c", "写", String(repeating: "n", count: 9216),
    ]) func anyNameIsMetadataOfTus(_ name: String) throws {
        var talk = Talk(.tus, name: name)
        _ = talk.begin()
        let field = try #require(talk.lastExchange?.fields[.uploadMetadata])
        #expect(field.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
        #expect(Tus.Metadata(parsing: field)?["filename"]?.value == Array(name.utf8))
        // More than a server takes: nothing was sent, and nothing can be continued.
        #expect(talk.says(431) == "refused 22")
        #expect(talk.machine.point == nil && talk.machine.cancellations.isEmpty)
    }

    @Test func foolishOffsetsOfTusAreNoReasonToContinue() {
        for (offset, expected) in [
            ("-1", "end 55"), ("abc", "end 55"), ("1.5", "end 55"), ("", "end 55"), ("501, 502", "end 55"),
            ("3000001", "end 55"), ("99999999999999999999", "end 55"), ("499", "restart 33"),
        ] {
            var talk = Talk(.tus, point: 500, .tus)
            _ = talk.begin()
            #expect(talk.says(200, [.uploadOffset: offset]) == expected, "\(offset)")
            #expect(talk.machine.point == nil)
        }
    }

    /// In the response to an append. The last one is complete only if the server says so, tus by its offset.
    @Test(arguments: [UploadCarrier.ietf(.v8), .tus]) func offsetsOfAppendsAreCompared(_ carrier: UploadCarrier) {
        let rest = carrier == .tus ? "PATCH /u tus @500 500-3000000" : "PATCH /u v8 ?1 @500 500-3000000"
        func append() -> Talk {
            var talk = Talk(carrier == .tus ? .tus : .ietf, point: 500, carrier)
            _ = talk.begin()
            #expect(talk.says(200, [.uploadOffset: "500", .uploadComplete: "?0"]) == rest)
            return talk
        }
        for (offset, expected) in [
            ("499", "restart 33"), ("500", rest), ("-1", "end 55"), ("x", "end 55"), ("3000000.0", "end 55"),
        ] {
            var talk = append()
            let fields: HTTPFields = [.uploadOffset: offset, .uploadComplete: "?0"]
            #expect(talk.says(204, fields).hasPrefix("HEAD /u"), "\(offset)")
            #expect(talk.says(200, fields) == expected, "\(offset)")
        }
        var talk = append()
        #expect(talk.says(204, [.uploadOffset: "3000001", .uploadComplete: "?1"]) == "end 55")
        // In the middle of the file.
        talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits(maximumAppend: 5000)))
        _ = talk.says(201, [.location: "/u"])
        #expect(talk.says(204, [.uploadOffset: "5000"]) == "PATCH /u v8 ?0 @5000 5000-10000")
        #expect(talk.says(204, [.uploadOffset: "4999"]) == "restart 33")
    }

    /// A server that does not say what it has is asked.
    @Test func theEndOfTusIsAnOffset() {
        var talk = Talk(.tus, point: 500, .tus)
        _ = talk.begin()
        _ = talk.says(200, [.uploadOffset: "500"])
        #expect(talk.says(204) == "HEAD /u tus")
        #expect(talk.says(200, [.uploadOffset: "3000000"]) == "finish without verdict")
    }

    /// The response to `OPTIONS`.
    @Test(arguments: [
        "max-append-size=10, min-append-size=20", "max-size=1, min-size=2", "max-size=0", "max-append-size=0",
        "max-size=-1", "max-append-size=ten",
    ]) func announcedLimitsThatContradictAnnounceNothing(_ limits: String) {
        var talk = Talk(.auto)
        _ = talk.begin()
        #expect(talk.says(204, [.uploadLimit: limits]) == "plain")
    }

    @Test func addressesOfTusAreCompared() {
        for (location, expected) in [
            ("//other.test/u", "commit PATCH /u tus @0 0-3000000"), ("ftp://host.test/u", "end 1"),
            ("u#part", "commit PATCH /u tus @0 0-3000000"), ("u?a=b#c", "commit PATCH /u?a=b tus @0 0-3000000"),
            ("http://host.test/u#part", "commit PATCH /u tus @0 0-3000000"),
        ] {
            var talk = Talk(.tus)
            _ = talk.begin()
            let step = talk.says(201, [.location: location], from: "http://host.test/")
            #expect(step.hasPrefix(expected), "\(location)")
        }
    }

    /// Neither an address of this server nor a reason to report the address of the target as wrong.
    @Test(arguments: ["file:///etc/passwd", "http://[::", "mailto:a@host.test"])
    func addressesThatAreNoneAreRefused(_ location: String) {
        for carrier in [UploadResumption.ietf, .tus] {
            var talk = Talk(carrier)
            _ = talk.begin(carrier == .ietf ? .ietf(.v8, UploadLimits()) : nil)
            #expect(talk.says(201, [.location: location]).hasPrefix("end"))
            #expect(talk.machine.point == nil)
            #expect(talk.lastError?.code == .other)
            #expect(talk.lastError?.message.contains("another server (\(location))") == true)
        }
    }

    /// Some servers fail on every `OPTIONS`, and take uploads.
    @Test func aServerThatFailsOnOptionsGetsAPlainUpload() {
        var talk = Talk(.auto)
        _ = talk.begin()
        #expect(talk.says(500) == "plain")
        // Asked again with the next attempt.
        #expect(talk.machine.found == nil)
        talk = Talk(.ietf)
        _ = talk.begin()
        #expect(talk.says(500) == "failed 22")
    }

    /// As of a plain upload: 47.
    @Test func aLoopOfRedirectsIsReportedAsSuch() throws {
        let url = try TransferURL("http://host.test/f")
        let reply = UploadReply(
            HTTPResponse(status: .temporaryRedirect), from: url,
            error: TransferError(.tooManyRedirects, .tooManyRedirects, 20, host: "host.test"),
            refusal: TransferError(.httpStatus, "host.test: returned 307", fields: .init(status: 307)))
        for step in ["creation", "append", "query"] {
            var talk = Talk(.ietf, point: step == "query" ? 500 : nil)
            _ = talk.begin(.ietf(.v8, UploadLimits()))
            if step == "append" { _ = talk.says(201, [.location: "/u"]) }
            #expect(talk.machine.ended(reply).words(Talk.words) == "failed 47", "\(step)")
        }
        // What the server announces does not matter then.
        var talk = Talk(.auto)
        _ = talk.begin()
        #expect(talk.machine.ended(reply).words(Talk.words) == "plain")
    }

    /// The target has refused what is complete: no offset is wrong, and nothing has expired.
    @Test func theRefusalOfTheTargetIsReported() {
        let complete: HTTPFields = [.uploadOffset: "3000000", .uploadComplete: "?1"]
        func last(_ carrier: UploadCarrier) -> Talk {
            var talk = Talk(.ietf, point: 500, carrier)
            _ = talk.begin()
            _ = talk.says(204, [.uploadOffset: "500", .uploadComplete: "?0"])
            talk.machine.sent(2_999_500)
            return talk
        }
        for status in [404, 410, 413, 422] {
            var talk = last(.ietf(.v8))
            #expect(talk.says(status, complete) == "refused 22")
            #expect(talk.lastError?.fields.status == status)
        }
        // As well that of an offset, if the same request has completed the upload before.
        for (status, fields, expected, reported): (Int, HTTPFields, String, Int?) in [
            (201, complete, "finish", nil), (410, [:], "refused 22", 409), (404, [:], "refused 22", 409),
            (409, complete, "refused 22", 409), (422, complete, "refused 22", 409), (503, complete, "failed 22", 503),
        ] {
            var talk = last(.ietf(.v8))
            #expect(talk.says(409, complete) == "PATCH /u v8 ?1 @3000000 empty")
            #expect(talk.says(status, fields) == expected, "\(status)")
            #expect(talk.lastError?.fields.status == reported, "\(status)")
        }
        // Asked for again.
        for (status, expected) in [(404, "refused 22"), (409, "refused 22"), (400, "finish without verdict")] {
            var talk = Talk(.ietf, point: 500)
            _ = talk.begin()
            _ = talk.says(204, complete)
            #expect(talk.says(status, complete) == expected, "\(status)")
        }
        // Not complete, as far as the server says.
        var talk = last(.ietf(.v8))
        #expect(talk.says(404) == "end 56")
    }
}
