// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// Appends by the draft that state a digest of their content.
@Suite struct ContentDigestTests {
    private static let digest = Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 7, count: 32))
    private static let support = UploadSupport.ietf(.v8, UploadLimits())

    /// The upload has been created, and its first append is under way.
    private func begun(
        _ fields: HTTPFields = [:], digest: Checksum? = ContentDigestTests.digest, statesDigests: Bool = true,
        support: UploadSupport = ContentDigestTests.support
    ) -> (Talk, String) {
        var talk = Talk(.ietf, size: 20_000_000, digest: digest, statesDigests: statesDigests)
        _ = talk.begin(support)
        var fields = fields
        fields[.location] = "/u"
        let step = talk.says(201, fields)
        return (talk, step)
    }

    private func state(_ offset: Int64) -> HTTPFields { [.uploadOffset: String(offset), .uploadComplete: "?0"] }

    // MARK: When

    @Test func appendsOfAFileWithAChecksumStateTheirs() {
        var (talk, step) = begun()
        #expect(step == "commit PATCH /u v8 ?0 @0 0-8388608")
        #expect(talk.lastExchange?.checksum == .sha256 && talk.machine.point?.checksum == .sha256)
        #expect(talk.says(204, state(8_388_608)) == "PATCH /u v8 ?0 @8388608 8388608-16777216")
        #expect(talk.says(204, state(16_777_216)) == "PATCH /u v8 ?1 @16777216 16777216-20000000")
        #expect(talk.lastExchange?.checksum == .sha256)
        #expect(talk.says(201, [.uploadComplete: "?1"]) == "finish")
        // Nothing has no digest.
        talk = Talk(.ietf, point: 3_000_000, digest: Self.digest, statesDigests: true)
        _ = talk.begin()
        step = talk.says(204, state(3_000_000))
        #expect(step == "PATCH /u v8 ?1 @3000000 empty" && talk.lastExchange?.checksum == nil)
    }

    @Test(arguments: [("sha-256=10", Checksum.Algorithm.sha256), ("sha-256=1, sha-512=2", .sha512)])
    func aServerMayWantThem(_ field: String, _ algorithm: Checksum.Algorithm) {
        var (talk, step) = begun([.wantContentDigest: field], digest: nil)
        #expect(step == "commit PATCH /u v8 ?0 @0 0-8388608" && talk.lastExchange?.checksum == algorithm)
        // In the response about the upload, and with the address of one that has content.
        talk = Talk(.ietf, point: 0, statesDigests: true)
        _ = talk.begin()
        var fields = state(0)
        fields[.wantContentDigest] = field
        step = talk.says(204, fields)
        #expect(step == "PATCH /u v8 ?1 @0 0-3000000" && talk.lastExchange?.checksum == algorithm)
        talk = Talk(.ietf, statesDigests: true)
        #expect(talk.begin(UploadSupport.none) == "PUT /f v10 ?1 length=3000000 0-3000000")
        #expect(talk.lastExchange?.checksum == nil)
        #expect(talk.gets([.uploadInterop: "10", .location: "/u", .wantContentDigest: field]) == .created)
        #expect(talk.machine.point?.checksum == algorithm)
    }

    @Test func otherAppendsStateNone() {
        for (fields, statesDigests): (HTTPFields, Bool) in [
            ([:], true), ([.wantContentDigest: "sha-256=0"], true), ([.wantContentDigest: "md5=10"], true),
            ([.wantContentDigest: "oops"], true), ([.wantContentDigest: "sha-256=10"], false),
        ] {
            let (talk, step) = begun(fields, digest: nil, statesDigests: statesDigests)
            #expect(step == "commit PATCH /u v8 ?1 @0 0-20000000", "\(fields)")
            #expect(talk.lastExchange?.checksum == nil)
        }
        // A creation with the whole file states its digest.
        var talk = Talk(.ietf, digest: Self.digest, statesDigests: true)
        #expect(talk.begin(UploadSupport.none) == "PUT /f v10 ?1 length=3000000 0-3000000")
        #expect(talk.lastExchange?.checksum == nil && talk.lastExchange?.fields[.reprDigest] != nil)
    }

    @Test func aStreamStatesThemIfTheServerWants() {
        var talk = Talk(.ietf, size: nil, statesDigests: true)
        _ = talk.begin(Self.support)
        #expect(talk.says(201, [.location: "/u", .wantContentDigest: "sha-256=10"]) == "await")
        #expect(talk.reads(upTo: 2_000_000) == "PATCH /u v8 ?0 @0 0-2000000")
        #expect(talk.lastExchange?.checksum == .sha256)
    }

    // MARK: How large

    /// A server that appends all or nothing has nothing of what breaks off.
    @Test func appendsWhoseConnectionsBreakBecomeSmaller() {
        var (talk, _) = begun()
        var sizes: [Int] = []
        for _ in 0..<7 {
            #expect(talk.breaks() == "failed 56")
            #expect(talk.begin() == "HEAD /u v8")
            _ = talk.says(204, state(0))
            sizes.append(talk.lastExchange?.body?.count ?? 0)
        }
        #expect(sizes == [4, 2, 1].map { $0 << 20 } + [1 << 19, 1 << 18, 1 << 18, 1 << 18])
        // And larger again.
        #expect(talk.says(204, state(1 << 18)) == "PATCH /u v8 ?0 @262144 262144-786432")
        #expect(talk.says(204, state(786_432)) == "PATCH /u v8 ?0 @786432 786432-1835008")
        // What never had a connection says nothing about them, nor does a server that keeps what has arrived.
        #expect(talk.breaks(TransferError(.cannotConnect, "")).hasPrefix("failed"))
        _ = talk.begin()
        #expect(talk.says(204, state(786_432)) == "PATCH /u v8 ?0 @786432 786432-1835008")
        #expect(talk.breaks() == "failed 56")
        _ = talk.begin()
        #expect(talk.says(204, state(786_433)) == "PATCH /u v8 ?0 @786433 786433-1835009")
    }

    @Test func theLimitsOfTheServerCount() {
        for (fields, limits, size): (String?, UploadLimits, Int) in [
            ("max-append-size=1000000", UploadLimits(), 1_000_000),
            (nil, UploadLimits(maximumAppend: 2_000_000), 2_000_000),
            ("min-append-size=9000000", UploadLimits(), 9_000_000),
            (nil, UploadLimits(minimumAppend: 10_000_000), 10_000_000),
        ] {
            var stated: HTTPFields = [:]
            stated[.uploadLimit] = fields
            let (talk, _) = begun(stated, support: .ietf(.v8, limits))
            #expect(talk.lastExchange?.body == 0..<Int64(size))
        }
    }

    // MARK: Refusals

    @Test(arguments: [400, 422, 460]) func damagedContentIsSentAgainAFewTimes(_ status: Int) {
        var (talk, step) = begun()
        var rounds = 0
        while step.contains("PATCH"), rounds < 50 {
            step = talk.says(status, state(0))
            guard step == "HEAD /u v8" else { break }
            step = talk.says(204, state(0))
            #expect(step == "PATCH /u v8 ?0 @0 0-8388608")
            rounds += 1
        }
        #expect(rounds == ResumableUpload.patience)
        #expect(step == (status == 460 ? "end 32" : "refused 22"))
        #expect(talk.machine.point == nil)
    }

    /// The target's refusal of the file, and those of requests that stated no digest.
    @Test func otherRefusalsAreFinal() {
        for (fields, hasDigest): (HTTPFields, Bool) in [
            ([.uploadComplete: "?1"], true), ([:], true), ([.uploadComplete: "?0", .uploadOffset: "0"], false),
        ] {
            for status in [400, 422] {
                var (talk, _) = begun(digest: hasDigest ? Self.digest : nil)
                #expect(talk.says(status, fields) == "refused 22", "\(fields)")
            }
        }
    }

    // MARK: Fields

    @Test func theFieldIsThatOfRFC9530() throws {
        let url = try TransferURL("http://host.test/u")
        var exchange = UploadExchange(.append, url, .patch, body: 0..<3)
        exchange.checksum = .sha256
        let stated = exchange.stating(Self.digest)
        #expect(stated.fields[.contentDigest] == "sha-256=:BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=:")
        #expect(stated.fields[.uploadChecksum] == nil && stated.checksum == nil)
    }

    /// A field that the user gave is about the file.
    @Test func theUsersFieldIsOfNoOtherContent() throws {
        let url = try TransferURL("http://host.test/u")
        for (purpose, body, carries): (UploadExchange.Purpose, Range<Int64>?, Bool) in [
            (.creation, 0..<5, true), (.creation, 0..<0, false), (.creation, nil, false), (.append, 0..<5, false),
            (.completion, nil, false), (.query, nil, false),
        ] {
            #expect(UploadExchange(purpose, url, .put, body: body).carries(.contentDigest) == carries, "\(purpose)")
        }
    }
}
