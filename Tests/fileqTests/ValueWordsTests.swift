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
        #expect(error.fields.invalid != nil)
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
    @Test(
        arguments: [
            (.absent, "no background service is running; 'fileq service run' or any command that needs it starts it"),
            (
                .withoutSocket(process: 7, socket: "/s"),
                "the background service (process 7) runs, but its socket /s is gone; 'fileq service stop' stops it; "
                    + "the next command starts it again"
            ),
            (.unresponsive(process: 7), "process 7 holds the queue and does not respond; 'kill 7' ends it"),
            (.unresponsive(process: nil), "another process holds the queue and does not respond"),
            (
                .notTerminating(process: 7, seconds: 10),
                "the background service (process 7) got SIGTERM and has not ended for 10 s; 'kill -9 7' ends it, and "
                    + "no byte is lost by that"
            ),
            (
                .crashing(count: 3, signal: 4, seconds: 30, log: "/l"),
                "the background service has crashed 3 times in a row, the last time by signal 4, and is not started "
                    + "again within the next 30 s; /l may say why; 'fileq service run' starts it at once"
            ),
            (
                .unreadableReply(method: "info"),
                "the background service replied to 'info' with something this program cannot read; both should be of "
                    + "one version"
            ),
            (.closed, "the background service has ended or closed the connection"),
            (.disconnected, "the connection to the background service was closed"),
            (.interrupted, "interrupted while connecting to the background service"),
            (.endedSaying("no room"), "the background service ended before it was ready: no room"),
            (.unwritableRequest(method: "info"), "'info' cannot be put into a message"),
            (
                .needed(for: .log),
                "only the background service keeps a log; this queue ends with the program it is in"
            ),
            (
                .gone(.endsAtOnce(log: "/l")),
                "the background service is gone: the background service ends as soon as it is started; /l may say why"
            ),
        ] as [(ServiceProblem, String)])
    func nameTheNextStep(_ problem: ServiceProblem, _ text: String) {
        let error = TransferError(.other, problem)
        #expect(MessageCatalog.text(error) == text)
        #expect(!error.message.contains("fileq") && !error.message.contains("kill"))
        #expect(MessageCatalog.text(error.prefixed("x: ")).hasPrefix("x: "))
    }

    @Test func nameWhatShowsTheOutcome() {
        let error = TransferError(.receiveFailed, .closed, variant: .additionUnknown)
        let text =
            "the background service has ended or closed the connection; whether the transfers were added is unknown, "
            + "and 'fileq list' shows it"
        #expect(MessageCatalog.text(error) == text)
    }

    @Test func reportWaits() {
        let error = TransferError(.cannotConnect, .tooBusy(socket: "/s"))
        let text = MessageCatalog.text(ServiceLauncher.Report.waiting(error))
        #expect(text == "waiting: /s: the background service is too busy to reply")
    }
}

/// Sentences about what the queue refuses: they need the fields alone.
@Suite struct QueueWordsTests {
    @Test(
        arguments: [
            (.init(variant: .unknownTransfer, transfer: id), "no transfer has the id 7"),
            (.init(variant: .notStored, transfer: id), "transfer 7 is not stored any more"),
            (.init(variant: .nothingToUndo), "nothing to undo"),
            (.init(variant: .invalidPriority), "a priority is a number from 0 to 1"),
            (
                .init(variant: .waitsForItself),
                "a transfer cannot start after itself, nor after one that waits for it"
            ),
            (
                .init(variant: .alreadyCompleted, transfer: id),
                "transfer 7 is completed: there is nothing left to fetch from another address"
            ),
            (
                .init(variant: .almostCompleted, transfer: id),
                "transfer 7 has all its bytes and is about to be completed"
            ),
            (
                .init(variant: .s3StaysAtServer),
                "an upload to S3 cannot move to another server; cancel it and add it again"
            ),
            (.init(path: "/d", variant: .folderMissing), "/d: there is no such folder"),
            (.init(path: "/d", variant: .folderNotWritable), "/d: the folder cannot be written"),
            (
                .init(path: "/d/a", variant: .nameOfOtherDownload),
                "/d/a: exists already, from another download of that name"
            ),
            (
                .init(variant: .beingMoved, transfer: id),
                "transfer 7 is being changed or moved; try again when that is done"
            ),
            (.init(path: "/q", variant: .databaseDamaged), "/q: is damaged"),
            (.init(variant: .queueEnding), "the queue is ending; try again in a moment"),
            (.init(host: "h:1", variant: .trustDeclined), "as it came"),
            // Without the fields, which a program that speaks the protocol may leave out: as it came.
            (.init(variant: .unknownTransfer), "as it came"), (.init(path: "/d", variant: .fileBusy), "as it came"),
        ] as [(TransferError.Fields, String)])
    func areMadeOfTheFields(_ fields: TransferError.Fields, _ text: String) {
        let error = TransferError(.usage, "as it came", fields: fields)
        #expect(MessageCatalog.text(error).hasPrefix(text))
    }

    private static let id = TransferID(rawValue: 7)

    /// An option before the sentence stays.
    @Test func keepWhatIsPutBefore() {
        let error = TransferError.unknownTransfer(Self.id).concerning(option: "--with")
        #expect(MessageCatalog.text(error) == "--with: no transfer has the id 7")
    }
}

/// Sentences about files and their bytes: they need the value, the path or host, and the errno.
@Suite struct FileWordsTests {
    @Test(
        arguments: [
            (
                TransferError(.cannotWrite, file: .write, path: "/x", systemErrno: 13),
                "/x: cannot write: permission denied"
            ),
            (
                TransferError(.cannotWrite, file: .write, path: "/x", systemErrno: 28),
                "/x: cannot write: no space left on device; free some space"
            ),
            (
                TransferError(.cannotWrite, file: .write, path: "/x", systemErrno: 27),
                "/x: cannot write: the file would be larger than its file system or a limit of this program allows; "
                    + "save it on another file system, or raise the limit with 'ulimit -f'"
            ),
            (
                TransferError(.usage, file: .read, path: "/x", systemErrno: 24),
                "/x: cannot read: this program has as many files open as it may; raise the limit with 'ulimit -n'"
            ),
            (
                TransferError(.usage, file: .otherUser, path: "/f", variant: .foreignFolder),
                "/f: belongs to another user; set FILEQ_HOME to a folder of your own"
            ),
            (
                TransferError(.usage, file: .read, path: "/h", systemErrno: 13, variant: .fileForbidden),
                "/h: cannot read: permission denied; 'chmod 600' makes it readable, or move it away"
            ),
            (
                TransferError(.other, file: .init(.inUse, holder: 7), path: "/q", variant: .queueInUse),
                "/q: this queue is open in process 7; end that process first"
            ),
            (
                TransferError(
                    .partialFile, file: .init(.cutShort, bytes: 3, position: 5), path: "/p", variant: .mustStartAgain),
                "/p: was cut short while it was being written and holds 3 of 5 bytes; start it again"
            ),
            (
                TransferError(
                    ContentMismatch(.existing, algorithm: "sha256"), path: "/x", variant: .existingDiffers),
                "/x: exists already, and its SHA-256 is another; use --overwrite to replace it"
            ),
            (
                TransferError(ContentMismatch(.size, found: "5", expected: "7"), host: "h"),
                "h: the file has 5 bytes there, expected 7"
            ),
        ] as [(TransferError, String)])
    func areMadeOfTheValue(_ error: TransferError, _ text: String) { expectMadeOfTheValue(error, text) }

    /// A kind of a later version has the sentence that came with it.
    @Test func keepWhatCameFromALaterVersion() {
        var error = TransferError(.cannotWrite, file: .unknown, path: "/x")
        error.underlying.text = "/x: burns"
        #expect(MessageCatalog.text(error) == "/x: burns")
    }
}

/// Sentences about responses that are failures.
@Suite struct RefusalWordsTests {
    @Test(
        arguments: [
            (.init(), 404, "h: returned 404"), (.init(phrase: "Not Found"), 404, "h: returned 404 Not Found"),
            (.init(phrase: "Forbidden", reason: "quota used up"), 403, "h: returned 403 Forbidden: quota used up"),
            (.init(reason: "gone"), 404, "h: returned 404: gone"),
            (
                .init(demand: .bearerToken), 401,
                "h: returned 401: the server wants a bearer token in the Authorization header"
            ),
            (.init(demand: .init(rawValue: "of a later version")), 401, "h: returned 401"),
        ] as [(TransferError.Refusal, Int, String)])
    func areMadeOfTheResponse(_ refusal: TransferError.Refusal, _ status: Int, _ text: String) {
        let error = TransferError(.httpStatus, refusal, host: "h", status: status)
        #expect(MessageCatalog.text(error) == text)
        #expect(error.message == text)
    }

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
        error.amendRefusal("; the server asks to wait 1d 0h") { $0.retryAfter = 86_400 }
        let text =
            "h: returned 409 Conflict; the folder may not exist on the server (given up after 5 attempts); "
            + "the server asks to wait 1d 0h"
        #expect(error.message == text)
        #expect(MessageCatalog.text(error) == text)
        error.message = "h: has another version"
        #expect(error.fields.refusal == nil && error.fields.status == 409)
        #expect(MessageCatalog.text(error) == "h: has another version")
        var late = TransferError(
            .timedOut, .connection(.responseTimeout(seconds: 300, sent: 4)), host: "h:1",
            fields: .init(timer: .response))
        late.amendRefusal("; the server has taken the whole file") { $0.hasWholeBody = true }
        #expect(
            MessageCatalog.text(late)
                == "h:1: response timeout: no response for 300 s after the last of 4 bytes; the server has taken the "
                + "whole file; --response-timeout waits longer")
        var lost = TransferError(.partialFile, "h: closed")
        lost.amendRefusal("; the server asks to wait 1d 0h") { $0.retryAfter = 86_400 }
        #expect(MessageCatalog.text(lost) == "h: closed; the server asks to wait 1d 0h")
    }
}

/// Sentences about what goes wrong in transfers: they need the value, the code and the fields.
@Suite struct ProblemWordsTests {
    @Test(
        arguments: [
            (
                TransferError(
                    .sendFailed, .upload(.appendLimit(maximum: 5, least: 4096)), host: "h:1",
                    fields: .init(variant: .appendLimit)),
                "h:1: takes at most 5 bytes in one request (max-append-size), fewer than 4096; send it with "
                    + "--resumable never"
            ),
            (
                TransferError(.insecureRedirect, .connection(.insecureRedirect(to: "i:2")), host: "h:1"),
                "h:1: redirects from https to http (i:2), where anybody on the way can read and change what is sent; "
                    + "--allow-downgrade allows it"
            ),
            (
                TransferError(
                    .cannotConnect, .connection(.failed), host: "h:1", systemErrno: 111,
                    fields: .init(proxy: "http://p:1")),
                "the proxy http://p:1 (to h:1): connection refused"
            ),
            (
                TransferError(
                    .rangeRefused, .download(.unrequestedPart), host: "h:1",
                    fields: .init(status: 206, variant: .unrequestedPart)),
                "h:1: sent a part (206) though the whole was requested"
            ),
        ] as [(TransferError, String)])
    func areMadeOfTheValue(_ error: TransferError, _ text: String) { expectMadeOfTheValue(error, text) }

    @Test func containWhatWasLearnedLater() {
        var error = TransferError(
            .httpStatus, .connection(.proxyRefused), host: "h:1", fields: .init(proxy: "http://p:1", status: 503))
        error.amendRefusal("; the server asks to wait 1d 0h") { $0.retryAfter = 86_400 }
        let text = "the proxy http://p:1 returned 503 for the connection to h:1; the server asks to wait 1d 0h"
        #expect(error.message == text)
        #expect(MessageCatalog.text(error) == text)
    }

    /// A problem of another version has the sentence that came with it.
    @Test func keepWhatCameFromAnotherVersion() {
        var error = TransferError(.other, .unknown(name: "luck"), host: "h:1")
        error.underlying.text = "h:1: no luck"
        #expect(MessageCatalog.text(error) == "h:1: no luck")
        error.fields.status = 503
        error.amendRefusal(" (given up after 5 attempts)") { $0.attempts = 5 }
        #expect(MessageCatalog.text(error) == "h:1: no luck (given up after 5 attempts)")
    }
}

/// Another sentence that comes with the value changes nothing, and what precedes it stands in front.
private func expectMadeOfTheValue(
    _ error: TransferError, _ text: String, at location: SourceLocation = #_sourceLocation
) {
    #expect(MessageCatalog.text(error) == text, sourceLocation: location)
    var other = error
    other.underlying.text = "as it came"
    #expect(MessageCatalog.text(other) == text, sourceLocation: location)
    #expect(MessageCatalog.text(error.prefixed("x: ")).hasPrefix("x: "), sourceLocation: location)
}
