// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

private let mebibyte: Int64 = 1 << 20

/// Conversations as tables: each line is what the store says and what follows it.
@Suite struct MultipartUploadTests {
    // MARK: One part

    @Test func aSmallFileIsOneRequest() {
        var talk = StoreTalk(size: 8 * mebibyte)
        #expect(talk.begin() == "PUT /b/k checksum 0-8388608")
        #expect(talk.says(200) == "finish")
        talk = StoreTalk(size: 0)
        #expect(talk.begin() == "PUT /b/k empty")
        #expect(talk.says(200) == "finish")
    }

    @Test func aChecksumThatDiffersIsNoSuccess() {
        var talk = StoreTalk(size: 100)
        _ = talk.begin()
        #expect(talk.says(200, fields: [MultipartUpload.checksumSHA256: "digest(0)"], digest: 0) == "finish")
        talk = StoreTalk(size: 100)
        _ = talk.begin()
        #expect(talk.says(200, fields: [MultipartUpload.checksumSHA256: "other"], digest: 0) == "end 32")
    }

    @Test func aStoreWithoutChecksumsGetsNone() {
        let refusal = S3Answer.failure(S3Failure(code: "InvalidArgument", message: "Unsupported header x-amz-checksum"))
        var talk = StoreTalk(size: 100)
        _ = talk.begin()
        #expect(talk.says(400, refusal) == "PUT /b/k 0-100")
        #expect(talk.says(501) == "failed 22")
        talk = StoreTalk(size: 20 * mebibyte)
        #expect(talk.begin() == "POST /b/k?uploads= SHA256")
        #expect(talk.says(501) == "POST /b/k?uploads=")
        #expect(talk.says(200, .created(uploadID: "u")) == "commit PUT /b/k?uploadId=u&partNumber=1 0-8388608")
    }

    /// The response was lost, and the condition now fails because of the file itself.
    @Test func aConditionThatFailsAfterALostResponseIsLookedAt() {
        for (fields, expected): (HTTPFields, String) in [
            ([.contentLength: "100", MultipartUpload.checksumSHA256: "digest(0)"], "finish without verdict"),
            ([.contentLength: "100", MultipartUpload.checksumSHA256: "other"], "end 56"),
            ([.contentLength: "99", MultipartUpload.checksumSHA256: "digest(0)"], "end 56"),
        ] {
            var talk = StoreTalk(size: 100)
            _ = talk.begin()
            talk.machine.sent(100)
            #expect(talk.breaks() == "failed 56")
            _ = talk.begin()
            #expect(talk.says(412, digest: 0) == "HEAD /b/k")
            #expect(talk.says(200, fields: fields) == expected)
        }
        var talk = StoreTalk(size: 100)
        _ = talk.begin()
        #expect(talk.says(412, digest: 0) == "failed 22")
    }

    // MARK: Parts

    @Test func partsFollowEachOther() {
        var talk = StoreTalk(size: 20 * mebibyte)
        #expect(talk.begin() == "POST /b/k?uploads= SHA256")
        #expect(
            talk.says(200, .created(uploadID: "a+/="))
                == "commit PUT /b/k?uploadId=a%2B%2F%3D&partNumber=1 checksum 0-8388608")
        #expect(talk.machine.point?.offset == 0 && talk.machine.point?.maximumAppend == 8 * mebibyte)
        #expect(talk.stores(1) == "PUT /b/k?uploadId=a%2B%2F%3D&partNumber=2 checksum 8388608-16777216")
        #expect(talk.machine.point?.offset == 8 * mebibyte && talk.machine.base == 8 * mebibyte)
        #expect(talk.stores(2) == "PUT /b/k?uploadId=a%2B%2F%3D&partNumber=3 checksum 16777216-20971520")
        #expect(talk.stores(3) == "commit POST /b/k?uploadId=a%2B%2F%3D")
        #expect(
            talk.content
                == "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                + (1...3).map {
                    "<Part><ChecksumSHA256>digest(\($0))</ChecksumSHA256><ETag>\"tag\($0)\"</ETag>"
                        + "<PartNumber>\($0)</PartNumber></Part>"
                }.joined() + "</CompleteMultipartUpload>")
        #expect(talk.machine.point?.isTailSent == true)
        #expect(talk.machine.point?.completeChecksum == "digest(6)-3")
        #expect(talk.says(200, .completed(tag: "\"x-3\"", checksum: "digest(6)-3")) == "finish")
    }

    @Test func partsAreAtMostTenThousand() {
        for (size, chosen, expected): (Int64, Int64?, Int64) in [
            (9 * mebibyte, nil, 8), (9 * mebibyte, 5 * mebibyte, 5), (9 * mebibyte, 1, 5),
            (80_000 * mebibyte, nil, 8), (80_000 * mebibyte + 1, nil, 9), (5_000_000 * mebibyte, 5 * mebibyte, 500),
        ] {
            let machine = StoreTalk(size: size, partSize: chosen).machine
            #expect(machine.partSize == expected * mebibyte)
            #expect((machine.count ?? 0) <= 10_000)
        }
    }

    @Test func continuesWithTheFirstPartThatIsMissing() {
        var talk = StoreTalk(size: 20 * mebibyte, point: 8 * mebibyte)
        #expect(talk.begin() == "GET /b/k?uploadId=u")
        #expect(
            talk.says(200, .parts(S3PartList([talk.part(1), talk.part(3)])))
                == "PUT /b/k?uploadId=u&partNumber=2 checksum 8388608-16777216")
        // Two of three parts, of which the last one is half as large.
        #expect(talk.machine.point?.offset == 12 * mebibyte)
        #expect(talk.stores(2) == "commit POST /b/k?uploadId=u")
    }

    @Test func listsEveryPage() {
        var talk = StoreTalk(size: 20 * mebibyte, point: 0)
        _ = talk.begin()
        #expect(
            talk.says(200, .parts(S3PartList([talk.part(1)], next: 1))) == "GET /b/k?uploadId=u&part-number-marker=1")
        #expect(
            talk.says(200, .parts(S3PartList([talk.part(2)], next: 2))) == "GET /b/k?uploadId=u&part-number-marker=2")
        #expect(talk.says(200, .parts(S3PartList([talk.part(2)], next: 2))) == "busy 55")
    }

    @Test func partsThatLieAreSentAgain() {
        var wrong = StoreTalk(size: 20 * mebibyte).part(1)
        wrong.size -= 1
        var talk = StoreTalk(size: 20 * mebibyte, point: 0)
        _ = talk.begin()
        let nameless = S3Part(2, size: 8 * mebibyte, tag: "")
        #expect(
            talk.says(200, .parts(S3PartList([wrong, nameless, talk.part(4)])))
                == "PUT /b/k?uploadId=u&partNumber=1 checksum 0-8388608")
        // Other bytes than this process sent.
        _ = talk.stores(1)
        _ = talk.breaks()
        _ = talk.begin()
        var other = talk.part(1)
        other.digest = [9]
        #expect(
            talk.says(200, .parts(S3PartList([other]))) == "PUT /b/k?uploadId=u&partNumber=1 checksum 0-8388608")
        // Without parts that it had confirmed, and with an answer that is none.
        talk = StoreTalk(size: 20 * mebibyte, point: 8 * mebibyte)
        _ = talk.begin()
        #expect(talk.says(200, .parts(S3PartList([]))) == "restart 33")
        talk = StoreTalk(size: 20 * mebibyte, point: 8 * mebibyte)
        _ = talk.begin()
        #expect(talk.says(200, .other) == "busy 55")
    }

    /// Who may send parts need not be allowed to list them.
    @Test func withoutAListOfPartsTheUploadStartsAgain() {
        for (status, code) in [(403, "AccessDenied"), (405, "MethodNotAllowed"), (501, "NotImplemented")] {
            var talk = StoreTalk(size: 20 * mebibyte, point: 8 * mebibyte)
            #expect(talk.begin() == "GET /b/k?uploadId=u")
            #expect(talk.fails(status, code) == "restart 33", "\(code)")
            #expect(talk.machine.takeRemovals().map(\.cancellation.method) == [.delete])
            // What this process knows, it need not ask for.
            talk = parallel()
            #expect(talk.breaks() == "failed 56")
            #expect(talk.begin() == "GET /b/k?uploadId=u")
            #expect(talk.fails(status, code) == "PUT /b/k?uploadId=u&partNumber=2 checksum 8388608-16777216")
        }
        var talk = StoreTalk(size: 20 * mebibyte, point: 8 * mebibyte)
        _ = talk.begin()
        #expect(talk.fails(403, "SignatureDoesNotMatch") == "failed 22" && talk.machine.point != nil)
    }

    /// As the page of a login, or nothing: the store still has the upload.
    @Test func aResponseThatIsNoResultLeavesTheUpload() {
        for (status, fields) in [(404, [:]), (200, [.contentLength: "1"])] as [(Int, HTTPFields)] {
            var talk = StoreTalk(size: 12 * mebibyte, point: 0)
            _ = talk.begin()
            #expect(
                talk.says(200, .parts(S3PartList([talk.part(1), talk.part(2)]))) == "commit POST /b/k?uploadId=u")
            #expect(talk.says(200, .other) == "HEAD /b/k")
            #expect(talk.says(status, fields: fields) == "failed 55")
            #expect(talk.lastError?.message.contains("without saying that the parts are joined") == true)
            #expect(talk.machine.takeRemovals().isEmpty)
            #expect(talk.begin() == "GET /b/k?uploadId=u")
        }
    }

    @Test func aPartWithoutATagIsNotConfirmed() {
        var talk = StoreTalk(size: 20 * mebibyte, point: 0)
        _ = talk.begin()
        _ = talk.says(200, .parts(S3PartList([])))
        #expect(talk.says(200) == "end 55")
        talk = StoreTalk(size: 20 * mebibyte, point: 0)
        _ = talk.begin()
        _ = talk.says(200, .parts(S3PartList([])))
        #expect(
            talk.says(200, fields: [.eTag: "\"t\"", MultipartUpload.checksumSHA256: "other"], digest: 1) == "end 32")
    }

    // MARK: Parts at the same time

    /// Five parts, of which the first is confirmed and the second under way.
    private func parallel() -> StoreTalk {
        var talk = StoreTalk(size: 40 * mebibyte, point: 0)
        _ = talk.begin()
        _ = talk.says(200, .parts(S3PartList([])))
        #expect(talk.beside() == nil)
        #expect(talk.stores(1) == "PUT /b/k?uploadId=u&partNumber=2 checksum 8388608-16777216")
        return talk
    }

    @Test func otherPartsFollowTheFirstConfirmedOne() {
        var talk = parallel()
        #expect(talk.beside() == "PUT /b/k?uploadId=u&partNumber=3 checksum 16777216-25165824")
        #expect(talk.beside() == "PUT /b/k?uploadId=u&partNumber=4 checksum 25165824-33554432")
        #expect(talk.beside() == "PUT /b/k?uploadId=u&partNumber=5 checksum 33554432-41943040")
        #expect(talk.beside() == nil)
        #expect(talk.stores(beside: 4) == true)
        #expect(talk.machine.point?.offset == 16 * mebibyte && talk.machine.base == 16 * mebibyte)
        // Each of those that are left is sent: one of them leads.
        #expect(talk.stores(2) == "join 3")
        #expect(talk.stores(beside: 5) == true)
        #expect(talk.stores(3) == "commit POST /b/k?uploadId=u")
        #expect(talk.machine.point?.offset == 40 * mebibyte)
    }

    @Test func aPartThatFailsBesideAnotherIsMissingAgain() {
        var talk = parallel()
        _ = talk.beside()
        _ = talk.beside()
        #expect(talk.stores(beside: 3, status: 503) == false)
        #expect(talk.stores(beside: 4, digest: 9) == false)
        // Nothing was said of it any more.
        #expect(talk.stores(beside: 4) == false)
        #expect(talk.machine.point?.offset == 8 * mebibyte)
        #expect(talk.stores(2) == "PUT /b/k?uploadId=u&partNumber=3 checksum 16777216-25165824")
        #expect(talk.beside() == "PUT /b/k?uploadId=u&partNumber=4 checksum 25165824-33554432")
        talk.machine.forget(beside: 4)
        #expect(talk.beside() == "PUT /b/k?uploadId=u&partNumber=4 checksum 25165824-33554432")
    }

    /// The next attempt asks what the server has.
    @Test func afterAFailureAllPartsAreListed() {
        var talk = parallel()
        _ = talk.beside()
        #expect(talk.breaks() == "failed 56")
        #expect(talk.beside() == nil)
        #expect(talk.begin() == "GET /b/k?uploadId=u")
        #expect(
            talk.says(200, .parts(S3PartList([talk.part(1), talk.part(3)])))
                == "PUT /b/k?uploadId=u&partNumber=2 checksum 8388608-16777216")
        #expect(talk.beside() == "PUT /b/k?uploadId=u&partNumber=4 checksum 25165824-33554432")
    }

    @Test func partsOfAStreamFollowEachOther() {
        var talk = StoreTalk(size: nil)
        _ = talk.begin()
        _ = talk.says(200, .created(uploadID: "u"))
        _ = talk.reads(upTo: 40 * mebibyte)
        _ = talk.stores(1)
        #expect(talk.beside() == nil)
    }

    @Test func damagedPartsAreSentAgainAFewTimes() {
        var talk = StoreTalk(size: 20 * mebibyte, point: 0)
        _ = talk.begin()
        _ = talk.says(200, .parts(S3PartList([])))
        for _ in 0..<4 {
            #expect(talk.fails(400, "BadDigest") == "GET /b/k?uploadId=u")
            #expect(
                talk.says(200, .parts(S3PartList([]))) == "PUT /b/k?uploadId=u&partNumber=1 checksum 0-8388608")
        }
        #expect(talk.fails(400, "BadDigest") == "failed 22")
    }

    @Test(
        arguments: [
            (503, "SlowDown", 503, nil), (500, "InternalError", 503, nil), (403, "AccessDenied", 403, .s3Denied),
            (403, "RequestTimeTooSkewed", 403, .clockDiffers), (404, "NoSuchBucket", 404, .s3BucketMissing),
            (301, "PermanentRedirect", 301, .s3OtherRegion), (400, "ExpiredToken", 400, .s3Denied),
        ] as [(Int, String, Int, TransferError.Variant?)])
    func refusalsKeepWhatIsThere(_ status: Int, _ code: String, _ meaning: Int, _ variant: TransferError.Variant?) {
        var talk = StoreTalk(size: 20 * mebibyte, point: 0)
        _ = talk.begin()
        _ = talk.says(200, .parts(S3PartList([])))
        #expect(talk.fails(status, code) == "failed 22")
        #expect(talk.lastError?.fields.status == meaning && talk.lastError?.fields.variant == variant)
        #expect(talk.machine.point != nil)
        #expect(talk.begin() == "GET /b/k?uploadId=u")
    }

    @Test func anotherRegionIsNamed() {
        var talk = StoreTalk(size: 10)
        _ = talk.begin()
        #expect(talk.says(301, fields: [MultipartUpload.bucketRegion: "eu-west-1"]) == "failed 22")
        #expect(
            talk.lastError?.message
                == "host.test: the bucket is in the region eu-west-1, the request was signed for us-east-1")
        _ = talk.begin()
        let malformed = S3Failure(code: "AuthorizationHeaderMalformed", region: "eu-west-2")
        #expect(talk.says(400, .failure(malformed)) == "failed 22")
        #expect(talk.lastError?.message.contains("eu-west-2") == true)
        _ = talk.begin()
        #expect(talk.breaks(TransferError(.tooManyRedirects, "more than 0 redirects")) == "failed 22")
        #expect(talk.lastError?.fields.variant == .s3OtherRegion)
    }

    @Test func anExpiredUploadStartsAgain() {
        var talk = StoreTalk(size: 20 * mebibyte, point: 0)
        _ = talk.begin()
        #expect(talk.fails(404, "NoSuchUpload") == "restart 33")
        #expect(talk.machine.point == nil)
        #expect(talk.begin() == "POST /b/k?uploads= SHA256")
        talk = StoreTalk(size: 20 * mebibyte, point: 0)
        _ = talk.begin()
        _ = talk.says(200, .parts(S3PartList([])))
        #expect(talk.fails(404, "NoSuchUpload") == "restart 33")
    }

    @Test func aStoreThatNamesNoUploadIsNotUsed() {
        for answer in [S3Answer.other, .created(uploadID: ""), .created(uploadID: "a b"), .parts(S3PartList([]))] {
            var talk = StoreTalk(size: 20 * mebibyte)
            _ = talk.begin()
            #expect(talk.says(200, answer) == "end 55")
            #expect(talk.machine.cancellation == nil)
        }
    }

    // MARK: The end

    private func complete() -> StoreTalk {
        var talk = StoreTalk(size: 10 * mebibyte, point: 0)
        _ = talk.begin()
        #expect(talk.says(200, .parts(S3PartList([talk.part(1), talk.part(2)]))) == "commit POST /b/k?uploadId=u")
        return talk
    }

    @Test func aSuccessMayContainAnError() {
        for (code, expected, status) in [
            ("InternalError", "failed 22", 503), ("SlowDown", "failed 22", 503), ("EntityTooSmall", "failed 22", 400),
            ("PreconditionFailed", "refused 22", 412),
        ] {
            var talk = complete()
            #expect(talk.fails(200, code) == expected)
            #expect(talk.lastError?.fields.status == status)
        }
        var talk = complete()
        #expect(talk.fails(200, "InvalidPart") == "GET /b/k?uploadId=u")
    }

    @Test func whatTheStoreMadeIsCompared() {
        for (answer, expected): (S3Answer, String) in [
            (.completed(tag: "\"x-2\"", checksum: nil), "finish"), (.completed(tag: nil, checksum: nil), "finish"),
            (.completed(tag: "\"x\"", checksum: "full"), "finish"),
            (.completed(tag: "\"x-2\"", checksum: "other-2"), "end 32"), (.other, "HEAD /b/k"),
        ] {
            var talk = complete()
            #expect(talk.says(200, answer) == expected)
        }
    }

    /// The response was lost: either the upload is still there, or the object is.
    @Test func aLostFinalResponseIsLookedUp() {
        let tag = MultipartUploadTests.tag
        for (fields, expected): (HTTPFields, String) in [
            ([.contentLength: "10485760", MultipartUpload.checksumSHA256: "digest(3)-2"], "finish without verdict"),
            ([.contentLength: "10485760", .eTag: "\"\(tag)\""], "finish without verdict"),
            ([.contentLength: "10485760", .eTag: "\"other\""], "end 56"),
            ([.contentLength: "10", .eTag: "\"\(tag)\""], "end 56"),
        ] {
            var talk = complete()
            #expect(talk.breaks() == "failed 56")
            // Another process has the point alone.
            var point = talk.machine.point
            point?.completeTag = tag
            talk = StoreTalk(size: 10 * mebibyte, restored: point)
            #expect(talk.begin() == "GET /b/k?uploadId=u")
            #expect(talk.fails(404, "NoSuchUpload") == "HEAD /b/k")
            #expect(talk.says(200, fields: fields) == expected)
        }
        var talk = complete()
        _ = talk.breaks()
        _ = talk.begin()
        _ = talk.fails(404, "NoSuchUpload")
        #expect(talk.says(404) == "restart 33")
    }

    private static let tag = "d41d8cd98f00b204e9800998ecf8427e-2"

    @Test func removesWhatTheStoreHas() {
        var talk = StoreTalk(size: 20 * mebibyte)
        #expect(talk.machine.cancellation == nil)
        _ = talk.begin()
        _ = talk.says(200, .created(uploadID: "u"))
        #expect(talk.machine.cancellation.map(StoreTalk.words) == "DELETE /b/k?uploadId=u")
    }

    /// The store still has the upload when it has lost its parts, and not when it says so.
    @Test func removesWhatItGivesUp() {
        var talk = StoreTalk(size: 20 * mebibyte, point: 0)
        #expect(talk.removals() == ["DELETE /b/k?uploadId=u"])
        #expect(talk.machine.removals.allSatisfy { $0.question == nil })
        talk = StoreTalk(size: 20 * mebibyte, point: 8 * mebibyte)
        _ = talk.begin()
        #expect(talk.says(200, .parts(S3PartList([]))) == "restart 33")
        #expect(talk.removals() == ["given up: DELETE /b/k?uploadId=u"])
        #expect(talk.removals() == [])
        talk = StoreTalk(size: 20 * mebibyte, point: 8 * mebibyte)
        _ = talk.begin()
        #expect(talk.fails(404, "NoSuchUpload") == "restart 33")
        #expect(talk.removals() == [])
        // Without an ID it would be a request about the object.
        let point = UploadPoint(
            .s3, url: "http://host.test/b/k", target: "http://host.test/b/k", offset: 8 * mebibyte,
            maximumAppend: 8 * mebibyte)
        talk = StoreTalk(size: 20 * mebibyte, restored: point)
        #expect(talk.removals() == [])
    }

    // MARK: Streams

    @Test func aStreamIsSentInWholeParts() {
        var talk = StoreTalk(size: nil)
        #expect(talk.begin() == "POST /b/k?uploads= SHA256")
        #expect(talk.says(200, .created(uploadID: "u")) == "await")
        #expect(talk.reads(upTo: 8 * mebibyte - 1) == nil)
        #expect(talk.reads(upTo: 9 * mebibyte) == "PUT /b/k?uploadId=u&partNumber=1 checksum 0-8388608")
        #expect(talk.reads(upTo: 9 * mebibyte, isEnd: true) == nil)
        #expect(talk.stores(1) == "PUT /b/k?uploadId=u&partNumber=2 checksum 8388608-9437184")
        #expect(talk.stores(2) == "commit POST /b/k?uploadId=u")
    }

    @Test func anEmptyStreamIsOnePart() {
        var talk = StoreTalk(size: nil)
        _ = talk.begin()
        _ = talk.says(200, .created(uploadID: "u"))
        #expect(talk.reads(upTo: 0, isEnd: true) == "PUT /b/k?uploadId=u&partNumber=1 empty")
        #expect(talk.stores(1) == "commit POST /b/k?uploadId=u")
    }

    // MARK: Fields

    @Test func fieldsOfTheUserGoWhereTheyBelong() throws {
        let target = try TransferURL("http://host.test/b/k")
        let signature = S3Signature(region: "r")
        func exchange(_ purpose: UploadExchange.Purpose, body: Range<Int64>? = nil) -> UploadExchange {
            var exchange = UploadExchange(purpose, target, .put, body: body)
            exchange.signature = signature
            return exchange
        }
        let acl = try #require(HTTPField.Name("X-Amz-Acl"))
        let key = try #require(HTTPField.Name("x-amz-server-side-encryption-customer-key"))
        for (name, whole, created, part, completed): (HTTPField.Name, Bool, Bool, Bool, Bool) in [
            (.ifNoneMatch, true, false, false, true), (.ifMatch, true, false, false, true),
            (acl, true, true, false, false), (key, true, true, true, true), (.contentType, true, true, false, false),
            (.userAgent, true, true, true, true),
        ] {
            #expect(exchange(.creation, body: 0..<1).carries(name) == whole, "\(name)")
            #expect(exchange(.creation).carries(name) == created, "\(name)")
            #expect(exchange(.append, body: 0..<1).carries(name) == part, "\(name)")
            #expect(exchange(.completion).carries(name) == completed, "\(name)")
        }
    }
}

struct StoreTalk {
    var machine: MultipartUpload
    var content = ""
    var lastError: TransferError?

    init(size: Int64?, partSize: Int64? = nil, point offset: Int64? = nil, restored: UploadPoint? = nil) {
        guard let url = try? TransferURL("http://host.test/b/k") else { fatalError("not a URL") }
        let point = offset.map {
            UploadPoint(
                .s3, url: "http://host.test/b/k?uploadId=u", target: url.string, offset: $0,
                maximumAppend: 8 << 20)
        }
        // Digests of one byte, and of several their sum.
        machine = MultipartUpload(
            UploadSubject(target: url, method: .put, name: "f", size: size), region: "us-east-1", partSize: partSize,
            digests: MultipartUpload.Digests(
                sha256: { [$0.reduce(0, &+)] }, md5: { _ in [0] }, base64: { "digest(\($0[0]))" }),
            point: restored ?? point)
    }

    /// As the list has it.
    func part(_ number: Int) -> S3Part {
        S3Part(
            number, size: Int64(machine.range(of: number).count), tag: "\"tag\(number)\"", digest: [UInt8(number)])
    }

    /// Of its point, and of what it has given up.
    mutating func removals() -> [String] {
        machine.removals.map { Self.words($0.cancellation) }
            + machine.takeRemovals().map { "given up: " + Self.words($0.cancellation) }
    }

    mutating func begin() -> String { note(machine.begin(knowing: nil)) }

    mutating func reads(upTo available: Int64, isEnd: Bool = false) -> String? {
        machine.supplied(upTo: available, isEnd: isEnd).map { note($0) }
    }

    mutating func says(
        _ status: Int, _ answer: S3Answer = .other, fields: HTTPFields = [:], digest: UInt8? = nil
    ) -> String {
        let head = HTTPResponse(status: .init(code: status), headerFields: fields)
        let refusal = TransferError(.httpStatus, "host.test: returned \(status)", fields: .init(status: status))
        var reply = UploadReply(head, from: machine.subject.target, refusal: status < 300 ? nil : refusal)
        (reply.answer, reply.digest) = (answer, digest.map { [$0] })
        return note(machine.ended(reply))
    }

    mutating func fails(_ status: Int, _ code: String) -> String {
        says(status, .failure(S3Failure(code: code, message: "because")))
    }

    /// The part that was sent.
    mutating func stores(_ number: Int) -> String {
        says(
            200, fields: [.eTag: "\"tag\(number)\"", MultipartUpload.checksumSHA256: "digest(\(number))"],
            digest: UInt8(number))
    }

    /// The next part beside the content under way.
    mutating func beside() -> String? { machine.beside().map { Self.words($0.exchange) } }

    mutating func stores(beside number: Int, status: Int = 200, digest: Int? = nil) -> Bool {
        let fields: HTTPFields = [
            .eTag: "\"tag\(number)\"", MultipartUpload.checksumSHA256: "digest(\(digest ?? number))",
        ]
        let refusal = status < 300 ? nil : TransferError(.httpStatus, "refused", fields: .init(status: status))
        var reply = UploadReply(
            HTTPResponse(status: .init(code: status), headerFields: fields), from: machine.subject.target,
            refusal: refusal)
        reply.digest = [UInt8(number)]
        return machine.ended(beside: number, reply) == .confirmed
    }

    /// - Parameter sent: bytes of the content; `nil`: all.
    mutating func breaks(
        _ error: TransferError = TransferError(.receiveFailed, "broken"), sent: Int64? = nil
    ) -> String {
        var reply = UploadReply(nil, from: machine.subject.target, error: error)
        reply.sent = sent
        return note(machine.ended(reply))
    }

    private mutating func note(_ step: UploadStep) -> String {
        if let exchange = step.exchange { content = String(decoding: exchange.content ?? [], as: UTF8.self) }
        lastError = step.error ?? lastError
        return step.words(Self.words)
    }

    /// `PUT /b/k?uploadId=u&partNumber=1 checksum 0-8388608`
    static func words(_ exchange: UploadExchange) -> String {
        var words = [exchange.method.rawValue, exchange.url.target]
        if let algorithm = exchange.fields[MultipartUpload.checksumAlgorithm] { words.append(algorithm) }
        if exchange.signature?.statesChecksum == true { words.append("checksum") }
        if let body = exchange.body {
            words.append(body.isEmpty ? "empty" : "\(body.lowerBound)-\(body.upperBound)")
        }
        return words.joined(separator: " ")
    }
}
