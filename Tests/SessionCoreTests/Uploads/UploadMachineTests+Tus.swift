// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// tus, and servers that respond with anything.
extension UploadMachineTests {
    /// The last segment may be the name of the file, or that of the address that creates uploads.
    @Test func aStreamIsCreatedInTheFolderOrAtTheAddress() {
        for status in [404, 405] {
            var talk = Talk(.tus, size: nil)
            #expect(talk.begin() == "POST / tus defers empty")
            #expect(talk.says(status, from: "http://host.test/") == "POST /f tus defers empty")
            #expect(talk.says(201, [.location: "/u"]) == "await")
            // Once.
            talk = Talk(.tus, size: nil)
            _ = talk.begin()
            _ = talk.says(status)
            #expect(talk.says(status) == "refused 22")
        }
        var talk = Talk(.tus)
        _ = talk.begin()
        #expect(talk.says(405) == "refused 22")
    }

    /// Services have keys of their own.
    @Test func metadataOfTheUserIsMerged() throws {
        for (own, expected) in [
            (["bucketName Zg=="], "bucketName Zg==,filename Zg==,filetype YXBwbGljYXRpb24vb2N0ZXQtc3RyZWFt"),
            (["filename eA==", "k"], "filename eA==,k,filetype YXBwbGljYXRpb24vb2N0ZXQtc3RyZWFt"),
            (["filetype", "filename"], "filetype,filename"), (["mal formed text"], "mal formed text"),
            ([], "filename Zg==,filetype YXBwbGljYXRpb24vb2N0ZXQtc3RyZWFt"),
        ] {
            var talk = Talk(.tus)
            _ = talk.begin()
            let creation = try #require(talk.lastExchange)
            #expect(creation.carries(.uploadMetadata))
            #expect(creation.stating(metadata: own).fields[.uploadMetadata] == expected)
            _ = talk.says(201, [.location: "/u"])
            let append = try #require(talk.lastExchange)
            #expect(!append.carries(.uploadMetadata))
            #expect(append.stating(metadata: own).fields[.uploadMetadata] == nil)
        }
    }

    @Test func tusCreatesInTheFolder() {
        var talk = Talk(.tus)
        #expect(talk.begin() == "POST / tus length=3000000 empty")
        #expect(
            talk.lastExchange?.fields[.uploadMetadata]
                == "filename Zg==,filetype YXBwbGljYXRpb24vb2N0ZXQtc3RyZWFt")
        #expect(talk.says(201, [.location: "u"]) == "commit PATCH /u tus @0 0-3000000")
        #expect(talk.says(204, [.uploadOffset: "3000000"]) == "finish")
        talk = Talk(.tus, name: "other")
        #expect(talk.begin() == "POST /f tus length=3000000 empty")
    }

    @Test func tusContinues() {
        var talk = Talk(.tus, point: 500, .tus)
        #expect(talk.begin() == "HEAD /u tus")
        #expect(talk.says(423) == "busy 22")
        #expect(talk.begin() == "HEAD /u tus")
        #expect(talk.says(200, [.uploadOffset: "600", .uploadLength: "3000000"]) == "PATCH /u tus @600 600-3000000")
        #expect(talk.says(423) == "busy 22")
        #expect(talk.begin() == "HEAD /u tus")
        #expect(talk.says(200, [.uploadOffset: "700"]) == "PATCH /u tus @700 700-3000000")
        #expect(talk.says(409) == "HEAD /u tus")
        #expect(talk.says(200, [.uploadOffset: "800"]) == "PATCH /u tus @800 800-3000000")
        #expect(talk.says(460) == "HEAD /u tus")
        #expect(talk.says(200, [.uploadOffset: "3000000"]) == "finish without verdict")
    }

    @Test(arguments: [403, 404, 410]) func tusUploadsExpire(_ status: Int) {
        var talk = Talk(.tus, point: 500, .tus)
        _ = talk.begin()
        #expect(talk.says(status) == "restart 33")
    }

    @Test func tusConfirmsNoMoreThanWasSent() {
        var talk = Talk(.tus)
        _ = talk.begin()
        _ = talk.says(201, [.location: "/u"])
        #expect(talk.says(204, [.uploadOffset: "3000001"]) == "end 55")
    }

    @Test func tusWithoutAServerForItFails() {
        var talk = Talk(.tus)
        _ = talk.begin()
        #expect(talk.says(405, from: "http://host.test/") == "refused 22")
        #expect(talk.lastError?.fields.variant == nil)
        talk = Talk(.auto)
        _ = talk.begin(.tus(TusSupport()))
        #expect(talk.says(405) == "plain")
    }

    @Test(arguments: [(404, true), (405, true), (403, false)])
    func tusCreatesInNoFile(_ status: Int, _ isAdvised: Bool) {
        var talk = Talk(.tus, name: "other")
        #expect(talk.begin() == "POST /f tus length=3000000 empty")
        // Nor is it an upload.
        if isAdvised { #expect(talk.says(status) == "HEAD /f tus") }
        #expect(talk.says(status) == "refused 22")
        #expect((talk.lastError?.fields.variant == .tusNeedsFolder) == isAdvised)
    }

    @Test func whatNeedsItsTargetDoesNotUseTus() {
        var talk = Talk(.auto, needsTarget: true)
        #expect(talk.begin(.tus(TusSupport())) == "plain")
        talk = Talk(.tus, needsTarget: true)
        #expect(talk.begin(.tus(TusSupport())) == "end 55")
    }

    /// Any reply at any time ends the attempt or leads on; no conversation is endless, and none with contradictions is
    /// called finished.
    @Test(arguments: 0..<200) func randomServersNeverMakeItFinishTooEarly(_ seed: UInt64) {
        var random = Generator(state: seed &* 0x9e37_79b9_7f4a_7c15 | 1)
        var talk = Talk([.auto, .ietf, .tus].randomElement(using: &random)!)
        var step = talk.begin()
        var stored: Int64 = 0
        for _ in 0..<400 {
            if step.hasPrefix("plain") || step.hasPrefix("end") || step.hasPrefix("refused") { return }
            if step.hasPrefix("finish") { break }
            if !step.contains("/") {
                step = talk.begin()
                continue
            }
            // An honest store, whose responses are lost or distorted.
            let body = talk.lastExchange?.body
            let isLost = Bool.random(using: &random)
            if talk.lastExchange?.purpose == .creation { stored = 0 }
            if let body, !body.isEmpty, body.lowerBound == stored {
                stored += isLost ? Int64.random(in: 0...Int64(body.count), using: &random) : Int64(body.count)
            }
            if isLost {
                step = talk.breaks()
                continue
            }
            var fields: HTTPFields = [.uploadOffset: "\(stored)", .location: "/u"]
            if talk.lastExchange?.purpose == .discovery { fields[.uploadLimit] = "max-append-size=700000" }
            if talk.lastExchange?.body?.upperBound != 3_000_000, stored < 3_000_000 { fields[.uploadComplete] = "?0" }
            step = talk.says([200, 201, 204, 409, 423, 500].randomElement(using: &random)!, fields)
        }
        #expect(!step.hasPrefix("finish") || stored == 3_000_000, "\(talk.machine)")
    }
}

private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
