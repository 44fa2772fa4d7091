// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferModel

@Suite struct TransferProblemTests {
    private static let connections: [(ConnectionProblem, String)] = [
        (.failed, "h:1: transfer failed (other)"), (.reported("so it is"), "h:1: so it is"),
        (.withoutTLS, "h:1: transfer failed (other); if the port speaks TLS, use https://"),
        (
            .requestTimeout(seconds: 0.5, received: 3, sent: 4),
            "h:1: request timeout: nothing moved for 0.5 s (3 bytes received, 4 sent before)"
        ),
        (
            .responseTimeout(seconds: 300, sent: 4),
            "h:1: response timeout: no response for 300 s after the last of 4 bytes"
        ), (.connectTimeout(seconds: 30), "h:1: connect timeout: no connection within 30 s (nothing was sent)"),
        (
            .resourceTimeout(seconds: 60, received: 1, sent: 2),
            "h:1: resource timeout: not done within 60 s (1 bytes received, 2 sent)"
        ), (.proxyRefused, "the proxy returned 201 for the connection to h:1"),
        (.proxyFailed(.loginRefused), "the proxy did not accept the login"),
        (
            .proxyVariable(name: "http_proxy", .unknownScheme(known: ["http", "https"])),
            "the variable http_proxy: unknown kind of proxy: it must be one of http, https"
        ), (.notTLS, "h:1: the server does not speak TLS on this port; check the port, or use http://"),
        (.noTLSVersion, "h:1: the server speaks no version of TLS that is allowed here"),
        (
            .closedDuringTLS,
            "h:1: the server closed the connection during the TLS handshake; check that it speaks https on this port"
        ),
        (
            .withoutCloseNotify,
            "h:1: the response has no length, and TLS ended without close_notify: bytes may be missing"
        ), (.certificateUnreadable, "h:1: the server's certificate could not be read"),
        (.certificateNotApproved(nil), "h:1: the server's certificate was not approved"),
        (.certificateNotApproved(.expired), "h:1: the server's certificate was not approved: certificate has expired"),
        (.certificateNotApproved(.other("no")), "h:1: the server's certificate was not approved: no"),
        (.certificateNotPinned, "h:1: the server's certificate is not the pinned one"),
        (.exceptionNotPinned, "h:1: the exception's public key is not a pinned one"),
        (.pinWithoutTLS, "h:1: a pin was given, and plain http has no key to compare it with"),
        (.clientCertificateRequired, "h:1: the server demands a client certificate, and none was given"),
        (
            .clientCertificateRefused(alert: "alert unknown ca"),
            "h:1: the server does not accept the client certificate: alert unknown ca"
        ),
        (
            .clientCertificateUnreadable(path: "/c", errno: ENOENT),
            "h:1: the client certificate /c cannot be read: no such file or directory"
        ),
        (
            .clientKeyUnreadable(path: "/k", errno: EACCES),
            "h:1: the key of the client certificate /k cannot be read: permission denied"
        ), (.certificateDeclined, "h:1: certificate rejected: self-signed certificate"),
        (.loginDeclined(realm: nil), "h:1: login declined"), (.loginDeclined(realm: "r"), "h:1: login declined (r)"),
        (
            .passwordInClearText,
            "h:1: the password went out in clear text, since the server takes it only as Basic over http"
        ), (.bearerToken, "h:1: a bearer token is empty or holds a character no token may hold"),
        (.userName, "h:1: a user name contains a control character"),
        (.proxyScheme, "h:1: a proxy takes Basic, Digest, NTLM or Negotiate authentication only"),
        (.socksScheme, "h:1: a SOCKS proxy takes a user and a password only"),
        (
            .schemeNotBuiltIn(scheme: "NTLM", libraryVersion: "8.1"),
            "h:1: libcurl 8.1 of this system is built without NTLM authentication"
        ),
        (
            .headTooLarge,
            "h:1: the response's head is too large (more than 1000 fields, 300 KiB, or 100 KiB in a field)"
        ), (.contentLength, "h:1: the response's Content-Length is no single number"),
        (.responseRefused, "h:1: the response was refused"),
        (.noResponse, "h:1: the connection ended without a response"),
        (.unrequestedResponse, "h:1: a response without a request"),
        (.tooManyRedirects(maximum: 20), "h:1: more than 20 redirects"),
        (
            .insecureRedirect(to: "i:2"),
            "h:1: redirects from https to http (i:2), where anybody on the way can read and change what is sent"
        ), (.redirectToNoURL, "h:1: redirected to an address that is no URL"),
        (
            .redirectToInvalidURL(.port),
            "h:1: redirected to an address that cannot be used: the URL's port is not a number from 1 to 65535"
        ),
        (
            .redirectToInvalidURL(.unknownScheme("ftp")),
            "h:1: redirected to an address that cannot be used: unknown scheme 'ftp': http and https are supported"
        ),
        (
            .networkForbidden, "h:1: only an expensive network (wlan0) is up, and this transfer may not use it"
        ), (.noInterface("x!"), "h:1: 'x!' is neither an interface nor an address of this machine"),
        (.tlsLimits(lowest: "1.3", highest: "1.2"), "h:1: TLS from 1.3 on, but at most 1.2: there is no such version"),
        (
            .optionRefused("a user name", libraryVersion: "8.1", reason: "Out of memory"),
            "h:1: a user name: refused by libcurl 8.1: Out of memory"
        ), (.libraryNotStarted, "h:1: libcurl could not be started"),
        (.noFreeDescriptor, "h:1: libcurl could not be started: it needs a free descriptor"),
        (.programEnds, "h:1: the program is ending; no transfer can start"),
    ]

    private static let downloads: [(DownloadProblem, String)] = [
        (.severalRanges, "responded with several ranges though one was requested"),
        (.unrequestedPart, "sent a part (206) though the whole was requested"),
        (
            .restChanged,
            "cannot resume after the suspension: the server does not send the rest of the same version"
        ),
        (
            .outputWritten,
            "cannot resume where the last attempt stopped, and what was already written to the output cannot be taken "
                + "back"
        ),
        (
            .outputBrokeOff(bytes: 7),
            "broke off after 7 bytes; they cannot be taken back from the output, and the server sent no strong "
                + "validator to resume with"
        ), (.shortBody(received: 3, announced: 5), "3 bytes came, 5 were announced"),
        (.restMissing, "the file is not complete; its rest is requested again"),
        (.noFile(phrase: "Created"), "returned 201 Created: that is not a file"),
        (.noFile(phrase: ""), "returned 201: that is not a file"),
        (
            .otherMediaType(found: "text/html", expected: "a/b"),
            "responded with text/html and no validator instead of the rest of the a/b file, whose bytes stay"
        ), (.portalPage, "responded with a page of another server instead of the rest of the file, whose bytes stay"),
        (.rangeExceeded, "sent more bytes than the range that its 206 states, so that none of them counts"),
        (
            .doubtfulBody(bytes: 0),
            "responded with 0 bytes and no validator instead of the rest of the file, whose bytes stay"
        ),
        (.metalink, "responded with a Metalink document instead of the file"),
        (.metalinkSize(maximumBytes: 8 << 20), "the Metalink document is larger than 8 MiB"),
        (.metalinkFiles(count: 2), "the Metalink document describes 2 files"),
        (.metalinkInsecure, "the Metalink document names addresses without https only"),
        (
            .metalinkUnreadable(.line(3, .fileSize)),
            "the Metalink document cannot be read: line 3: 'size' is no number of bytes"
        ),
        (
            .noStoredResponse(.byPolicy),
            "no stored response fits the request, and the cache policy forbids loading it; choose another policy"
        ),
        (
            .noStoredResponse(.byField),
            "no stored response fits the request, and the request's only-if-cached forbids loading it; leave that out"
        ), (.storedResponseGone, "the stored response is gone"),
        (.resumeDataVersion(found: 2, own: 1), "the resume data is of version 2, this program reads 1"),
        (.resumeDataDamaged, "the resume data is damaged"),
        (.longLine(maximumBytes: 9), "a line of the response is longer than 9 bytes; read it in pieces"),
    ]

    private static let uploads: [(UploadProblem, String)] = [
        (.answeredEarly, "returned 201 before the file was sent; the server may want a login"),
        (.notStored, "returned 201 without saying that the file is stored"), (.noSession, "gave no session"),
        (.foundOnServer, "has the file already; nothing was sent"),
        (.replacedOnServer, "has replaced a file although that was forbidden; it ignores If-None-Match"),
        (.storedEmpty, "has an empty file after the upload; it drops what is sent without a length"),
        (.existsOnServer(isLater: false), "has the file already (412)"),
        (.existsOnServer(isLater: true), "has the file already, perhaps from an earlier attempt (412)"),
        (.changedOnServer(isLater: false), "has another version of the file, or none (412)"),
        (
            .outcomeUnknown(.uploadForgotten),
            "the outcome is unknown: every byte was sent, the response was lost, and the server no longer knows the "
                + "upload"
        ), (.notResumable, "does not take resumable uploads at this address by that protocol"),
        (.noOffset(part: nil), "does not say which byte the upload has reached"),
        (.noOffset(part: 2), "does not say which byte part 2 of the upload has reached"),
        (.length(expected: 5, actual: 7, part: nil), "expects 5 bytes for this upload, the file has 7"),
        (.length(expected: 5, actual: 7, part: 2), "expects 5 bytes for part 2 of this upload, it has 7"),
        (.lost(bytes: 5, part: nil), "the server has lost 5 bytes that it had confirmed"),
        (.lost(bytes: 5, part: 2), "part 2 of the upload has lost 5 bytes that the server had confirmed"),
        (.partsLost, "the server has lost the parts that it had confirmed"),
        (.partLostTwice(2), "has lost part 2 of the upload twice"),
        (.expired(part: nil), "the upload has expired on the server"),
        (.expired(part: 2), "part 2 of the upload has expired on the server"),
        (.incomplete(offset: 5, size: 7), "calls the upload complete with 5 of 7 bytes"),
        (.incomplete(offset: 5, size: nil), "calls the upload complete with 5 of an unknown number of bytes"),
        (.excess(offset: 5), "confirms 5 bytes, more than were sent"),
        (.standstill(offset: 5), "responds, and confirms no more than 5 bytes"),
        (.tooLarge(size: 7, maximum: 5), "takes files of at most 5 bytes, this one has 7"),
        (
            .appendLimit(maximum: 5, least: 4096),
            "takes at most 5 bytes in one request (max-append-size), fewer than 4096"
        ), (.otherServer("b:2"), "leads the upload to another server (b:2)"),
        (.partWithoutAddress(2), "does not say where it has created part 2"),
        (.notJoined, "returned 201 without saying that the parts are joined"),
        (.noUploadID, "does not say which upload it has created"), (.partNotConfirmed(2), "does not confirm part 2"),
        (.noPartList, "does not say which parts of the upload it has"),
        (.endlessPartList, "does not come to an end of the list of parts"),
        (.earlyResponse, "responds before it has the parts"),
        (.streamTooLong(parts: 10, partBytes: 5), "the stream is longer than 10 parts of 5 bytes"),
        (.s3(status: 403, code: "AccessDenied", message: ""), "returned 403 (AccessDenied)"),
        (.s3(status: 403, code: "AccessDenied", message: "no"), "returned 403 (AccessDenied: no)"),
        (.clockDiffers, "refuses the signature: the clock of this machine differs too much from the server's"),
        (
            .otherRegion(signed: "us-east-1", found: "eu-west-2"),
            "the bucket is in the region eu-west-2, the request was signed for us-east-1"
        ),
        (
            .otherRegion(signed: "us-east-1", found: nil),
            "the bucket is at another address or in another region, the request was signed for us-east-1"
        ), (.statedChecksum("x=", part: nil), "stored other bytes than were sent: it states the checksum x="),
        (.statedChecksum("x=", part: 2), "stored other bytes than were sent: it states the checksum x= for part 2"),
        (.statedTag("t"), "stored other bytes than were sent: it states the entity tag t"),
        (.damaged(times: 4), "received other bytes than were sent, 4 times (460)"),
        (.streamUsedUp, "asked for the body again, and what was read from a stream cannot be read twice"),
        (.streamPassed, "asks for bytes of the stream that it had confirmed; a stream cannot be read again"),
    ]

    /// Those whose sentence names no server.
    private static let own: [(UploadProblem, String)] = [
        (.noAccessKey(profile: "p", file: nil), "the profile 'p' of ~/.aws/credentials has no access key"),
        (.noAccessKey(profile: "p", file: "/f"), "the profile 'p' of /f has no access key"),
        (.streamDigest, "a stream that is sent in parts cannot be compared with a checksum"),
        (.sourceShrank, "the source became shorter while it was being sent"),
    ]

    private static let all: [(problem: TransferProblem, text: String)] = {
        var all: [(problem: TransferProblem, text: String)] = []
        for (problem, text) in connections { all.append((.connection(problem), text)) }
        for (problem, text) in downloads { all.append((.download(problem), "h:1: \(text)")) }
        for (problem, text) in uploads { all.append((.upload(problem), "h:1: \(text)")) }
        for (problem, text) in own { all.append((.upload(problem), text)) }
        return all
    }()

    private static func error(_ problem: TransferProblem) -> TransferError {
        var fields = TransferError.Fields(status: 201)
        fields.certificate = .selfSigned
        fields.wait = .notAllowed(.expensive, interface: "wlan0")
        return TransferError(.other, problem, host: "h:1", fields: fields)
    }

    private static func decoded(_ json: Data) throws -> TransferError {
        try JSONDecoder().decode(TransferError.self, from: json)
    }

    @Test(arguments: all.indices) func hasASentence(_ index: Int) {
        let (problem, text) = Self.all[index]
        #expect(Self.error(problem).message == text)
        #expect(problem.message(of: Self.error(problem)) == text)
    }

    @Test(arguments: all.indices) func survivesCoding(_ index: Int) throws {
        let error = Self.error(Self.all[index].problem)
        let read = try Self.decoded(JSONEncoder().encode(error))
        #expect(read == error)
        #expect(read.fields.problem == error.fields.problem)
    }

    /// Names of the wire form are those of the cases: each has a row above, and no two groups share one.
    @Test func everyCaseHasARow() throws {
        var names: [String] = []
        for type in ["ConnectionProblem", "DownloadProblem", "UploadProblem"] {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/TransferModel/Errors/\(type).swift").standardized
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            // Those of nested types are indented further.
            names += lines.filter { $0.hasPrefix("    case ") }.map { String($0.dropFirst(9).prefix { $0 != "(" }) }
        }
        #expect(names.count > 90 && Set(names).count == names.count)
        let written = try Self.all.map { row in
            let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(row.problem))
            return try #require((json as? [String: Any])?["name"] as? String)
        }
        #expect(Set(written) == Set(names))
    }

    @Test(arguments: ProxyFailure.allCases) func failuresOfProxiesSurviveCoding(_ failure: ProxyFailure) throws {
        let error = TransferError(
            .cannotConnect, .connection(.proxyFailed(failure)), host: "h:1", fields: .init(proxy: "socks5://p:1"))
        #expect(try Self.decoded(JSONEncoder().encode(error)) == error)
        #expect(error.message.hasPrefix(failure == .hostNotResolved ? "h:1: the host" : "the proxy socks5://p:1 "))
    }

    @Test(arguments: UploadProblem.Outcome.allCases) func unknownOutcomesSayWhy(
        _ outcome: UploadProblem.Outcome
    ) throws {
        let error = Self.error(.upload(.outcomeUnknown(outcome)))
        #expect(error.message.hasPrefix("h:1: the outcome is unknown: every byte was sent, the response was lost, "))
        #expect(try Self.decoded(JSONEncoder().encode(error)) == error)
    }

    @Test(
        arguments: [
            .notXML("syntax error"), .documentType, .depth(maximum: 32), .noMemory, .size(maximumBytes: 8 << 20),
            .notMetalink, .noFile, .noUsableFile("'a' is left out"), .files(maximum: 9), .fileSize, .digest(.sha256),
            .pieceLength, .pieces(maximum: 9, digestBytes: 32), .parts, .contradiction("size"),
            .address(.host), .address(.noScheme("x")), .line(7, .digest(.md5)),
            .line(7, .pieces(maximum: 9, digestBytes: 32)), .line(7, .address(.unknownScheme("x"))),
        ] as [DocumentProblem]) func documentsSurviveCoding(_ problem: DocumentProblem) throws
    {
        let error = Self.error(.download(.metalinkUnreadable(problem)))
        #expect(error.message == "h:1: the Metalink document cannot be read: \(problem.message)")
        #expect(try Self.decoded(JSONEncoder().encode(error)) == error)
    }

    @Test(
        arguments: [
            .character, .unknownScheme(known: ["http", "socks5"]), .credential, .openBracket, .host, .port,
        ] as [InvalidValue.ProxyProblem]) func proxiesOfVariablesSurviveCoding(
            _ problem: InvalidValue.ProxyProblem
        ) throws
    {
        let error = Self.error(.connection(.proxyVariable(name: "all_proxy", problem)))
        #expect(error.message == "the variable all_proxy: \(InvalidValue.proxy(problem).message)")
        #expect(try Self.decoded(JSONEncoder().encode(error)) == error)
    }

    @Test func anUnreachedProxyIsNamed() {
        let error = TransferError(
            .cannotConnect, .connection(.failed), host: "h:1", systemErrno: ECONNREFUSED,
            fields: .init(proxy: "http://p:1"))
        #expect(error.message == "the proxy http://p:1 (to h:1): connection refused")
    }

    @Test func otherFailuresHaveTheNumber() {
        let error = TransferError(.other, .connection(.failed), host: "h:1", curlCode: 43)
        #expect(error.message == "h:1: transfer failed (curl 43)")
    }

    @Test func theNetworkIsPartOfTheSentence() {
        var error = TransferError(.cannotConnect, .connection(.failed), host: "h:1", systemErrno: ENETUNREACH)
        error.fields.networkObstacle = "no network interface is up"
        error.reword()
        #expect(error.message == "h:1: network is unreachable (no network interface is up)")
        error.fields.networkUnavailableReason = "cellular"
        error.reword()
        #expect(error.message == "h:1: network is unreachable")
    }

    /// As a value for other languages, too.
    @Test(
        arguments: [
            .obstacle(.noInterface), .obstacle(.noRoute(host: "h", down: "eth0")),
            .notAllowed(.cellular, interface: "wwan0"), .costPending(interface: "wlan0"), .silentResolver,
            .reported("of another version"),
        ] as [PathWait]) func waitsSurviveCoding(_ wait: PathWait) throws
    {
        var error = TransferError(.cannotConnect, .connection(.failed), host: "h:1")
        (error.fields.networkObstacle, error.fields.wait) = (wait.message, wait)
        #expect(try Self.decoded(JSONEncoder().encode(error)) == error)
    }

    @Test func writesWhatItHas() throws {
        let json = try JSONEncoder().encode(TransferProblem.upload(.length(expected: 5, actual: 7, part: nil)))
        #expect(String(decoding: json, as: UTF8.self).contains(#""numbers":[5,7]"#))
        let plain = try JSONSerialization.jsonObject(with: JSONEncoder().encode(TransferProblem.connection(.failed)))
        #expect(plain as? [String: String] == ["name": "failed"])
    }

    /// Errors of earlier versions have none, those of later ones perhaps one that is not known here.
    @Test func readsOtherVersions() throws {
        let earlier = try Self.decoded(Data(#"{"code":7,"message":"h:1: no connection"}"#.utf8))
        #expect(earlier.fields.problem == nil && earlier.message == "h:1: no connection")
        let later = try Self.decoded(
            Data(#"{"code":7,"message":"h:1: no luck","problem":{"name":"luck","numbers":[7],"new":{}}}"#.utf8))
        #expect(later.fields.problem == .unknown(name: "luck") && later.message == "h:1: no luck")
        #expect(later.fields.problem?.message(of: later) == nil)
        let other = try Self.decoded(
            Data(#"{"code":7,"message":"h:1: x","problem":{"name":"outcomeUnknown","texts":["luck"]}}"#.utf8))
        #expect(other.fields.problem == .unknown(name: "outcomeUnknown"))
        let proxy = try Self.decoded(
            Data(#"{"code":7,"message":"p: is asleep","problem":{"name":"proxyFailed","texts":["sleep"]}}"#.utf8))
        #expect(proxy.fields.problem?.message(of: proxy) == nil && proxy.message == "p: is asleep")
        let wait = try Self.decoded(
            Data(
                #"{"code":7,"message":"h:1: x","wait":{"code":"orbit"},"problem":{"name":"networkForbidden"}}"#.utf8))
        #expect(wait.fields.problem?.message(of: wait) == nil && wait.message == "h:1: x")
    }

    @Test func anotherSentenceDropsTheValue() {
        var error = Self.error(.upload(.noSession))
        error.message = "something else"
        #expect(error.fields.problem == nil && error.fields.host == "h:1")
    }

    /// The message begins with the server.
    @Test(arguments: [
        ("", nil, ": the proxy wants a valid login"), ("No", "why", " No: the proxy wants a valid login (why)"),
        ("Proxy Authentication Required", nil, " Proxy Authentication Required"),
    ] as [(String, String?, String)])
    func aRefusalOfAProxyNamesIt(_ phrase: String, _ reason: String?, _ expected: String) {
        let error = TransferError(.loginDenied, .init(phrase: phrase, reason: reason), host: "h", status: 407)
        #expect(error.message == "h: returned 407" + expected)
    }

    /// What is learned later is kept beside the value.
    @Test func amendmentsKeepTheValue() {
        var error = Self.error(.upload(.noSession))
        error.amendRefusal(" (given up after 5 attempts)") { $0.attempts = 5 }
        #expect(error.message == "h:1: gave no session (given up after 5 attempts)")
        #expect(error.fields.problem == .upload(.noSession) && error.fields.refusal?.attempts == 5)
        #expect(error.fields.refusal?.amendments == " (given up after 5 attempts)")
    }
}

@Suite struct InvalidRecordTests {
    @Test(
        arguments: [
            (.spec(.operation), "a transfer is either a download or an upload"),
            (.spec(.destination), "a download goes either to a file or into a folder"),
            (.spec(.body(maximumBytes: 9)), "body: write at most 9 bytes in hexadecimal digits"),
            (.spec(.certificatePin), "certificatePins: the SHA-256 of a certificate has 64 hexadecimal digits"),
            (.spec(.pieceDigits), "pieces.digests: hexadecimal digits"),
            (.spec(.uploadMethod), "method: an upload takes one that stores content, such as PUT, POST or PATCH"),
            (.storedCookie(.equalsSign), "cookie: the name holds '='"),
            (.storedCookie(.size(maximumBytes: 9)), "cookie: larger than 9 bytes"),
            (.fileQ(.checksum(.md5)), "a FileQ upload carries a SHA-256 checksum, not MD5"),
            (.fileQ(.double(.metadata(name: "a"))), "metadata a: given twice"),
            (.fileQ(.malformed(.cookie(name: "a"))), "cookie a: malformed value"),
            (.fileQ(.encodedSize(.cookie(name: "a"), maximumBytes: 9)), "cookie a: larger than 9 bytes once encoded"),
            (.document(.line(2, .notMetalink)), "line 2: this is not a Metalink 4 document (RFC 5854)"),
            (.trustedKey, "a trusted key needs the name of a host and a port from 1 to 65535"),
        ] as [(InvalidValue, String)]) func haveASentence(_ invalid: InvalidValue, _ text: String)
    {
        let error = TransferError(invalid)
        #expect(error.code == .usage && error.message == text && error.fields.invalid == invalid)
    }

    @Test func streamsHaveAVariant() {
        #expect(TransferError(.spec(.streamedDownload)).fields.variant == .streamedDownload)
        #expect(TransferError(.spec(.streamedUpload)).fields.variant == .streamedUpload)
    }

    @Test func linesOfDocumentsPrecede() {
        let error = TransferError(.url(.host)).located(inLine: 4)
        #expect(error.message == "line 4: the URL names no valid host" && error.code == .malformedURL)
        #expect(error.fields.invalid == .document(.line(4, .address(.host))))
        #expect(TransferError(.document(.notMetalink)).located(inLine: 4).code == .usage)
    }
}
