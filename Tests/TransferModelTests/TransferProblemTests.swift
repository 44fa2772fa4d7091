// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferModel

@Suite struct TransferProblemTests {
    private static func error(_ kind: TransferProblem.Kind) -> TransferError {
        var fields = TransferError.Fields(status: 201)
        fields.certificate = .selfSigned
        fields.wait = .notAllowed(.expensive, interface: "wlan0")
        return TransferError(.other, kind, host: "h:1", fields: fields)
    }

    private static func decoded(_ json: Data) throws -> TransferError {
        try JSONDecoder().decode(TransferError.self, from: json)
    }

    @Test func anUnreachedProxyIsNamed() {
        let error = TransferError(
            .cannotConnect, .failed, host: "h:1", systemErrno: ECONNREFUSED,
            fields: .init(proxy: "http://p:1"))
        #expect(error.message == "the proxy http://p:1 (to h:1): connection refused")
    }

    @Test func theNetworkIsPartOfTheSentence() {
        var error = TransferError(.cannotConnect, .failed, host: "h:1", systemErrno: ENETUNREACH)
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
        var error = TransferError(.cannotConnect, .failed, host: "h:1")
        (error.fields.networkObstacle, error.fields.wait) = (wait.message, wait)
        #expect(try Self.decoded(JSONEncoder().encode(error)) == error)
    }

    @Test func writesWhatItHas() throws {
        let json = try JSONEncoder().encode(TransferProblem(.length, 5, 7, Int?.none))
        #expect(String(decoding: json, as: UTF8.self).contains(#""numbers":[5,7]"#))
        let plain = try JSONSerialization.jsonObject(with: JSONEncoder().encode(TransferProblem(.failed)))
        #expect(plain as? [String: String] == ["name": "failed"])
    }

    /// Errors of earlier versions have none, those of later ones perhaps one that is not known here.
    @Test func readsOtherVersions() throws {
        let earlier = try Self.decoded(Data(#"{"code":7,"message":"h:1: no connection"}"#.utf8))
        #expect(earlier.fields.problem == nil && earlier.message == "h:1: no connection")
        let later = try Self.decoded(
            Data(#"{"code":7,"message":"h:1: no luck","problem":{"name":"luck","numbers":[7],"new":{}}}"#.utf8))
        #expect(later.fields.problem?.kind == nil && later.message == "h:1: no luck")
        #expect(later.fields.problem?.message(of: later) == nil)
        let other = try Self.decoded(
            Data(#"{"code":7,"message":"h:1: x","problem":{"name":"outcomeUnknown","texts":["luck"]}}"#.utf8))
        #expect(other.fields.problem?.message(of: other) == nil && other.message == "h:1: x")
        let proxy = try Self.decoded(
            Data(#"{"code":7,"message":"p: is asleep","problem":{"name":"proxyFailed","texts":["sleep"]}}"#.utf8))
        #expect(proxy.fields.problem?.message(of: proxy) == nil && proxy.message == "p: is asleep")
        // The sentence of a problem within the problem is missing.
        let nested = try Self.decoded(
            Data(#"{"code":3,"message":"h:1: x","problem":{"name":"redirectToInvalidURL","texts":["luck"]}}"#.utf8))
        #expect(nested.fields.problem?.message(of: nested) == nil && nested.message == "h:1: x")
        let wait = try Self.decoded(
            Data(
                #"{"code":7,"message":"h:1: x","wait":{"code":"orbit"},"problem":{"name":"networkForbidden"}}"#.utf8))
        #expect(wait.fields.problem?.message(of: wait) == nil && wait.message == "h:1: x")
    }

    @Test func anotherSentenceDropsTheValue() {
        var error = Self.error(.noSession)
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
        var error = Self.error(.noSession)
        error.amendRefusal(" (given up after 5 attempts)") { $0.attempts = 5 }
        #expect(error.message == "h:1: gave no session (given up after 5 attempts)")
        #expect(error.fields.problem?.kind == .noSession && error.fields.refusal?.attempts == 5)
        #expect(error.fields.refusal?.amendments == " (given up after 5 attempts)")
    }
}

@Suite struct LocalProblemTests {
    @Test func streamsHaveAVariant() {
        #expect(TransferError(.specStreamedDownload).fields.variant == .streamedDownload)
        #expect(TransferError(.specStreamedUpload).fields.variant == .streamedUpload)
    }

    @Test func linesOfDocumentsPrecede() {
        let error = TransferError(.urlHost).located(inLine: 4)
        #expect(error.message == "line 4: the URL names no valid host" && error.code == .malformedURL)
        #expect(error.fields.local == TransferProblem(.documentLine, 4, "address", "host"))
        #expect(TransferError(.documentNotMetalink).located(inLine: 4).code == .usage)
    }

    /// It stays in the program: others get the sentence.
    @Test func isNotWritten() throws {
        let error = TransferError(.sessionInvalidated)
        let read = try JSONDecoder().decode(TransferError.self, from: JSONEncoder().encode(error))
        #expect(read.fields.local == nil && read.message == error.message)
    }
}
