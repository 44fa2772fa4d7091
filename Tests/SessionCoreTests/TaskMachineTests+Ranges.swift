// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

/// Ranges, and what comes in place of them.
extension TaskMachineTests {
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
        #expect(error?.fields.problem == TransferProblem(.shortBody, 200, 300))
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

    @Test func requestsUnknownTotalsAgain() throws {
        let open = ResumePoint(offset: 100, validator: Validator(entityTag: "\"v1\""), total: nil)
        var machine = try download(resume: open)
        #expect(machine.headReceived(head(206, [(.contentRange, "bytes 100-199/*"), (.eTag, "\"v1\"")])) == .abort)
        #expect(machine.restartCause != nil)
    }
}
