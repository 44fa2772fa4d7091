// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

@Suite struct TaskMachineTests {
    typealias Machine = TaskMachine

    private func request(_ method: HTTPRequest.Method = .get, user: String? = nil) throws -> TransferRequest {
        var options = TransferOptions()
        if let user { options.credential = Credential(user: user, password: "secret") }
        return TransferRequest(url: try TransferURL("http://a.test/one"), method: method, options: options)
    }

    private func head(_ status: Int, _ fields: [(HTTPField.Name, String)] = []) -> HTTPResponse {
        var result = HTTPResponse(status: .init(code: status))
        for (name, value) in fields { result.headerFields.append(HTTPField(name: name, value: value)) }
        return result
    }

    private func download(resume: ResumePoint? = nil, rewindable: Bool = true) throws -> Machine {
        var machine = Machine(
            role: .download(rewindable: rewindable), request: try request(), sendsBody: false, resume: resume)
        guard machine.begun(machine.resume()) != nil else { throw TransferError(.other, "did not begin") }
        return machine
    }

    private let point = ResumePoint(offset: 100, validator: Validator(entityTag: "\"v1\""), total: 300)

    @Test func startsOnceAndNestsSuspensions() throws {
        var machine = Machine(role: .data, request: try request(), sendsBody: false)
        #expect(machine.suspend() == .none)
        #expect(machine.resume() == .none)
        guard machine.begun(machine.resume()) != nil else { return #expect(Bool(false), "second resume must begin") }
        #expect(machine.resume() == .none)
        #expect(machine.suspend() == .pause)
        #expect(machine.suspend() == .none)
        #expect(machine.resume() == .none)
        #expect(machine.resume() == .proceed)
    }

    @Test func cancelBeforeStartFinishesAndStaysFinished() throws {
        var machine = Machine(role: .data, request: try request(), sendsBody: false)
        #expect(machine.cancel() == .finish(.cancelled))
        #expect(machine.cancel() == .none)
        #expect(machine.resume() == .none)
        #expect(machine.isEnded)
    }

    /// The server has begun another version, and the network goes before its first byte: the range that was requested
    /// before belongs to the other file.
    @Test func comesBackToANewVersionFromItsFirstByte() throws {
        var machine = try download(resume: point)
        let whole = head(200, [(.eTag, "\"v2\""), (.contentLength, "300")])
        #expect(machine.headReceived(whole) == .write(offset: 0, expectedEnd: 300))
        var context = DecisionContext()
        context.waitsForConnectivity = true
        #expect(machine.pathLost(.obstacle(.noInterface), context) == .hold(.obstacle(.noInterface)))
        #expect(machine.connectivityReturned() == .cancel)
        _ = machine.exchangeEnded(.cancelled, received: 0)
        #expect(machine.plan.resume == nil)
    }

    /// Bytes of it have come: the next request asks for the rest of the new version.
    @Test func comesBackToANewVersion() throws {
        var machine = try download(resume: point)
        let whole = head(200, [(.eTag, "\"v2\""), (.contentLength, "300")])
        #expect(machine.headReceived(whole) == .write(offset: 0, expectedEnd: 300))
        #expect(machine.connectionLost() == .cancel)
        _ = machine.exchangeEnded(.cancelled, received: 7)
        #expect(machine.plan.resume?.offset == 7 && machine.plan.resume?.validator.entityTag == "\"v2\"")
    }

    /// The network changes before the response to the range: what was known of the bytes still is.
    @Test func comesBackWithWhatItKnows() throws {
        let known = try #require(point?.vouched(Validator(entityTag: "\"v2\"")))
        var machine = try download(resume: known)
        #expect(machine.connectionLost() == .cancel)
        let begun = machine.begun(machine.exchangeEnded(.cancelled, received: 0))
        #expect(begun?.resume == known)
    }

    /// The same before the response that was to replace the bytes.
    @Test func keepsTheBytesUntilTheWholeHasBegun() throws {
        var machine = try download()
        #expect(
            machine.headReceived(head(200, [(.contentLength, "300"), (.eTag, "\"v1\"")]))
                == .write(offset: 0, expectedEnd: 300))
        #expect(machine.connectionLost() == .cancel)
        _ = machine.begun(machine.exchangeEnded(.cancelled, received: 100))
        #expect(machine.headReceived(head(206, [(.contentRange, "nonsense"), (.eTag, "\"v1\"")])) == .abort)
        #expect(machine.begun(machine.exchangeEnded(.cancelled, received: 0))?.resume == nil)
        #expect(machine.connectionLost() == .cancel)
        _ = machine.begun(machine.exchangeEnded(.cancelled, received: 0))
        #expect(machine.plan.resume == nil && machine.storedPoint?.offset == 100)
    }

    @Test func cancelWinsOverALaterSuccess() throws {
        var machine = try download()
        #expect(machine.cancel() == .cancel)
        #expect(machine.exchangeEnded(nil, received: 10) == .finish(.cancelled))
        #expect(machine.exchangeEnded(nil, received: 10) == .none)
    }

    @Test func completeResponsesStartAtTheFirstByte() throws {
        var machine = try download()
        #expect(machine.headReceived(head(200, [(.contentLength, "300")])) == .write(offset: 0, expectedEnd: 300))
        #expect(machine.exchangeEnded(nil, received: 300) == .finish(nil))
    }

    @Test(arguments: [299, 301] as [Int64]) func wrongBodyLengthIsAnError(_ received: Int64) throws {
        var machine = try download()
        _ = machine.headReceived(head(200, [(.contentLength, "300")]))
        guard case .finish(let error?) = machine.exchangeEnded(nil, received: received) else {
            return #expect(Bool(false), "must fail")
        }
        #expect(error.code == .partialFile)
    }

    /// The file of an accepted body is opened by a lane; the exchange may end before.
    @Test func aBodyThatWaitsForItsFileEndsWhenThatIsOpen() throws {
        var machine = try download()
        _ = machine.headReceived(head(200, [(.contentLength, "0")]))
        machine.awaitDestination()
        #expect(machine.opening != nil)
        #expect(machine.exchangeEnded(nil, received: 0) == .none)
        #expect(machine.opening != nil && machine.exchange == nil)
        machine.destinationOpened()
        #expect(machine.bodyPlaced(.init()) == .finish(nil))
    }

    @Test func aFileThatCannotBeOpenedEndsTheTask() throws {
        let error = TransferError(.folderNotResponding, "no reply")
        var machine = try download()
        _ = machine.headReceived(head(200, [(.contentLength, "300")]))
        machine.awaitDestination()
        machine.destinationFailed(error)
        #expect(machine.isRefusing && !machine.hasResult)
        #expect(machine.exchangeEnded(TransferError(.other, "aborted"), received: 0) == .finish(error))
    }

    @Test(arguments: [false, true]) func aTaskThatWaitsForItsFileCanBeCancelled(_ hasEnded: Bool) throws {
        var machine = try download()
        _ = machine.headReceived(head(200, [(.contentLength, "0")]))
        machine.awaitDestination()
        if hasEnded {
            _ = machine.exchangeEnded(nil, received: 0)
            #expect(machine.cancel() == .finish(.cancelled))
        } else {
            #expect(machine.cancel() == .cancel)
            #expect(machine.exchangeEnded(nil, received: 0) == .finish(.cancelled))
        }
        #expect(machine.opening == nil)
    }

    @Test func appendsAMatchingRange() throws {
        var machine = try download(resume: point)
        let decision = machine.headReceived(head(206, [(.contentRange, "bytes 100-299/300"), (.eTag, "\"v1\"")]))
        #expect(decision == .write(offset: 100, expectedEnd: 300))
        #expect(machine.resumedFrom == 100)
        #expect(machine.exchangeEnded(nil, received: 200) == .finish(nil))
    }

    /// A server that ignores `If-Range` may send a part of another version.
    @Test(
        arguments: [
            ("\"v1\"", nil, nil, nil, false), ("\"v1\"", "Sun, 06 Nov 1994 08:49:37 GMT", nil, nil, false),
            ("\"v1\"", "Sun, 06 Nov 1994 08:49:37 GMT", nil, "Sun, 06 Nov 1994 08:49:37 GMT", true),
            ("\"v1\"", "Sun, 06 Nov 1994 08:49:37 GMT", "\"v1\"", nil, true),
            (nil, "Sun, 06 Nov 1994 08:49:37 GMT", nil, nil, false),
            (nil, "Sun, 06 Nov 1994 08:49:37 GMT", "\"v1\"", nil, false),
            (nil, "Sun, 06 Nov 1994 08:49:37 GMT", nil, "Sun, 06 Nov 1994 08:49:37 GMT", true),
        ] as [(String?, String?, String?, String?, Bool)])
    func aPartHasToStateItsVersion(
        _ tag: String?, _ date: String?, _ foundTag: String?, _ foundDate: String?, _ isProof: Bool
    ) throws {
        let known = Validator(
            entityTag: tag, lastModified: date, date: date == nil ? nil : "Mon, 07 Nov 1994 08:49:37 GMT")
        var machine = try download(resume: ResumePoint(offset: 100, validator: known, total: 300))
        var fields: [(HTTPField.Name, String)] = [(.contentRange, "bytes 100-299/300")]
        if let foundTag { fields.append((.eTag, foundTag)) }
        if let foundDate { fields.append((.lastModified, foundDate)) }
        let decision = machine.headReceived(head(206, fields))
        #expect(decision == (isProof ? .write(offset: 100, expectedEnd: 300) : .abort))
        #expect(machine.restartCause == (isProof ? nil : .unprovenVersion))
    }

    @Test func aCompleteResponseReplacesThePartialFile() throws {
        var machine = try download(resume: point)
        #expect(
            machine.headReceived(head(200, [(.contentLength, "400"), (.eTag, "\"v2\"")]))
                == .write(offset: 0, expectedEnd: 400))
        #expect(machine.restartCause != nil)
    }

    /// Some servers ignore a range with `If-Range`: once without that, and the part itself has to prove the version.
    @Test(
        arguments: [
            (206, "bytes 100-299/300", "\"v1\"", .write(offset: 100, expectedEnd: 300), nil),
            (206, "bytes 100-299/300", "\"v2\"", .abort, .changed),
            (206, "bytes 100-299/300", nil, .abort, .unprovenVersion),
            (206, "bytes 100-299/*", "\"v1\"", .abort, .unprovenVersion),
            (200, nil, "\"v1\"", .write(offset: 0, expectedEnd: 300), .noRanges),
        ] as [(Int, String?, String?, TaskMachine.HeadDecision, RestartCause?)])
    func requestsTheRangeOnceWithoutItsCondition(
        _ status: Int, _ range: String?, _ tag: String?, _ decision: TaskMachine.HeadDecision, _ cause: RestartCause?
    ) throws {
        var machine = try download(resume: point)
        let whole = head(200, [(.contentLength, "300"), (.eTag, "\"v1\"")])
        #expect(machine.headReceived(whole) == .abort)
        guard let plan = machine.begun(machine.exchangeEnded(.cancelled, received: 0)) else {
            return #expect(Bool(false), "must ask again")
        }
        let fields = RequestFields.make(plan: plan, options: .init(), configuration: .init())
        #expect(fields[.range] == "bytes=100-" && fields[.ifRange] == nil)
        var found = [(HTTPField.Name.contentLength, status == 206 ? "200" : "300")]
        if let range { found.append((.contentRange, range)) }
        if let tag { found.append((.eTag, tag)) }
        #expect(machine.headReceived(head(status, found)) == decision)
        #expect(machine.restartCause == cause)
    }

    /// Not where the server says that it has none, nor for a range that another connection of the download can get.
    @Test func doesNotRequestARangeAgainInVain() throws {
        let whole = [(HTTPField.Name.contentLength, "300"), (.eTag, "\"v1\"")]
        var machine = try download(resume: point)
        let refusal = head(200, whole + [(.acceptRanges, "none")])
        #expect(machine.headReceived(refusal) == .write(offset: 0, expectedEnd: 300))
        var piece = try #require(point)
        piece.end = 200
        var other = try download(resume: piece, rewindable: false)
        #expect(other.headReceived(head(200, whole)) == .abort)
        guard case .finish = other.exchangeEnded(.cancelled, received: 0) else {
            return #expect(Bool(false), "must end")
        }
        // The output of a program has no other source.
        var stream = try download(resume: point, rewindable: false)
        #expect(stream.headReceived(head(200, whole)) == .abort)
        #expect(stream.begun(stream.exchangeEnded(.cancelled, received: 0))?.resume?.isUnconditional == true)
    }

    @Test(arguments: [
        (206, "bytes 100-299/300", "\"v2\""), (206, "bytes 0-299/300", "\"v1\""), (206, "bytes 100-399/400", "\"v1\""),
        (206, "nonsense", "\"v1\""), (416, "bytes */300", "\"v1\""),
    ]) func requestsAMismatchedRangeAgainOnce(_ status: Int, _ range: String, _ tag: String) throws {
        var machine = try download(resume: point)
        #expect(machine.headReceived(head(status, [(.contentRange, range), (.eTag, tag)])) == .abort)
        guard let plan = machine.begun(machine.exchangeEnded(.cancelled, received: 0)) else {
            return #expect(Bool(false), "must ask again")
        }
        #expect(plan.resume == nil)
        #expect(machine.headReceived(head(200, [(.contentLength, "5")])) == .write(offset: 0, expectedEnd: 5))
    }

    /// A 200 without `Content-Range` that may have the rest alone: its validator or its type is that of the bytes.
    @Test(
        arguments: [
            ("\"v1\"", nil, "200", true), ("\"v1\"", "a/b", "400", true), ("\"v1\"", "a/c", nil, true),
            (nil, "a/b", "200", true), (nil, nil, "200", true), (nil, "a/b", nil, true), ("W/\"v1\"", "a/b", nil, true),
            (nil, "a/c", "200", false), (nil, "a/c", nil, false), (nil, "a/b", "300", false), (nil, "a/b", "5", false),
            ("\"v2\"", "a/b", "200", false), ("\"v2\"", "a/b", nil, false),
        ] as [(String?, String?, String?, Bool)])
    func aWholeOfAnotherLengthIsRequestedWithoutARange(
        _ tag: String?, _ type: String?, _ length: String?, _ isDoubtful: Bool
    ) throws {
        var known = try #require(point)
        known.contentType = "a/b"
        var machine = try download(resume: known)
        var fields: [(HTTPField.Name, String)] = []
        if let tag { fields.append((.eTag, tag)) }
        if let type { fields.append((.contentType, type)) }
        fields.append(length.map { (.contentLength, $0) } ?? (.transferEncoding, "chunked"))
        let decision = machine.headReceived(head(200, fields))
        guard isDoubtful else {
            #expect(decision == .write(offset: 0, expectedEnd: length.flatMap { Int64($0) }))
            return
        }
        #expect(decision == .abort)
        let begun = machine.begun(machine.exchangeEnded(.cancelled, received: 0))
        let plan = try #require(begun)
        #expect(plan.resume == nil)
        // Now it is the whole: the length that was known was not the true one.
        #expect(machine.headReceived(head(200, fields)) == .write(offset: 0, expectedEnd: length.flatMap { Int64($0) }))
        #expect(machine.restartCause == (tag == "\"v1\"" ? .noRanges : .noRangesOrChanged))
    }

    /// Only its end shows how long a response without a length is: one that ends before the size that an earlier
    /// response of the same version stated is not whole.
    @Test(arguments: [("\"v1\"", 200, false), ("\"v1\"", 300, true), ("\"v2\"", 200, true)])
    func aWholeWithoutALengthHasTheFormerSize(_ tag: String, _ received: Int64, _ isWhole: Bool) throws {
        var machine = try download(resume: point)
        let whole = head(200, [(.transferEncoding, "chunked"), (.eTag, tag)])
        if tag == "\"v1\"" {
            #expect(machine.headReceived(whole) == .abort)
            _ = machine.begun(machine.exchangeEnded(.cancelled, received: 0))
        }
        #expect(machine.headReceived(whole) == .write(offset: 0, expectedEnd: nil))
        guard case .finish(let error) = machine.exchangeEnded(nil, received: received) else {
            return #expect(Bool(false), "must end")
        }
        #expect(error?.code == (isWhole ? nil : .partialFile))
    }

    /// The same after the network has changed: the first response of the task has stated the size.
    @Test func aWholeWithoutALengthHasTheSizeThatTheTaskKnows() throws {
        var machine = try download()
        #expect(
            machine.headReceived(head(200, [(.contentLength, "300"), (.eTag, "\"v1\"")]))
                == .write(offset: 0, expectedEnd: 300))
        #expect(machine.connectionLost() == .cancel)
        _ = machine.begun(machine.exchangeEnded(.cancelled, received: 100))
        let whole = head(200, [(.eTag, "\"v1\"")])
        #expect(machine.headReceived(whole) == .abort)
        _ = machine.begun(machine.exchangeEnded(.cancelled, received: 0))
        #expect(machine.headReceived(whole) == .write(offset: 0, expectedEnd: nil))
        guard case .finish(let error) = machine.exchangeEnded(nil, received: 200) else {
            return #expect(Bool(false), "must end")
        }
        #expect(error?.fields.problem == .download(.shortBody(received: 200, announced: 300)))
    }

    /// Once without a range if the bytes came so.
    @Test(arguments: [400, 403, 405, 501], [false, true])
    func serversThatRefuseRangesAreAskedForTheWhole(_ status: Int, _ hasRanges: Bool) throws {
        var known = try #require(point)
        known.hasComeInRanges = hasRanges
        var machine = try download(resume: known)
        #expect(machine.headReceived(head(status)) == (hasRanges ? .discard : .abort))
        let step = machine.exchangeEnded(nil, received: 0)
        guard !hasRanges else {
            guard case .finish(let error?) = step else { return #expect(Bool(false), "must fail") }
            #expect(error.code == .httpStatus && error.fields.status == status)
            return
        }
        #expect(machine.begun(step)?.resume == nil)
        #expect(machine.restartCause == .noRanges)
        // The whole is refused as well, as by a link that has expired.
        #expect(machine.headReceived(head(status, [(.contentLength, "0")])) == .discard)
        guard case .finish(let error?) = machine.exchangeEnded(nil, received: 0) else {
            return #expect(Bool(false), "must fail")
        }
        #expect(error.code == .httpStatus && error.fields.status == status && !machine.hasResult)
    }

    /// The same of a part that does not match, and of one that was requested after the network had changed.
    @Test(arguments: [false, true]) func aRefusalOfTheWholeKeepsThePartialFile(_ comesBack: Bool) throws {
        var machine = try download(resume: comesBack ? nil : point)
        if comesBack {
            #expect(
                machine.headReceived(head(200, [(.contentLength, "300"), (.eTag, "\"v1\"")]))
                    == .write(offset: 0, expectedEnd: 300))
            #expect(machine.connectionLost() == .cancel)
            _ = machine.begun(machine.exchangeEnded(.cancelled, received: 100))
        }
        let other = [(HTTPField.Name.contentRange, "bytes 100-299/300"), (.eTag, "\"v2\"")]
        #expect(machine.headReceived(head(206, other)) == .abort)
        #expect(machine.begun(machine.exchangeEnded(.cancelled, received: 0))?.resume == nil)
        #expect(machine.headReceived(head(503, [(.contentLength, "9")])) == .discard)
        #expect((machine.storedPoint?.offset == 100) == comesBack)
    }

    @Test func aRefusedRangeAtTheEndCompletesTheFile() throws {
        let whole = ResumePoint(offset: 300, validator: Validator(entityTag: "\"v1\""), total: 300)
        var machine = try download(resume: whole)
        #expect(machine.headReceived(head(416, [(.contentRange, "bytes */300"), (.eTag, "\"v1\"")])) == .discard)
        #expect(machine.exchangeEnded(nil, received: 0) == .finish(nil))
        #expect(machine.hasResult)
    }

    @Test func streamsAreNeverRewound() throws {
        var machine = try download(resume: point, rewindable: false)
        #expect(machine.headReceived(head(200, [(.contentLength, "300")])) == .abort)
        guard case .finish(let error?) = machine.exchangeEnded(.cancelled, received: 0) else {
            return #expect(Bool(false), "must fail")
        }
        #expect(error.code == .partialFile)
    }

    /// What is in front of a range shows at its end, which a piece need not reach.
    @Test func piecesNeedALength() throws {
        var piece = try #require(point)
        piece.end = 200
        let fields = [(HTTPField.Name.eTag, "\"v1\""), (.contentRange, "bytes 100-199/300")]
        for (rewindable, length) in [(true, nil), (true, "100"), (false, "100"), (false, nil)] as [(Bool, String?)] {
            var machine = try download(resume: piece, rewindable: rewindable)
            let decision = machine.headReceived(
                head(206, fields + (length.map { [(.contentLength, $0)] } ?? [])))
            let isTaken = rewindable || length != nil
            #expect(decision == (isTaken ? .write(offset: 100, expectedEnd: 200) : .abort))
        }
    }

    @Test func refusesAnUnrequestedRange() throws {
        var machine = try download()
        #expect(machine.headReceived(head(206, [(.contentRange, "bytes 0-9/300")])) == .abort)
        guard case .finish(let error?) = machine.exchangeEnded(.cancelled, received: 0) else {
            return #expect(Bool(false), "must fail")
        }
        #expect(error.code == .rangeRefused)
    }

    @Test func errorStatusesKeepThePartialFile() throws {
        var machine = try download(resume: point)
        #expect(machine.headReceived(HTTPResponse(status: .serviceUnavailable)) == .discard)
        guard case .finish(let error?) = machine.exchangeEnded(nil, received: 0) else {
            return #expect(Bool(false), "must fail")
        }
        #expect(error.code == .httpStatus && error.message == "a.test: returned 503 Service Unavailable")
    }

    @Test(arguments: [
        (301, "GET", "GET", false), (302, "POST", "GET", false), (303, "PUT", "GET", false),
        (307, "POST", "POST", true),
        (308, "PUT", "PUT", true), (302, "PUT", "PUT", true), (303, "HEAD", "HEAD", false),
    ]) func redirectsKeepAllowedFields(_ status: Int, _ method: String, _ next: String, _ keepsBody: Bool) throws {
        let method = try #require(HTTPRequest.Method(method))
        let sends = method != .get && method != .head
        var machine = Machine(role: .data, request: try request(method), sendsBody: sends)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(status, [(.location, "/two")])) == .discard)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "must follow")
        }
        #expect(plan.url.string == "http://a.test/two")
        #expect(plan.method.rawValue == next)
        #expect(plan.sendsBody == keepsBody)
        #expect(plan.isOriginalOrigin)
    }

    @Test(arguments: [301, 302, 307, 308]) func aRedirectedUploadStaysAnUpload(_ status: Int) throws {
        var machine = Machine(role: .upload, request: try request(.post), sendsBody: true)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(status, [(.location, "/two")])) == .discard)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "must follow")
        }
        #expect(plan.method == .post)
        #expect(plan.sendsBody)
    }

    @Test func uploadsDoNotFollow303() throws {
        var machine = Machine(role: .upload, request: try request(.post), sendsBody: true)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(303, [(.location, "/two")])) == .deliver)
        #expect(machine.exchangeEnded(nil, received: 0) == .finish(nil))
    }

    @Test(arguments: ["99999999999999999999", "-5", "abc"]) func rejectsAnInvalidLength(_ length: String) throws {
        var machine = try download()
        #expect(machine.headReceived(head(200, [(.contentLength, length)])) == .abort)
        guard case .finish(let error?) = machine.exchangeEnded(.cancelled, received: 0) else {
            return #expect(Bool(false), "must fail")
        }
        #expect(error.code == .notHTTP)
    }

    @Test func requestsUnknownTotalsAgain() throws {
        let open = ResumePoint(offset: 100, validator: Validator(entityTag: "\"v1\""), total: nil)
        var machine = try download(resume: open)
        #expect(machine.headReceived(head(206, [(.contentRange, "bytes 100-199/*"), (.eTag, "\"v1\"")])) == .abort)
        #expect(machine.restartCause != nil)
    }

    @Test(arguments: ["http://b.test/", "https://a.test/", "http://a.test:81/"])
    func anotherOriginGetsNoSecrets(_ location: String) throws {
        var machine = Machine(role: .data, request: try request(user: "me"), sendsBody: false)
        _ = machine.begun(machine.resume())
        _ = machine.headReceived(head(302, [(.location, location)]))
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "must follow")
        }
        #expect(!plan.isOriginalOrigin)
        var options = TransferOptions()
        let key = try #require(HTTPField.Name("X-Api-Key"))
        options.headers = [
            HTTPField(name: .authorization, value: "Bearer x"), HTTPField(name: .accept, value: "a/b"),
            HTTPField(name: key, value: "secret"),
        ]
        options.cookies = [try Cookie(name: "a", value: "b")]
        options.referer = Secret("http://a.test/page?key=1")
        let fields = RequestFields.make(plan: plan, options: options, configuration: .init())
        #expect(fields[.authorization] == nil)
        #expect(fields[.cookie] == nil)
        #expect(fields[.referer] == nil)
        #expect(fields[key] == nil)
        #expect(fields[.accept] == "a/b")
    }

    @Test func repeatedFieldsAreAllSent() throws {
        var machine = Machine(role: .data, request: try request(), sendsBody: false)
        let begun = machine.begun(machine.resume())
        let plan = try #require(begun)
        let name = try #require(HTTPField.Name("X-A"))
        var options = TransferOptions()
        options.headers = [HTTPField(name: name, value: "1"), HTTPField(name: name, value: "2")]
        let fields = RequestFields.make(plan: plan, options: options, configuration: .init())
        #expect(fields[values: name] == ["1", "2"])
    }

    @Test func requestUserAgentReplacesTheSessions() throws {
        var machine = Machine(role: .data, request: try request(), sendsBody: false)
        let begun = machine.begun(machine.resume())
        let plan = try #require(begun)
        var options = TransferOptions()
        let configuration = TransferConfiguration()
        func agent() -> String? {
            RequestFields.make(plan: plan, options: options, configuration: configuration)[.userAgent]
        }
        #expect(agent() == configuration.userAgent)
        options.userAgent = "mine/1"
        #expect(agent() == "mine/1")
        options.headers = [HTTPField(name: .userAgent, value: "header/1")]
        #expect(agent() == "header/1")
    }

    @Test func limitsRedirects() throws {
        var machine = try download()
        for _ in 0..<20 {
            #expect(machine.headReceived(head(302, [(.location, "/one")])) == .discard)
            guard machine.begun(machine.exchangeEnded(nil, received: 0)) != nil else {
                return #expect(Bool(false), "must follow")
            }
        }
        #expect(machine.headReceived(head(302, [(.location, "/one")])) == .abort)
        guard case .finish(let error?) = machine.exchangeEnded(.cancelled, received: 0) else {
            return #expect(Bool(false), "must end")
        }
        #expect(error.code == .tooManyRedirects)
    }

    @Test func attemptsDigestOnceWithACredential() throws {
        var machine = Machine(role: .data, request: try request(user: "me"), sendsBody: false)
        _ = machine.begun(machine.resume())
        let challenge = head(401, [(.wwwAuthenticate, "Digest realm=\"r\", nonce=\"n\"")])
        #expect(machine.headReceived(challenge) == .discard)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "again")
        }
        #expect(plan.login?.method == .digest)
        #expect(machine.headReceived(challenge) == .deliver)
    }

    @Test(arguments: [
        ("Basic realm=\"r\"", ProtectionSpace.Method.basic), ("Digest realm=\"r\", nonce=\"n\"", .digest),
        ("Basic realm=\"r\", Digest realm=\"r\", nonce=\"n\"", .digest), ("Negotiate, Basic realm=\"r\"", .basic),
    ])
    func clearTextPasswordsWaitForTheStrongestChallenge(_ demand: String, method: ProtectionSpace.Method) throws {
        var machine = Machine(role: .data, request: try request(user: "me"), sendsBody: false)
        guard let first = machine.begun(machine.resume()) else { return #expect(Bool(false), "must begin") }
        #expect(!machine.sendsLoginPreemptively(first))
        var context = DecisionContext()
        context.supported = [.basic, .digest, .negotiate]
        let challenge = head(401, [(.wwwAuthenticate, demand)])
        #expect(machine.headReceived(challenge, context) == .discard)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "again")
        }
        #expect(plan.login?.method == method && plan.login?.credential?.user == "me")
        // Refused, it is not tried in a weaker way.
        #expect(machine.headReceived(challenge, context) == .deliver)
    }

    @Test func sendsThePasswordImmediatelyOverTLS() throws {
        let request = TransferRequest(url: try TransferURL("https://me:secret@a.test/one"))
        var machine = Machine(role: .data, request: request, sendsBody: false)
        guard let first = machine.begun(machine.resume()) else { return #expect(Bool(false), "must begin") }
        #expect(machine.sendsLoginPreemptively(first))
        #expect(machine.headReceived(head(401, [(.wwwAuthenticate, "Basic realm=\"r\"")])) == .deliver)
    }

    @Test(arguments: ["http://a.test/one", "https://a.test/one"]) func readsNetrcAfterAChallenge(
        _ url: String
    ) throws {
        var machine = Machine(role: .data, request: TransferRequest(url: try TransferURL(url)), sendsBody: false)
        guard let first = machine.begun(machine.resume()) else { return #expect(Bool(false), "must begin") }
        #expect(!machine.sendsLoginPreemptively(first) && machine.ownCredential == nil)
        var context = DecisionContext()
        context.netrc = { $0 == "a.test" ? Credential(user: "net", password: "rc") : nil }
        #expect(
            machine.headReceived(
                head(401, [(.wwwAuthenticate, "Basic realm=\"r\", Digest realm=\"r\", nonce=\"n\"")]), context)
                == .discard)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "again")
        }
        #expect(plan.login == .init(method: .digest, credential: Credential(user: "net", password: "rc")))
    }

    @Test(arguments: [TaskMachine.Role.upload, .data, .download(rewindable: true)], [nil, true, false])
    func refusesDowngradesUnlessAllowed(_ role: TaskMachine.Role, isAllowed: Bool?) throws {
        let request = TransferRequest(url: try TransferURL("https://a.test/one"), method: role == .upload ? .put : .get)
        let policy = isAllowed.map { RedirectPolicy(allowsDowngrade: $0) } ?? RedirectPolicy()
        var machine = Machine(role: role, request: request, sendsBody: role == .upload, redirectPolicy: policy)
        _ = machine.begun(machine.resume())
        // What stays with TLS is followed, a host that wants TLS gets it.
        #expect(machine.headReceived(head(307, [(.location, "https://b.test/two")])) == .discard)
        _ = machine.begun(machine.exchangeEnded(nil, received: 0))
        var context = DecisionContext()
        context.secured = { $0.host == "hsts.test" ? $0.byHTTPS : $0 }
        #expect(machine.headReceived(head(307, [(.location, "http://hsts.test/two")]), context) == .discard)
        _ = machine.begun(machine.exchangeEnded(nil, received: 0))
        let decision = machine.headReceived(head(307, [(.location, "http://c.test/two")]), context)
        guard isAllowed == false else { return #expect(decision == .discard) }
        #expect(decision == .abort)
        guard case .finish(let error?) = machine.exchangeEnded(.cancelled, received: 0) else {
            return #expect(Bool(false), "must end")
        }
        #expect(error.code == .insecureRedirect && error.message.contains("c.test"))
    }

    @Test func earlyRefusalIsTheUploadsResult() throws {
        var machine = Machine(role: .upload, request: try request(.put), sendsBody: true)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(413)) == .deliver)
        #expect(machine.exchangeEnded(TransferError(.sendFailed, "reset"), received: 0) == .finish(nil))
    }

    /// The head is the verdict on what was sent; a task with the same body has it as its result.
    @Test(arguments: [TaskMachine.Role.upload, .data]) func aCutResponseIsNoFailureOfAnUpload(
        _ role: TaskMachine.Role
    ) throws {
        var machine = Machine(role: role, request: try request(.put), sendsBody: true)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(201)) == .deliver)
        let failure = TransferError(.partialFile, .connection(.withoutCloseNotify), host: "a.test")
        #expect(machine.exchangeEnded(failure, received: 5) == .finish(role == .upload ? nil : failure))
    }

    @Test func retriesWithoutExpectAfter417() throws {
        var machine = Machine(role: .upload, request: try request(.put), sendsBody: true)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(417)) == .abort)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "again")
        }
        #expect(!plan.expectsContinue)
    }

    @Test func repeatsAnExchangeWithoutResponseOnce() throws {
        var machine = Machine(role: .data, request: try request(), sendsBody: false)
        _ = machine.begun(machine.resume())
        guard machine.begun(machine.exchangeEnded(nil, received: 0)) != nil else {
            return #expect(Bool(false), "once more")
        }
        guard case .finish(let error?) = machine.exchangeEnded(nil, received: 0) else {
            return #expect(Bool(false), "must end")
        }
        #expect(error.code == .noResponse)
        #expect(FailurePolicy.verdict(error).next == .retry)
        var upload = Machine(role: .upload, request: try request(.put), sendsBody: true)
        _ = upload.begun(upload.resume())
        guard case .finish = upload.exchangeEnded(nil, received: 0) else { return #expect(Bool(false), "must end") }
    }
}
