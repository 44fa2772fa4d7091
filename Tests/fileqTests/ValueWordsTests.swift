// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import fileq

/// Sentences about values that cannot be read.
@Suite struct ValueWordsTests {
    @Test(
        arguments: [
            (.url, "ftp://x/", "unknown scheme 'ftp': http and https are supported"),
            (.url, "http://[::1/", "the URL's IPv6 address has no closing bracket"),
            (
                .proxy, "gopher://p",
                "unknown kind of proxy: it must be one of http, https, socks4, socks4a, socks5, socks5h"
            ),
            (.proxy, "p:0", "a proxy's port is not a number from 1 to 65535"),
            (.rate, "fast", "rate 'fast': write bytes a second such as 500k, 2M or 1.5G"),
            (.filter, "size", "filter 'size': it has no value; quote it, for '<' and '>' mean something to the shell"),
            (.filter, "added:2d", "filter 'added:2d': added is compared with <, <=, > or >=, as in 'added<2d'"),
            (.filter, "kind:x", "filter 'kind:x': 'x' is not download or upload"),
            (.filter, "name:a,,b", "filter 'name:a,,b': a pattern has from 1 to 4096 bytes"),
            (.pattern, "", "a pattern has from 1 to 4096 bytes"),
            (
                .timetable, "mon",
                "timetable: 'mon' has no time; write entries such as 'mon-fri 08:00 down=512k up=100k; 23:00 off'"
            ),
            (
                .cookie, ";",
                "cookie a: the value holds a control character, ';' or a character outside ASCII; percent-encode it"
            ),
            (.checksum, "sha256:ab", "checksum: SHA-256 has 64 hexadecimal digits"),
        ] as [(Kind, String, String)])
    func areMadeOfTheValue(_ kind: Kind, _ value: String, _ text: String) throws {
        let thrown = #expect(throws: TransferError.self) { try kind.read(value) }
        let error = try #require(thrown)
        #expect(error.fields.local != nil)
        #expect(MessageCatalog.text(error) == text)
        let placed = error.prefixed("line 3: ")
        #expect(MessageCatalog.text(placed) == "line 3: \(text)")
        #expect(placed.code == error.code)
        let option = error.concerning(option: "--for 3")
        #expect(MessageCatalog.text(option) == "--for 3: \(text)")
        #expect(option.fields.option == "for")
    }

    /// A filter that is typed on the screen goes through no shell.
    @Test func theScreenNamesNoShell() throws {
        let thrown = #expect(throws: TransferError.self) { try Kind.filter.read("size") }
        let error = try #require(thrown)
        let text = "filter 'size': it has no value; it follows, as in state:failed or size>1G"
        #expect(MessageCatalog.interfaceText(error) == text)
    }

    enum Kind: Sendable {
        case url, proxy, rate, filter, pattern, timetable, cookie, checksum

        func read(_ text: String) throws {
            switch self {
            case .url: _ = try TransferURL(text)
            case .proxy: _ = try ProxyServer(parsing: text)
            case .rate: _ = try TransferRate.parse(text)
            case .filter: _ = try QueueFilter.Term(parsing: text, now: 0)
            case .pattern: _ = try GlobPattern(text)
            case .timetable: _ = try LimitTimetable(text)
            case .cookie: _ = try Cookie(name: "a", value: text)
            case .checksum: _ = try Checksum(parsing: text)
            }
        }
    }
}

/// Sentences about the background service, with the next step.
@Suite struct ServiceProblemWordsTests {
    @Test func nameWhatShowsTheOutcome() {
        let error = TransferError(.receiveFailed, .serviceClosed, variant: .additionUnknown)
        let text =
            "the background service has ended or closed the connection; whether the transfers were added is unknown, "
            + "and 'fileq list' shows it"
        #expect(MessageCatalog.text(error) == text)
    }

    @Test func reportWaits() {
        let error = TransferError(.cannotConnect, .serviceTooBusy, "/s")
        let text = MessageCatalog.text(ServiceLauncher.Report.waiting(error))
        #expect(text == "waiting: /s: the background service is too busy to reply")
    }
}

/// Sentences about what the queue refuses: they need the fields alone.
@Suite struct QueueWordsTests {
    private static let id = TransferID(rawValue: 7)

    /// An option before the sentence stays.
    @Test func keepWhatIsPutBefore() {
        let error = TransferError.unknownTransfer(Self.id).concerning(option: "--with")
        #expect(MessageCatalog.text(error) == "--with: no transfer has the id 7")
    }
}

/// Sentences about files and their bytes: they need the value, the path or host, and the errno.
@Suite struct FileWordsTests {
    /// A kind of a later version has the sentence that came with it.
    @Test func keepWhatCameFromALaterVersion() {
        var error = TransferError(.cannotWrite, file: .unknown, path: "/x")
        error.underlying.text = "/x: burns"
        #expect(MessageCatalog.text(error) == "/x: burns")
    }
}

/// Sentences about responses that are failures.
@Suite struct RefusalWordsTests {
    @Test func nameTheProxyThatMadeIt() {
        var refusal = TransferError.Refusal(phrase: "Bad Gateway", reason: "no route")
        (refusal.proxy, refusal.proxyError) = ("squid", "ERR_CONNECT_FAIL")
        let text = "h: returned 502 Bad Gateway (made by a proxy on the way, squid: ERR_CONNECT_FAIL): no route"
        #expect(MessageCatalog.text(TransferError(.httpStatus, refusal, host: "h", status: 502)) == text)
    }

    /// What is known later is part of both sentences; another message replaces them.
    @Test func grow() {
        var error = TransferError(.httpStatus, .init(phrase: "Conflict"), host: "h", status: 409)
        error.amendRefusal("; the folder may not exist on the server") { $0.mayLackFolder = true }
        error.amendRefusal(" (given up after 5 attempts)") { $0.attempts = 5 }
        error.amendRefusal("; the server asks to wait 1d0h") { $0.retryAfter = 86_400 }
        let text =
            "h: returned 409 Conflict; the folder may not exist on the server (given up after 5 attempts); "
            + "the server asks to wait 1d0h"
        #expect(error.message == text)
        #expect(MessageCatalog.text(error) == text)
        error.message = "h: has another version"
        #expect(error.fields.refusal == nil && error.fields.status == 409)
        #expect(MessageCatalog.text(error) == "h: has another version")
        var late = TransferError(.timedOut, .responseTimeout, 300.0, 4, host: "h:1", fields: .init(timer: .response))
        late.amendRefusal("; the server has taken the whole file") { $0.hasWholeBody = true }
        #expect(
            MessageCatalog.text(late)
                == "h:1: response timeout: no response for 300 s after the last of 4 bytes; the server has taken the "
                + "whole file; --response-timeout waits longer")
        var lost = TransferError(.partialFile, "h: closed")
        lost.amendRefusal("; the server asks to wait 1d0h") { $0.retryAfter = 86_400 }
        #expect(MessageCatalog.text(lost) == "h: closed; the server asks to wait 1d0h")
    }
}

/// Sentences about what goes wrong in transfers: they need the value, the code and the fields.
@Suite struct ProblemWordsTests {
    @Test func areMadeOfTheValue() {
        let error = TransferError(.insecureRedirect, .insecureRedirect, "i:2", host: "h:1")
        let text =
            "h:1: redirects from https to http (i:2), where anybody on the way can read and change what is sent; "
            + "--allow-downgrade allows it"
        var other = error
        other.underlying.text = "as it came"
        #expect(MessageCatalog.text(other) == text)
        #expect(MessageCatalog.text(error.prefixed("x: ")) == "x: \(text)")
    }

    @Test func containWhatWasLearnedLater() {
        var error = TransferError(
            .httpStatus, .proxyRefused, host: "h:1", fields: .init(proxy: "http://p:1", status: 503))
        error.amendRefusal("; the server asks to wait 1d0h") { $0.retryAfter = 86_400 }
        let text = "the proxy http://p:1 returned 503 for the connection to h:1; the server asks to wait 1d0h"
        #expect(error.message == text)
        #expect(MessageCatalog.text(error) == text)
    }

    /// A problem of another version has the sentence that came with it.
    @Test func keepWhatCameFromAnotherVersion() {
        var error = TransferError(.other, .notJoined, host: "h:1")
        error.fields.problem?.name = "luck"
        error.underlying.text = "h:1: no luck"
        #expect(MessageCatalog.text(error) == "h:1: no luck")
        error.fields.status = 503
        error.amendRefusal(" (given up after 5 attempts)") { $0.attempts = 5 }
        #expect(MessageCatalog.text(error) == "h:1: no luck (given up after 5 attempts)")
    }
}
