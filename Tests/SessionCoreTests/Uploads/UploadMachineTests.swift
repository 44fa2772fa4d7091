// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import SessionCore

/// Conversations as tables: each line is what the server says and what follows it.
@Suite struct UploadMachineTests {
    // MARK: Creation

    @Test func discoveryChoosesTheProtocol() {
        for (fields, expected): (HTTPFields, String) in [
            ([.uploadLimit: "min-size=0, max-age=10"], "PUT /f v10 ?0 length=3000000 empty"),
            ([.uploadLimit: "min-size=0, expires=10"], "PUT /f v6 ?0 length=3000000 empty"),
            ([.tusVersion: "0.2.2,1.0.0", .tusExtension: "creation,expiration"], "POST / tus length=3000000 empty"),
            ([.tusVersion: "0.2.2", .tusExtension: "creation"], "plain"),
            ([.tusVersion: "1.0.0", .tusExtension: "termination"], "plain"),
            ([.uploadLimit: "max-size=100"], "end 22"),
            ([.uploadLimit: "min-size=4000000"], "plain"),
            ([.uploadLimit: "max-size=1, min-size=2"], "plain"),
            ([.tusVersion: "1.0.0", .tusExtension: "creation", .tusMaximumSize: "10"], "end 22"),
            ([:], "plain"),
        ] {
            var talk = Talk(.auto)
            #expect(talk.begin() == "OPTIONS /f")
            #expect(talk.says(204, fields) == expected, "\(fields)")
        }
    }

    @Test(arguments: [404, 405, 501, 403]) func aServerWithoutOptionsGetsAPlainUpload(_ status: Int) {
        var talk = Talk(.auto)
        #expect(talk.begin() == "OPTIONS /f")
        // Of tus, the folder knows.
        if status < 500, status != 403 { #expect(talk.says(status) == "OPTIONS /") }
        #expect(talk.says(status) == "plain")
        #expect(talk.machine.found == UploadSupport.none)
    }

    @Test func theFolderOfTheTargetAnnouncesTus() {
        let tus: HTTPFields = [.tusVersion: "1.0.0", .tusExtension: "creation"]
        var talk = Talk(.auto)
        _ = talk.begin()
        #expect(talk.says(405) == "OPTIONS /")
        #expect(talk.says(204, tus) == "POST / tus length=3000000 empty")
        // What it says of the draft is not about the target.
        talk = Talk(.auto)
        _ = talk.begin()
        _ = talk.says(405)
        #expect(talk.says(204, [.uploadLimit: "min-size=0"]) == "plain")
        // An address that names no file, and an upload with a condition, have no other.
        for (name, needsTarget) in [("other", false), ("f", true)] {
            talk = Talk(.auto, name: name, needsTarget: needsTarget)
            _ = talk.begin()
            #expect(talk.says(405) == "plain")
        }
    }

    @Test func aServerInTroubleIsAskedAgain() {
        var talk = Talk(.auto)
        #expect(talk.begin() == "OPTIONS /f")
        #expect(talk.says(503) == "failed 22")
        #expect(talk.machine.found == nil)
        #expect(talk.begin() == "OPTIONS /f")
    }

    @Test func aServerThatClosesOnOptionsGetsAPlainUpload() {
        var talk = Talk(.auto)
        _ = talk.begin()
        #expect(talk.breaks() == "plain")
        #expect(talk.machine.found == nil)
        talk = Talk(.ietf)
        _ = talk.begin()
        #expect(talk.breaks() == "failed 56")
    }

    @Test func aServerThatDoesNotRespondToOptionsIsNotAskedAgain() {
        let late = TransferError(.timedOut, "no response", fields: .init(timer: .request))
        var talk = Talk(.auto)
        _ = talk.begin()
        #expect(talk.breaks(late) == "plain")
        #expect(talk.machine.found == UploadSupport.none)
        talk = Talk(.ietf)
        _ = talk.begin()
        #expect(talk.breaks(late) == "PUT /f v10 ?1 length=3000000 0-3000000")
        // Without a connection there was no server to know it.
        talk = Talk(.auto)
        _ = talk.begin()
        #expect(talk.breaks(TransferError(.timedOut, "no connection", fields: .init(timer: .connect))) == "failed 28")
    }

    @Test(arguments: [
        (404, "refused 22"), (412, "plain"), (405, "plain"), (409, "refused 22"), (401, "failed 67"), (507, "plain"),
        (503, "failed 22"),
    ])
    func aRefusedCreationIsTheTargetsOrTheProtocols(_ status: Int, _ expected: String) {
        var talk = Talk(.auto)
        _ = talk.begin(.ietf(.v3, UploadLimits()))
        #expect(talk.says(status) == expected)
        #expect(talk.machine.found == (status == 405 ? UploadSupport.none : nil))
    }

    /// The server may have room for a plain upload, and later for others.
    @Test func withoutRoomForUnfinishedUploadsTheFileGoesPlainly() {
        for support in [UploadSupport.ietf(.v8, UploadLimits()), .tus(TusSupport())] {
            for size in [3_000_000, nil] as [Int64?] {
                var talk = Talk(.auto, size: size)
                let tus = TusSupport(defersLength: true)
                _ = talk.begin(support == .tus(TusSupport()) ? .tus(tus) : support)
                #expect(talk.says(507) == "plain" && talk.machine.found == nil && talk.machine.point == nil)
            }
            // Who asks for a protocol gets no other.
            var talk = Talk(support == .tus(TusSupport()) ? .tus : .ietf)
            _ = talk.begin(support)
            #expect(talk.says(507) == "refused 22" && !talk.machine.failedForSupport)
        }
        // What has been created continues later.
        var talk = Talk(.auto, point: 5)
        _ = talk.begin()
        #expect(talk.says(204, [.uploadOffset: "5", .uploadComplete: "?0"]).hasPrefix("PATCH"))
        #expect(talk.says(507) == "failed 22" && talk.machine.point?.offset == 5)
        #expect(talk.machine.takeRemovals().isEmpty && talk.begin() == "HEAD /u v8")
    }

    @Test func aResponseOfAnotherOriginAnnouncesNothing() {
        var talk = Talk(.auto)
        _ = talk.begin()
        #expect(talk.says(204, [.uploadLimit: "min-size=0"], from: "http://other.test/f") == "plain")
    }

    @Test func whatIsKnownOfTheServerSparesTheQuestion() {
        var talk = Talk(.auto)
        #expect(talk.begin(.ietf(.v8, UploadLimits())) == "PUT /f v8 ?0 length=3000000 empty")
        talk = Talk(.auto)
        #expect(talk.begin(UploadSupport.none) == "plain")
    }

    @Test func smallFilesGoPlainly() {
        var talk = Talk(.auto, size: ResumableUpload.smallest - 1)
        #expect(talk.begin() == "plain")
        talk = Talk(.ietf, size: 3)
        #expect(talk.begin() == "OPTIONS /f")
    }

    /// NIO's server says 400 to versions that it does not speak, tusd 412.
    @Test(arguments: [400, 412, 501]) func versionsAreOfferedNewestFirst(_ status: Int) {
        var talk = Talk(.ietf)
        _ = talk.begin()
        #expect(talk.says(404) == "PUT /f v10 ?1 length=3000000 0-3000000")
        #expect(talk.says(status) == "PUT /f v9 ?1 length=3000000 0-3000000")
        #expect(talk.says(status) == "PUT /f v8 ?1 length=3000000 0-3000000")
        #expect(talk.says(status) == "PUT /f v6 ?1 length=3000000 0-3000000")
        #expect(talk.says(status) == "PUT /f v5 ?1 0-3000000")
        #expect(talk.says(status) == "PUT /f v3 ?1 0-3000000")
        // The target may be an upload itself.
        if status != 412 { #expect(talk.says(status) == "HEAD /f v3") }
        #expect(talk.says(status == 412 ? 412 : 404) == "refused 22")
    }

    /// Servers of the draft announce nothing to a version that they do not know, nor without one.
    @Test func theQuestionHasAVersionToo() {
        var talk = Talk(.auto)
        for version in ["10", "9", "8", "6"] {
            let step = version == "10" ? talk.begin() : talk.says(400)
            #expect(step == "OPTIONS /f" && talk.lastExchange?.fields[.uploadInterop] == version)
        }
        #expect(talk.says(200, [.uploadLimit: "min-size=0"]) == "PUT /f v6 ?0 length=3000000 empty")
        // A refusal may state a version, and so may the response.
        talk = Talk(.auto)
        _ = talk.begin()
        #expect(talk.says(400, [.uploadInterop: "6"]) == "OPTIONS /f")
        #expect(talk.lastExchange?.fields[.uploadInterop] == "6")
        #expect(
            talk.says(204, [.uploadLimit: "max-age=9", .uploadInterop: "5"]) == "PUT /f v5 ?0 empty")
        // A server that refuses every question is asked once with each.
        talk = Talk(.auto)
        _ = talk.begin()
        var questions = 1
        while talk.says(400) == "OPTIONS /f" { questions += 1 }
        #expect(questions == UploadInterop.preferred.count && talk.machine.found == UploadSupport.none)
        // tus has no such field.
        talk = Talk(.tus, needsTarget: true)
        #expect(talk.begin() == "OPTIONS /" && talk.lastExchange?.fields[.uploadInterop] == nil)
    }

    @Test func aRefusalMayStateTheVersion() {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v10, UploadLimits()))
        #expect(talk.says(400, [.uploadInterop: "6"]) == "PUT /f v6 ?0 length=3000000 empty")
        #expect(talk.says(400, [.uploadInterop: "9"]) == "PUT /f v5 ?0 empty")
    }

    /// By its completeness, a refusal of the whole file is the target's: the file is not sent in another way.
    @Test func aVerdictOnTheCreationIsFinal() {
        for status in [400, 412, 415, 501] {
            var talk = Talk(.ietf)
            _ = talk.begin(UploadSupport.none)
            #expect(talk.says(status, [.uploadComplete: "?1"]) == "refused 22" && !talk.machine.failedForSupport)
        }
    }

    @Test func requestsWithContentAreIncremental() {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v10, UploadLimits()))
        #expect(talk.lastExchange?.fields[.incremental] == nil)
        _ = talk.says(201, [.location: "/u"])
        #expect(talk.lastExchange?.fields[.incremental] == "?1")
        _ = talk.breaks()
        #expect(talk.begin() == "HEAD /u v10" && talk.lastExchange?.fields[.incremental] == nil)
        // Neither completeness nor a length need be stated.
        #expect(talk.says(204, [.uploadOffset: "5"]) == "PATCH /u v10 ?1 @5 5-3000000")
    }

    /// Some proxies let no HEAD through.
    @Test func whereHeadIsRefusedGetAsks() {
        for status in [403, 405, 501] {
            var talk = Talk(.ietf, point: 500)
            #expect(talk.begin() == "HEAD /u v8")
            #expect(talk.says(status) == "GET /u v8")
            #expect(
                talk.says(204, [.uploadOffset: "600", .uploadComplete: "?0"]) == "PATCH /u v8 ?1 @600 600-3000000")
            _ = talk.breaks()
            #expect(talk.begin() == "GET /u v8")
            #expect(talk.says(status) == "refused 22")
        }
    }

    /// Prepared, and not offered.
    @Test func thePublishedFormHasNoVersion() {
        #expect(!UploadInterop.preferred.contains(.published))
        var talk = Talk(.ietf, point: 500, .ietf(.published))
        #expect(talk.begin() == "HEAD /u")
        #expect(talk.says(204, [.uploadOffset: "500", .uploadComplete: "?0"]) == "PATCH /u ?1 @500 500-3000000")
        #expect(talk.gets([.uploadOffset: "600"]) == .confirmed && talk.gets([.uploadInterop: "8"]) == .nothing)
        #expect(talk.says(201, [.uploadComplete: "?1"]) == "finish")
    }

    @Test func aServerThatKnowsNothingTakesTheOptimisticCreation() {
        var talk = Talk(.ietf)
        _ = talk.begin()
        _ = talk.says(405)
        #expect(talk.says(201) == "finish")
    }

    @Test func theAddressIsKnownBeforeTheContent() {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        #expect(talk.says(201, [.location: "/u"]) == "commit PATCH /u v8 ?1 @0 0-3000000")
        #expect(talk.machine.point?.url == "http://host.test/u")
        #expect(talk.says(201) == "finish")
        #expect(talk.machine.point?.offset == 3_000_000)
    }

    @Test func aCarefulCreationWithoutAddressGoesPlainly() {
        var talk = Talk(.auto)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        #expect(talk.says(201) == "plain")
        talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        #expect(talk.says(201) == "end 55")
    }

    /// It would make the target the upload resource.
    @Test func anEmptyAddressIsNone() {
        let support = UploadSupport.ietf(.v8, UploadLimits())
        for (resumption, expected) in [(UploadResumption.auto, "plain"), (.ietf, "end 55"), (.tus, "end 55")] {
            var talk = Talk(resumption)
            _ = talk.begin(support)
            #expect(talk.says(201, [.location: ""]) == expected && talk.machine.point == nil)
        }
        var talk = Talk(.ietf)
        _ = talk.begin(UploadSupport.none)
        #expect(talk.gets([.uploadInterop: "10", .location: ""]) == .nothing && talk.machine.point == nil)
        #expect(talk.says(201) == "finish")
    }

    @Test(arguments: [
        ("/u#part", "http://host.test/u"), ("u?a=b", "http://host.test/u?a=b"),
        ("http://host.test:80/u", "http://host.test/u"), ("//host.test/u", "http://host.test/u"),
    ]) func relativeAddressesAreResolved(_ location: String, _ url: String) {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        _ = talk.says(201, [.location: location])
        #expect(talk.machine.point?.url == url)
    }

    @Test(arguments: ["http://other.test/u", "https://host.test/u", "http://host.test:81/u"])
    func uploadsMayBeAtOtherServers(_ location: String) throws {
        var talk = Talk(.ietf)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        #expect(talk.says(201, [.location: location]) == "commit PATCH /u v8 ?1 @0 0-3000000")
        #expect(talk.lastExchange?.url.string == location && talk.machine.point?.url == location)
        #expect(talk.breaks() == "failed 56")
        #expect(talk.begin() == "HEAD /u v8" && talk.lastExchange?.url.string == location)
        // Nothing is removed there without a request of the user.
        #expect(talk.machine.removals.isEmpty && talk.machine.cancellation?.url.string == location)
        talk = Talk(.ietf)
        _ = talk.begin(UploadSupport.none)
        #expect(talk.gets([.uploadInterop: "10", .location: location]) == .created)
    }

    /// In clear text nothing goes that began over TLS.
    @Test func addressesWithoutTLSAreRefusedAsRedirectsAre() throws {
        let target = try TransferURL("https://host.test/f")
        let subject = UploadSubject(target: target, method: .put, name: "f", size: 3_000_000)
        for place in ["http://host.test/u", "http://other.test/u"] {
            var machine = ResumableUpload(subject, .ietf)
            _ = machine.begin(knowing: .ietf(.v8, UploadLimits()))
            let head = HTTPResponse(status: .created, headerFields: [.location: place])
            let step = machine.ended(UploadReply(head, from: target))
            #expect(step.error?.code == .insecureRedirect && machine.point == nil)
            let point = UploadPoint(.ietf(.v8), url: place, target: target.string)
            machine = ResumableUpload(subject, .ietf, point: point)
            #expect(machine.begin(knowing: nil).error?.code == .other)
        }
    }

    @Test func requestsAboutAnUploadStayAtItsServer() {
        var talk = Talk(.ietf)
        #expect(talk.begin() == "OPTIONS /f" && talk.lastExchange?.staysAtOrigin == false)
        _ = talk.says(204, [.uploadLimit: "min-size=0"])
        #expect(talk.lastExchange?.method == .put && talk.lastExchange?.staysAtOrigin == false)
        _ = talk.says(201, [.location: "/u"])
        #expect(talk.lastExchange?.method == .patch && talk.lastExchange?.staysAtOrigin == true)
        _ = talk.breaks()
        _ = talk.begin()
        #expect(talk.lastExchange?.method == .head && talk.lastExchange?.staysAtOrigin == true)
        #expect(talk.machine.cancellation?.staysAtOrigin == true)
    }

    /// Each request would have all of the rest.
    @Test func aServerThatTakesCrumbsGetsSmallerRequestsAndPauses() {
        var talk = Talk(.tus, point: 0, .tus)
        _ = talk.begin()
        #expect(talk.says(200, [.uploadOffset: "0"]) == "PATCH /u tus @0 0-3000000")
        #expect(talk.says(204, [.uploadOffset: "1"]) == "HEAD /u tus")
        #expect(talk.says(200, [.uploadOffset: "1"]) == "PATCH /u tus @1 1-1048577")
        for offset in 2...4 { #expect(talk.says(204, [.uploadOffset: "\(offset)"]).hasPrefix("PATCH")) }
        #expect(talk.says(204, [.uploadOffset: "5"]) == "busy 55" && talk.machine.point?.offset == 5)
        // One that takes as much as it states gets more at once, in requests that fit.
        talk = Talk(.ietf, size: 900_000_000, point: 0)
        _ = talk.begin()
        #expect(
            talk.says(204, [.uploadOffset: "0", .uploadComplete: "?0"]) == "PATCH /u v8 ?1 @0 0-900000000")
        #expect(talk.says(204, [.uploadOffset: "2000000", .uploadComplete: "?0"]) == "HEAD /u v8")
        var offset = 2_000_000
        _ = talk.says(204, [.uploadOffset: "\(offset)", .uploadComplete: "?0"])
        for _ in 0..<20 {
            #expect(talk.lastExchange?.body?.count == 4_000_000)
            offset += 2_000_000
            #expect(talk.says(204, [.uploadOffset: "\(offset)"]).hasPrefix("PATCH"))
        }
    }

    // MARK: Streams

    @Test func aStreamIsAppendedAsItIsRead() {
        var talk = Talk(.auto, size: nil)
        #expect(talk.begin() == "OPTIONS /f")
        #expect(talk.says(204, [.uploadLimit: "max-age=100", .uploadInterop: "8"]) == "PUT /f v8 ?0 empty")
        #expect(talk.says(201, [.location: "/u"]) == "await")
        #expect(talk.machine.point?.offset == 0)
        #expect(talk.reads(upTo: 0) == nil)
        #expect(talk.reads(upTo: 5_000_000) == "PATCH /u v8 ?0 @0 0-5000000")
        // What comes meanwhile is for the next request, and no request is larger than what can be held.
        #expect(talk.reads(upTo: 20_000_000) == nil)
        #expect(talk.says(204, [.uploadOffset: "5000000"]) == "PATCH /u v8 ?0 @5000000 5000000-13388608")
        #expect(talk.reads(upTo: 20_000_000, isEnd: true) == nil)
        #expect(talk.says(204, [.uploadOffset: "13388608"]) == "PATCH /u v8 ?1 @13388608 13388608-20000000")
        #expect(talk.says(201) == "finish")
        #expect(talk.machine.size == 20_000_000)
    }

    /// Of a stream the client decides how much a request has; the last one may be shorter.
    @Test func aStreamObeysTheSmallestAppend() {
        var talk = Talk(.auto, size: nil)
        _ = talk.begin(.ietf(.v8, UploadLimits(minimumAppend: 1000)))
        #expect(talk.says(201, [.location: "/u"]) == "await")
        #expect(talk.reads(upTo: 999) == nil)
        #expect(talk.reads(upTo: 1500) == "PATCH /u v8 ?0 @0 0-1500")
        #expect(talk.reads(upTo: 1700) == nil)
        #expect(talk.says(204, [.uploadOffset: "1500"]) == "await")
        #expect(talk.reads(upTo: 1700, isEnd: true) == "PATCH /u v8 ?1 @1500 1500-1700")
        // More than is held at once cannot be asked for.
        talk = Talk(.auto, size: nil)
        _ = talk.begin(.ietf(.v8, UploadLimits(minimumAppend: 100_000_000)))
        _ = talk.says(201, [.location: "/u"])
        #expect(talk.reads(upTo: 16_000_000) == "PATCH /u v8 ?0 @0 0-8388608")
    }

    @Test func theEndOfAStreamMayComeAfterItsLastByte() {
        var talk = Talk(.ietf, size: nil)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        _ = talk.says(201, [.location: "/u"])
        _ = talk.reads(upTo: 100)
        #expect(talk.reads(upTo: 100, isEnd: true) == nil)
        // The request under way did not say that it is the last.
        #expect(talk.says(204, [.uploadOffset: "100"]) == "PATCH /u v8 ?1 @100 empty")
        #expect(talk.says(201) == "finish")
        // An empty stream.
        talk = Talk(.ietf, size: nil)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        _ = talk.says(201, [.location: "/u"])
        #expect(talk.reads(upTo: 0, isEnd: true) == "PATCH /u v8 ?1 @0 empty")
    }

    @Test func aStreamContinuesFromWhatIsConfirmed() {
        var talk = Talk(.ietf, size: nil)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        _ = talk.says(201, [.location: "/u"])
        _ = talk.reads(upTo: 1000)
        #expect(talk.breaks() == "failed 56")
        #expect(talk.reads(upTo: 2000) == nil)
        #expect(talk.begin() == "HEAD /u v8")
        #expect(talk.says(204, [.uploadOffset: "400", .uploadComplete: "?0"]) == "PATCH /u v8 ?0 @400 400-2000")
        #expect(talk.breaks() == "failed 56")
        _ = talk.begin()
        // All of it, and no more to send yet.
        #expect(talk.says(204, [.uploadOffset: "2000", .uploadComplete: "?0"]) == "await")
        #expect(talk.reads(upTo: 2000, isEnd: true) == "PATCH /u v8 ?1 @2000 empty")
        #expect(talk.breaks() == "failed 56")
        _ = talk.begin()
        #expect(talk.says(204, [.uploadOffset: "2000", .uploadComplete: "?1"]) == "PATCH /u v8 ?1 @2000 empty")
        #expect(talk.says(201) == "finish")
    }

    @Test func aStreamThatIsCalledCompleteBeforeItsEndIsNone() {
        var talk = Talk(.ietf, size: nil)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        _ = talk.says(201, [.location: "/u"])
        _ = talk.reads(upTo: 1000)
        #expect(talk.says(201, [.uploadComplete: "?1"]) == "end 55")
        talk = Talk(.ietf, size: nil)
        _ = talk.begin(.ietf(.v8, UploadLimits()))
        _ = talk.says(201, [.location: "/u"])
        _ = talk.reads(upTo: 1000)
        #expect(talk.says(204, [.uploadOffset: "1001"]) == "end 55")
    }

    /// tus learns the length with the last bytes, once.
    @Test func tusDefersTheLength() {
        var talk = Talk(.tus, size: nil)
        #expect(talk.begin() == "POST / tus defers empty")
        #expect(talk.says(201, [.location: "/u"]) == "await")
        #expect(talk.reads(upTo: 1000) == "PATCH /u tus @0 0-1000")
        #expect(talk.reads(upTo: 1500, isEnd: true) == nil)
        #expect(talk.says(204, [.uploadOffset: "1000"]) == "PATCH /u tus @1000 length=1500 1000-1500")
        #expect(talk.breaks() == "failed 56")
        // The server has the bytes, and not the length.
        _ = talk.begin()
        #expect(
            talk.says(200, [.uploadOffset: "1500", .uploadDeferLength: "1"])
                == "PATCH /u tus @1500 length=1500 empty")
        #expect(talk.breaks() == "failed 56")
        // Both: stating the length again would be an error.
        _ = talk.begin()
        #expect(talk.says(200, [.uploadOffset: "1400", .uploadLength: "1500"]) == "restart 33")
        talk = Talk(.tus, size: nil)
        _ = talk.begin()
        _ = talk.says(201, [.location: "/u"])
        _ = talk.reads(upTo: 1500, isEnd: true)
        #expect(talk.breaks() == "failed 56")
        _ = talk.begin()
        #expect(
            talk.says(200, [.uploadOffset: "1400", .uploadLength: "1500"]) == "PATCH /u tus @1400 1400-1500")
        #expect(talk.says(204, [.uploadOffset: "1500"]) == "finish")
    }

    @Test func serversThatCannotTakeAStreamGetItPlainly() {
        var talk = Talk(.auto, size: nil)
        _ = talk.begin()
        #expect(talk.says(204, [.tusVersion: "1.0.0", .tusExtension: "creation"]) == "plain")
        talk = Talk(.auto, size: nil)
        _ = talk.begin()
        #expect(
            talk.says(204, [.tusVersion: "1.0.0", .tusExtension: "creation,creation-defer-length"])
                == "POST / tus defers empty")
        talk = Talk(.auto, size: nil)
        _ = talk.begin()
        #expect(talk.says(405) == "OPTIONS /")
        #expect(talk.says(405) == "plain")
        // Never all of it in a creation: its length is unknown.
        talk = Talk(.ietf, size: nil)
        _ = talk.begin()
        #expect(talk.says(405) == "PUT /f v10 ?0 empty")
        #expect(talk.says(201) == "end 55")
    }
}
