// SPDX-License-Identifier: MIT

import Glibc
import TerminalInterface
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct MessageCatalogTests {
    @Test(arguments: [
        ("/d/a", "/d/a: exists already", "exists already"), ("/d/a", "h: connection refused", "h: connection refused"),
        ("/d/a", "/d/a.fileq-part: was cut short", "/d/a.fileq-part: was cut short"),
    ]) func namesTheFileOnce(_ file: String, _ message: String, _ text: String) {
        let transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .download, url: "http://h/a", file: file,
            status: .failed(.init(), TransferError(.other, message)))
        #expect(MessageCatalog.failure(of: transfer) == text)
        #expect(ResultText.failure(transfer) == "failed: \(text)")
        #expect(MessageCatalog.failure(of: Transfer(id: transfer.id, kind: .download, url: "", file: file)) == nil)
    }

    @Test func namesTheFileWithTheBytes() {
        var error = TransferError(.partialFile, "h: the connection was lost")
        (error.fields.partialFile, error.fields.partialBytes) = ("a.fileq-part", 5)
        #expect(
            MessageCatalog.text(error)
                == "h: the connection was lost; 5 bytes are in a.fileq-part; this server does not allow resuming them")
    }

    @Test(arguments: [
        (TransferNote.text("as it was"), "as it was"), (.failure(TransferError(.other, "h: broke")), "h: broke"),
        (
            .restarted(.changed, file: "out.bin.fileq-part", bytes: 200_000),
            "started from the first byte: the file changed on the server; out.bin.fileq-part keeps its 200000 bytes "
                + "until the new version is whole"
        ),
        (
            .restarted(.failure(TransferError(.rangeRefused, "h: no ranges"))),
            "started from the first byte: h: no ranges"
        ),
        (
            .mirror(failed: "a.test", next: "b.test", TransferError(.httpStatus, "a.test: returned 404")),
            "a.test failed (a.test: returned 404); asking b.test"
        ), (.wrongMirror("a.test"), "a.test sent other bytes than it should; it is not asked any more"),
        (.adopted(at: 7), "continued at byte 7, which this program did not send"),
        (.predecessor(TransferID(rawValue: 3), .failed), "after 3, which failed"),
        (.predecessor(TransferID(rawValue: 3), .cancelled), "after 3, which was cancelled"),
        (.predecessor(TransferID(rawValue: 3), nil), "after 3, which has left the list without completing"),
        (.relocated, "the address or login was replaced"), (.moved, "the file or folder was replaced"),
        (.moving(to: "/films"), "being moved to /films"),
        (.skipped, "exists already; skipped"), (.notModified, "not modified"),
        (
            .several([.encoded("gzip\n"), .notResumable]),
            "the server encoded it without being asked (Content-Encoding: gzip); the file is saved as it came; "
                + "this server does not allow resuming"
        ),
        (
            .leftBehind(file: "a.fileq-part", bytes: 7),
            "7 bytes are in a.fileq-part; this server does not allow resuming them"
        ),
        (.network(.obstacle(.noRoute(host: "h", down: "wlan0"))), "no route to h: wlan0 is down"),
        (
            .question(.login(.init(host: "a.test", port: 80, scheme: "http", realm: "staff", method: "basic"))),
            "a.test:80 asks for a login (staff), to be sent unencrypted"
        ),
        (
            .question(
                .login(
                    .init(
                        host: "p", port: 81, scheme: "http", isProxy: true, method: "digest", hasFailed: true))),
            "the proxy p:81 did not accept the login, and asks for another"
        ),
    ]) func wordsNotes(_ note: TransferNote, _ text: String) {
        #expect(MessageCatalog.text(note) == text)
    }

    @Test(arguments: [
        (PathWait.obstacle(.noInterface), String?.some("turn the network on")),
        (.obstacle(.interfaceDown("wlan0")), "turn wlan0 on"),
        (.obstacle(.routeDown(host: "h", interface: "eth0", isUp: true)), "plug the cable in, or join a network"),
        (.obstacle(.interfaceMissing("tun0")), "connect tun0, or add it again with another interface"),
        (.obstacle(.noRoute(host: "h", down: nil)), nil), (.silentResolver, nil), (.costPending(interface: "a"), nil),
        (.notAllowed(.expensive, interface: "wwan0"), "let it use this network, or connect to another one"),
    ]) func waitsNameTheRemedy(_ wait: PathWait, _ remedy: String?) {
        let transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .download, url: "http://h/a", file: "a",
            status: .waiting(NetworkWait(wait)))
        #expect(MessageCatalog.remedy(for: transfer) == remedy)
        #expect(MessageCatalog.advice(for: transfer) == remedy ?? "nothing to do: it resumes automatically")
        #expect(MessageCatalog.transferWords.reason(transfer) == wait.message)
    }

    /// Of a service of an earlier version.
    @Test func aWaitThatIsOnlyTextHasAdvice() {
        var transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .download, url: "http://h/a", file: "a",
            status: .waiting(NetworkWait(.text("only LTE"), unavailableReason: "cellular")))
        #expect(MessageCatalog.advice(for: transfer) == "let it use this network, or connect to another one")
        transfer.status = .queued()
        #expect(MessageCatalog.advice(for: transfer) == nil)
        transfer.status = .paused(.noSpace(TransferError(.diskFull, "full")))
        #expect(
            MessageCatalog.advice(for: transfer) == "free some space where the file is written, then resume it")
    }

    /// What a row of the list shows of an error, longest first, and the line below the list.
    private static let keys = InterfaceWords.Keys(
        lift: "A", retry: "r", pause: "p", cancel: "x", remove: "d", trust: "T", login: "u", top: "t", start: "r",
        limits: "L", edit: "e", replace: "r", pauseAll: "P")

    @Test(
        arguments: [
            (
                TransferError(.httpStatus, .init(phrase: "Not Found"), host: "a.test:81", status: 404),
                ["404 Not Found", "404"],
                "a.test:81 has no such file (404 Not Found). e edits the address, d removes it."
            ),
            (
                TransferError(
                    .httpStatus, .init(phrase: "Forbidden", reason: "quota used up"), host: "a.test:81", status: 403),
                ["403 Forbidden: quota used up", "403 Forbidden", "403"],
                "a.test:81 does not allow this: quota used up (403 Forbidden). r retries, d removes it."
            ),
            (
                TransferError(.httpStatus, .init(), host: "a.test:81", status: 418), ["418", "418"], "HTTP 418."
            ),
            (
                // Of an earlier version.
                TransferError(
                    .httpStatus, "a.test:81: answered 404 Not Found", fields: .init(host: "a.test:81", status: 404)),
                ["answered 404 Not Found", "404"], "Answered 404 Not Found: a.test:81. e edits the address"
            ),
            (
                TransferError(.destinationExists, "/x: exists already"),
                ["exists already", "exists already", "exists"],
                "Exists already: /x. r replaces it or saves it under another name, d removes it."
            ),
            (
                TransferError(.rangeRefused, "a.test: responded with several ranges", fields: .init(host: "a.test")),
                ["responded with several ranges"], "Responded with several ranges: a.test."
            ),
            (
                TransferError(
                    .loginDenied, "a.test:81: login declined (staff)",
                    fields: .init(host: "a.test:81", status: 401, variant: .loginDeclined)),
                ["login declined (staff)", "login declined", "declined"],
                "Login declined (staff): a.test:81. r asks again, d removes it."
            ),
            (
                TransferError(
                    .certificateUntrusted, "a.test:81: certificate rejected: self-signed certificate",
                    fields: .init(host: "a.test:81", variant: .trustDeclined)),
                ["certificate rejected: self-signed certificate", "certificate rejected", "rejected"],
                "Certificate rejected: self-signed certificate: a.test:81. r asks again, d removes it."
            ),
        ] as [(TransferError, [String], String)])
    func rowsBeginWithTheCause(_ error: TransferError, _ brief: [String], _ why: String) {
        var transfer = Transfer(
            id: TransferID(rawValue: 7), kind: .download, url: "http://a.test:81/x", file: "/x", state: .failed)
        transfer.status = .failed(.init(at: 1), error)
        #expect(MessageCatalog.brief(of: transfer) == brief)
        let lines = MessageCatalog.why(transfer, Self.keys)
        #expect(lines.first?.hasPrefix(why) == true, "\(lines)")
    }

    /// One cause has the same words in every width.
    @Test(
        arguments: [
            (.cannotConnect, ECONNREFUSED, "a.test:81: connection refused", ["connection refused", "refused"]),
            (.cannotConnect, EHOSTUNREACH, "a.test:81: no route to host", ["no route to host", "no route"]),
            (.cannotConnect, nil, "a.test:81: no connection", ["no connection"]),
            (
                .receiveFailed, ECONNRESET, "a.test:81: connection reset by peer",
                ["connection reset by peer", "connection reset", "reset"]
            ),
            (.receiveFailed, nil, "a.test:81: connection refused", ["connection refused"]),
            (
                .tlsHandshake, nil,
                "a.test:81: the server does not speak TLS on this port; check the port, or use http://",
                ["the server does not speak TLS on this port", "TLS failed", "TLS"]
            ),
            (
                .certificateUntrusted, nil, "a.test:81: self-signed certificate",
                ["self-signed certificate", "certificate"]
            ),
        ] as [(TransferError.Code, Int32?, String, [String])])
    func shortCausesAreWordsOfTheLongOnes(
        _ code: TransferError.Code, _ errno: Int32?, _ message: String, _ brief: [String]
    ) {
        var transfer = Transfer(
            id: TransferID(rawValue: 7), kind: .download, url: "http://a.test:81/x", file: "/x", state: .retrying)
        transfer.status = .retrying(at: 5, .failure(TransferError(code, message, systemErrno: errno)))
        #expect(MessageCatalog.brief(of: transfer) == brief)
    }

    @Test func captivePortalsNameTheirAddress() throws {
        var error = TransferError(
            .httpStatus, .init(phrase: "Network Authentication Required"), host: "a.test", status: 511)
        error.notePortal(try TransferURL("http://login.test/in"), for: try TransferURL("http://a.test/x"))
        var transfer = Transfer(
            id: TransferID(rawValue: 7), kind: .download, url: "http://a.test/x", file: "/x", state: .retrying)
        transfer.status = .retrying(at: 5, .failure(error))
        #expect(
            MessageCatalog.reason(of: transfer)
                == "a.test: returned 511 Network Authentication Required; sign in to the network at "
                + "http://login.test/in")
        #expect(
            MessageCatalog.brief(of: transfer)
                == ["sign in at http://login.test/in", "sign in at login.test", "sign in"])
        #expect(JSONEvents.object(error).object.contains(#""portal":"#))
    }

    /// Several servers of a host may ask.
    @Test(arguments: [
        (443, "https", ["a.test"]), (80, "http", ["a.test"]), (8443, "https", ["a.test:8443", "a.test"]),
        (443, "http", ["a.test:443", "a.test"]), (1080, "socks5", ["a.test:1080", "a.test"]),
    ])
    func loginsNameAnUnusualPort(_ port: Int, _ scheme: String, _ brief: [String]) {
        let login = ConsentQuestion.login(.init(host: "a.test", port: port, scheme: scheme, method: "basic"))
        let transfer = Transfer(
            id: TransferID(rawValue: 7), kind: .download, url: "http://a.test/x", file: "/x",
            status: .paused(.question(login)))
        #expect(MessageCatalog.brief(of: transfer) == brief)
    }

    private static let refused = TransferError(
        .cannotConnect, "a.test:81: connection refused", systemErrno: ECONNREFUSED)
    private static let missing = TransferError(.httpStatus, .init(phrase: "Not Found"), host: "a.test:81", status: 404)
    private static let unresolved = TransferError(.hostNotResolved, "a.test:81: the host's name could not be resolved")
    private static let login = ConsentQuestion.login(
        .init(host: "a.test", port: 81, scheme: "https", realm: "staff", method: "basic"))
    private static let taken = TransferError(
        .cannotWrite, file: .init(.nameInUse, holder: 7), path: "/x", variant: .nameInUse)
    private static let denied = ConsentQuestion.login(
        .init(host: "a.test", port: 81, scheme: "https", method: "basic", hasFailed: true))

    /// The cause stays as long as a shorter sentence of the keys makes room for it.
    @Test(
        arguments: [
            (.retrying(at: 5, .failure(refused)), 80, "Retries: connection refused. r retries now."),
            (.retrying(at: 5, .failure(refused)), 40, "Retries: connection refused. r retries."),
            (.retrying(at: 5, .failure(refused)), 30, "Retries: refused. r retries."),
            (.retrying(at: 5, nil), 80, "Retries. r retries now."),
            (.running(.init(rate: 1)), 80, "Runs from a.test:81."),
            (.running(.init(rate: 1, connections: 4)), 80, "Runs from a.test:81 over 4 connections."),
            (.running(.init(rate: 1, connections: 4)), 30, "Runs from a.test:81."),
            (
                .failed(.init(at: 1), missing), 90,
                "a.test:81 has no such file (404 Not Found). e edits the address, d removes it."
            ),
            (.failed(.init(at: 1), missing), 70, "a.test:81 has no such file (404 Not Found). e edits the address."),
            (.failed(.init(at: 1), missing), 40, "Not Found (404). e edits the address."),
            (.failed(.init(at: 1), unresolved), 40, "The host's name could not be resolved."),
            (.failed(.init(at: 1), refused), 50, "Connection refused: a.test:81. r retries."),
            (
                .failed(.init(at: 1), taken), 80,
                "Transfer 7 is writing this file: /x. e saves it under another name."
            ),
            (.failed(.init(at: 1), taken), 50, "Transfer 7 is writing this file: /x. e renames it."),
            (.paused(.question(login)), 80, "a.test:81 asks for a login (staff). u logs in."),
            (.paused(.question(login)), 40, "a.test:81 asks for a login. u logs in."),
            (.paused(.question(login)), 30, "Asks for a login. u logs in."),
            (.paused(.question(denied)), 90, "a.test:81 did not accept the login, and asks for another. u logs in."),
            (.paused(.question(denied)), 60, "a.test:81 did not accept the login. u logs in."),
            (.paused(.question(denied)), 35, "Login not accepted. u logs in."),
        ] as [(TransferStatus, Int, String)])
    func aLineSaysWhyBeforeItNamesAllKeys(_ status: TransferStatus, _ columns: Int, _ line: String) {
        var transfer = Transfer(
            id: TransferID(rawValue: 7), kind: .download, url: "http://a.test:81/x", file: "/x", state: .failed)
        transfer.status = status
        #expect(MessageCatalog.why(transfer, Self.keys).first { $0.utf8.count <= columns } == line)
    }

    /// An option of the command that added it changes nothing any more.
    @Test(
        arguments: [
            (
                taken, "transfer 7 is writing this file; give one of them another name with -o",
                "transfer 7 is writing this file; 'fileq relocate 9 --output NAME' gives it another name, "
                    + "then 'fileq retry 9' starts it"
            ),
            (
                .init(.destinationExists, "/x: exists already"),
                "exists already; use -o for another name, --overwrite to replace it",
                "exists already; 'fileq relocate 9' with --output NAME gives it another name, with --if-exists replace "
                    + "replaces the file; then 'fileq retry 9' starts it"
            ),
            (refused, "a.test:81: connection refused", "a.test:81: connection refused"),
        ] as [(TransferError, String, String)])
    func aTransferOfTheQueueNamesItsOwnCommands(_ error: TransferError, _ alone: String, _ queued: String) {
        var transfer = Transfer(
            id: TransferID(rawValue: 9), kind: .download, url: "http://a.test:81/x", file: "/x", state: .failed)
        transfer.status = .failed(.init(at: 1), error)
        #expect(MessageCatalog.failure(of: transfer) == alone)
        #expect(MessageCatalog.queuedFailure(of: transfer) == queued)
        #expect(ListFigures.note(transfer, now: 2) { _ in "" } == queued)
        // The screen names keys beside the cause.
        #expect(!MessageCatalog.interfaceText(error).contains(";"))
        let info = InfoLayout(screen: nil, localTime: .utc).lines(of: TransferInfo(transfer: transfer))
        #expect(info.contains { $0.hasPrefix("error") && $0.contains(queued) })
    }

    /// One sentence: what the status means, what the server says besides, and the status.
    @Test(
        arguments: [
            (
                401, .init(phrase: "Unauthorized"),
                ["a.test:81 wants a valid login (401 Unauthorized)", "Unauthorized (401)"]
            ),
            (401, .init(demand: .bearerToken), ["a.test:81 wants a bearer token (401)", "HTTP 401"]),
            (401, .init(demand: .otherBearerToken), ["a.test:81 does not accept the bearer token (401)", "HTTP 401"]),
            (403, .init(), ["a.test:81 does not allow this (403)", "HTTP 403"]),
            (404, .init(phrase: "Not Found", reason: "No such file."), notFound),
            (404, .init(phrase: "Not Found", reason: "404 not found"), notFound),
            (
                404, .init(phrase: "Not Found", reason: "no such link"),
                [
                    "a.test:81 has no such file: no such link (404 Not Found)",
                    "a.test:81 has no such file (404 Not Found)", "Not Found (404)",
                ]
            ),
            (
                410, .init(phrase: "Gone", reason: "gone"),
                ["a.test:81 no longer has this file (410 Gone)", "Gone (410)"]
            ),
            (416, .init(), ["a.test:81 does not have the requested bytes (416)", "HTTP 416"]),
            (
                429, .init(phrase: "Too Many Requests"),
                ["a.test:81 wants fewer requests (429 Too Many Requests)", "Too Many Requests (429)"]
            ),
            (
                500, .init(phrase: "Internal Server Error"),
                ["a.test:81 has a problem of its own (500 Internal Server Error)", "Internal Server Error (500)"]
            ),
            (502, .init(), ["A server behind a.test:81 has a problem (502)", "HTTP 502"]),
            (
                503, .init(phrase: "Service Unavailable", reason: "try later"),
                [
                    "a.test:81 is overloaded or in maintenance: try later (503 Service Unavailable)",
                    "a.test:81 is overloaded or in maintenance (503 Service Unavailable)", "Service Unavailable (503)",
                ]
            ),
            (
                507, .init(phrase: "Insufficient Storage"),
                ["a.test:81 has no space left (507 Insufficient Storage)", "Insufficient Storage (507)"]
            ),
            // Statuses that say as much.
            (418, .init(), ["HTTP 418"]),
            (
                409, .init(phrase: "Conflict", reason: "is a folder"),
                ["Conflict: is a folder (409)", "Conflict (409)"]
            ),
        ] as [(Int, TransferError.Refusal, [String])])
    func aResponseIsOneSentence(_ status: Int, _ refusal: TransferError.Refusal, _ facts: [String]) {
        let code: TransferError.Code = status == 401 ? .loginDenied : .httpStatus
        let error = TransferError(code, refusal, host: "a.test:81", status: status)
        #expect(MessageCatalog.facts(ofFailed: Self.failed(error)) == facts)
    }

    private static let notFound = ["a.test:81 has no such file (404 Not Found)", "Not Found (404)"]

    private static func failed(_ error: TransferError, _ kind: TransferKind = .download) -> Transfer {
        var transfer = Transfer(
            id: TransferID(rawValue: 7), kind: kind, url: "http://a.test:81/x", file: "/x", state: .failed)
        transfer.status = .failed(.init(at: 1), error)
        return transfer
    }

    @Test func aResponseNamesWhoMadeIt() {
        let error = TransferError(.httpStatus, .init(phrase: "Not Found"), host: "b.test", status: 404)
        #expect(MessageCatalog.facts(ofFailed: Self.failed(error)).first == "b.test has no such file (404 Not Found)")
        var refusal = TransferError.Refusal(phrase: "Bad Gateway", reason: "no route")
        (refusal.proxy, refusal.proxyError) = ("squid", "failed")
        let ofProxy = TransferError(.httpStatus, refusal, host: "a.test:81", status: 502)
        #expect(
            MessageCatalog.facts(ofFailed: Self.failed(ofProxy)) == [
                "Bad Gateway (made by a proxy on the way, squid: failed): no route (502)", "Bad Gateway (502)",
            ])
    }

    @Test func aResponseSaysWhatWasLearnedOfIt() {
        var busy = TransferError.Refusal(phrase: "Service Unavailable")
        busy.retryAfter = 86_400
        let later = TransferError(.httpStatus, busy, host: "a.test:81", status: 503)
        #expect(
            MessageCatalog.facts(ofFailed: Self.failed(later)).first
                == "a.test:81 is overloaded or in maintenance, and asks to wait 1d0h (503 Service Unavailable)")
        var refusal = TransferError.Refusal(phrase: "Not Found")
        let upload = TransferError(.httpStatus, refusal, host: "a.test:81", status: 404)
        #expect(
            MessageCatalog.facts(ofFailed: Self.failed(upload, .upload)).first
                == "a.test:81 has nothing at this address (404 Not Found)")
        refusal.mayLackFolder = true
        let folder = TransferError(.httpStatus, refusal, host: "a.test:81", status: 404)
        #expect(
            MessageCatalog.facts(ofFailed: Self.failed(folder, .upload)).first
                == "The folder may not exist on a.test:81 (404 Not Found)")
    }

    @Test(arguments: [
        (TransferError.Refusal(), "e edits the login, d removes it."),
        (.init(demand: .loginOrBearerToken), "e edits the login, d removes it."),
        (.init(demand: .bearerToken), "r retries, d removes it."),
    ])
    func anotherLoginHelpsWhereOneIsWanted(_ refusal: TransferError.Refusal, _ help: String) {
        let error = TransferError(.loginDenied, refusal, host: "a.test:81", status: 401)
        #expect(MessageCatalog.help(for: Self.failed(error), Self.keys).first == help)
    }

    private static let digest = Checksum(algorithm: .sha256, bytes: Array(repeating: 0xab, count: 32))

    /// Digests, of which a row and the line below the list would show parts, stand in the details.
    @Test(
        arguments: [
            (.download, 80, "The SHA-256 is not the expected one. r downloads it again, e edits the address."),
            (.download, 40, "Checksum differs. r downloads it again."),
            (.stream, 80, "The SHA-256 is not the expected one. r retries, d removes it."),
            (.source, 80, "The SHA-256 of the file is not the expected one. r retries, d removes it."),
            (.sent, 90, "The SHA-256 of what was sent is not the expected one. r retries, d removes it."),
            (.stored, 80, "The server stored other bytes than were sent. r retries, d removes it."),
        ] as [(ContentMismatch.Kind, Int, String)])
    func aWrongChecksumIsASentence(_ kind: ContentMismatch.Kind, _ columns: Int, _ line: String) {
        let error = TransferError(
            ContentMismatch(kind, expected: Self.digest, found: Array(repeating: 0xcd, count: 32)), path: "/x")
        let transfer = Self.failed(error)
        #expect(MessageCatalog.why(transfer, Self.keys).first { $0.utf8.count <= columns } == line)
        #expect(MessageCatalog.brief(of: transfer).allSatisfy { !$0.contains("abab") && !$0.contains("cdcd") })
        #expect(MessageCatalog.brief(of: transfer).suffix(2) == ["checksum differs", "checksum"])
        let failure = MessageCatalog.failure(of: transfer)
        #expect(failure?.contains(kind == .source || kind == .sent ? Self.digest.hex : "cdcd") == true)
    }

    @Test func anExistingFileWithAnotherChecksumIsReplaced() {
        let error = TransferError(
            ContentMismatch(.existing, expected: Self.digest), path: "/x", variant: .existingDiffers)
        #expect(
            MessageCatalog.why(Self.failed(error), Self.keys).first
                == "Exists already, and its SHA-256 is another: /x. r replaces it or saves it under another name, "
                + "d removes it.")
    }

    /// The line below the list of a transfer that does not move.
    @Test(
        arguments: [
            (.time("23:30", in: "3h02"), "Starts at 23:30, in 3h02. r starts it now."),
            (.next(taken: 4), "Starts next: 4 of 4 slots are taken. L changes the slots."),
            (.next(taken: nil), "Starts next."),
            (.slots(4), "Waits for a slot: 4 of 4 are taken. t moves it to the top, L changes the slots."),
            (.slots(1), "Waits for a slot: 1 of 1 is taken. t moves it to the top, L changes the slots."),
            (.host("a.test", 2), "Waits for a slot of a.test: 2 of 2 are taken. L changes the slots per server."),
            (.predecessors([3, 5, 6].map(TransferID.init(rawValue:))), "Starts after 3, 5-6."),
            (.others, "Starts when no other transfer runs."),
            (.response("0:56"), "Waiting for the server for 0:56: all bytes are sent."),
            (.silence("0:49", isUpload: false), "Nothing has arrived for 0:49."),
            (.silence("0:49", isUpload: true), "Nothing was sent for 0:49."),
        ] as [(Holdup, String)])
    func saysWhatHoldsATransferUp(_ holdup: Holdup, _ line: String) {
        let held = MessageCatalog.held(holdup, Self.keys)
        #expect(held.lines.first == line)
        #expect(held.lines.allSatisfy { $0.hasSuffix(".") && $0.utf8.count <= line.utf8.count })
    }

    @Test(arguments: [
        ("/home/ann/a.iso: exists already", "~/a.iso: exists already"), ("Saved as /home/ann/", "Saved as ~/"),
        ("'/home/ann' is a folder", "'~' is a folder"), ("/home/anna/a", "/home/anna/a"),
        ("/mnt/home/ann/a", "/mnt/home/ann/a"), ("http://h/home/ann/a", "http://h/home/ann/a"),
        ("/home/ann/a, /home/ann/b", "~/a, ~/b"), ("", ""),
    ])
    func pathsBelowTheHomeFolderBeginWithATilde(_ text: String, _ short: String) {
        #expect(HomePath("/home/ann").shortened(text) == short)
        #expect(HomePath("/home/ann/").shortened(text) == short)
        for none in [nil, "", "/", "home/ann"] { #expect(HomePath(none).shortened(text) == text) }
    }
}
