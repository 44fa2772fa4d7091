// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// What a tus server announces beyond the core protocol.
@Suite struct TusExtensionTests {
    private static let digest = Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 7, count: 32))

    private static func announcing(_ extensions: String, _ algorithms: String? = nil) -> HTTPFields {
        var fields: HTTPFields = [.tusVersion: "1.0.0", .tusExtension: extensions]
        fields[.tusChecksumAlgorithm] = algorithms
        return fields
    }

    // MARK: Announcements

    @Test(arguments: [
        ("creation,checksum", "sha1,sha256", Checksum.Algorithm.sha256), ("creation,checksum", "md5,sha1", .sha1),
        ("checksum, creation", "crc32", nil), ("creation,checksum", nil, nil), ("creation", "sha256", nil),
    ]) func theBestKnownChecksumIsChosen(_ extensions: String, _ text: String?, _ algorithm: Checksum.Algorithm?) {
        #expect(TusSupport(announcedBy: Self.announcing(extensions, text))?.checksum == algorithm)
    }

    /// A server of both protocols says by one response what counts for either.
    @Test func bothProtocolsAreRead() {
        var fields = Self.announcing("creation,creation-with-upload")
        fields[.uploadLimit] = "min-size=0"
        let support = UploadSupport(announcedBy: HTTPResponse(status: .noContent, headerFields: fields))
        let tus = TusSupport(defersLength: false, createsWithContent: true)
        #expect(support == .ietf(.newest, UploadLimits(minimumSize: 0), tus: tus))
        #expect(support.byTus == .tus(tus))
        #expect(UploadSupport.none.byTus == .tus(TusSupport()))
    }

    // MARK: Checksums

    @Test func everyRequestStatesTheChecksumOfItsContent() {
        var talk = Talk(.tus, size: 20_000_000, digest: Self.digest)
        #expect(talk.begin() == "OPTIONS /")
        #expect(talk.says(204, Self.announcing("creation,checksum", "sha1")) == "POST / tus length=20000000 empty")
        #expect(talk.says(201, [.location: "/u"]) == "commit PATCH /u tus @0 0-8388608")
        #expect(talk.lastExchange?.checksum == .sha1 && talk.machine.point?.checksum == .sha1)
        #expect(talk.says(204, [.uploadOffset: "8388608"]) == "PATCH /u tus @8388608 8388608-16777216")
        #expect(talk.lastExchange?.checksum == .sha1)
        #expect(talk.breaks() == "failed 56")
        #expect(talk.begin() == "HEAD /u tus")
        #expect(talk.says(200, [.uploadOffset: "16777216"]) == "PATCH /u tus @16777216 16777216-20000000")
        #expect(talk.lastExchange?.checksum == .sha1)
        #expect(talk.says(204, [.uploadOffset: "20000000"]) == "finish")
    }

    @Test func aLaterProcessStatesThemToo() throws {
        var talk = Talk(.tus, point: 500, .tus, digest: Self.digest)
        talk.machine.point?.checksum = .sha256
        let point = try #require(talk.machine.point)
        talk.machine = ResumableUpload(talk.machine.subject, .tus, point: point)
        _ = talk.begin()
        #expect(talk.says(200, [.uploadOffset: "500"]) == "PATCH /u tus @500 500-3000000")
        #expect(talk.lastExchange?.checksum == .sha256)
    }

    /// Hashing costs time, and what breaks off is lost: without a checksum of the user nothing is stated.
    @Test func withoutAChecksumNothingIsStated() {
        let both = TusSupport(createsWithContent: true, checksum: .sha256)
        var talk = Talk(.auto, size: 20_000_000)
        _ = talk.begin(.tus(both))
        #expect(talk.says(201, [.location: "/u"]) == "commit PATCH /u tus @0 0-20000000")
        #expect(talk.lastExchange?.checksum == nil)
        // The draft states the digest of the whole.
        talk = Talk(.ietf, size: 20_000_000, digest: Self.digest)
        _ = talk.begin(.ietf(.v8, UploadLimits(), tus: both))
        #expect(talk.says(201, [.location: "/u"]) == "commit PATCH /u v8 ?1 @0 0-20000000")
        #expect(talk.lastExchange?.checksum == nil)
    }

    @Test func damagedContentIsSentAgainAFewTimes() {
        var talk = Talk(.tus, digest: Self.digest)
        _ = talk.begin()
        _ = talk.says(204, Self.announcing("creation,checksum", "sha256"))
        var step = talk.says(201, [.location: "/u"])
        var rounds = 0
        while step.contains("PATCH"), rounds < 50 {
            step = talk.says(460)
            guard step == "HEAD /u tus" else { break }
            step = talk.says(200, [.uploadOffset: "0"])
            rounds += 1
        }
        #expect(step == "end 32")
        #expect(rounds == ResumableUpload.patience)
        #expect(talk.lastError?.message.contains("received other bytes than were sent") == true)
        #expect(talk.lastError?.fields.status == 460)
    }

    @Test func theFieldHasAlgorithmAndBase64() throws {
        let url = try TransferURL("http://host.test/u")
        var exchange = UploadExchange(.append, url, .patch, [.tusResumable: Tus.version], body: 0..<3)
        exchange.checksum = .sha1
        let stated = exchange.stating(Checksum(algorithm: .sha1, bytes: Array(0..<20)))
        #expect(stated.fields[.uploadChecksum] == "sha1 AAECAwQFBgcICQoLDA0ODxAREhM=")
        #expect(stated.checksum == nil)
    }

    // MARK: Creation with upload

    @Test func aSmallFileIsSentWithItsCreation() {
        var talk = Talk(.tus, size: 65_536)
        #expect(talk.begin() == "OPTIONS /")
        #expect(talk.says(204, Self.announcing("creation,creation-with-upload")) == "POST / tus length=65536 0-65536")
        #expect(talk.lastExchange?.fields[.contentType] == "application/offset+octet-stream")
        #expect(talk.says(201, [.location: "/u", .uploadOffset: "65536"]) == "finish")
        // The server is known by now.
        let support = talk.machine.found
        talk = Talk(.tus, size: 1)
        #expect(talk.begin(support) == "POST / tus length=1 0-1")
        // A checksum of the user counts for it, too.
        talk = Talk(.tus, size: 1, digest: Self.digest)
        _ = talk.begin(.tus(TusSupport(createsWithContent: true, checksum: .sha256)))
        #expect(talk.lastExchange?.checksum == .sha256)
    }

    @Test func largerFilesAndOtherServersAreCreatedEmpty() {
        let support = UploadSupport.tus(TusSupport(createsWithContent: true))
        var talk = Talk(.tus, size: 65_537)
        #expect(talk.begin(support) == "POST / tus length=65537 empty")
        talk = Talk(.tus, size: 0)
        #expect(talk.begin(support) == "POST / tus length=0 empty")
        talk = Talk(.auto, size: 3_000_000)
        #expect(talk.begin(support) == "POST / tus length=3000000 empty")
        for response in [[:], Self.announcing("creation")] {
            talk = Talk(.tus, size: 10)
            _ = talk.begin()
            #expect(talk.says(response.isEmpty ? 405 : 204, response) == "POST / tus length=10 empty")
            #expect(talk.says(201, [.location: "/u"]) == "commit PATCH /u tus @0 0-10")
        }
        talk = Talk(.tus, size: 10)
        _ = talk.begin()
        #expect(talk.breaks() == "POST / tus length=10 empty")
    }

    @Test func aCreationThatTookAPartContinues() {
        let support = UploadSupport.tus(TusSupport(createsWithContent: true))
        for (offset, expected) in [
            ("4", "commit PATCH /u tus @4 4-10"), (nil, "commit HEAD /u tus"), ("11", "end 55"),
            ("-1", "commit HEAD /u tus"),
        ] {
            var talk = Talk(.tus, size: 10)
            _ = talk.begin(support)
            var fields: HTTPFields = [.location: "/u"]
            fields[.uploadOffset] = offset
            #expect(talk.says(201, fields) == expected, "\(offset ?? "none")")
        }
    }

    /// It has stored the file, perhaps.
    @Test func aLostCreationIsNotRepeated() {
        let support = UploadSupport.tus(TusSupport(createsWithContent: true))
        var talk = Talk(.tus, size: 10)
        _ = talk.begin(support)
        talk.machine.sent(9)
        #expect(talk.breaks() == "failed 56")
        _ = talk.begin(support)
        talk.machine.sent(10)
        #expect(talk.breaks() == "end 56")
        #expect(talk.lastError?.message.contains("the outcome is unknown") == true)
        // A response that says what happened is no reason not to.
        talk = Talk(.tus, size: 10)
        _ = talk.begin(support)
        talk.machine.sent(10)
        #expect(talk.says(503) == "failed 22")
    }
}
