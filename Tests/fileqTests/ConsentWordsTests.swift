// SPDX-License-Identifier: MIT

import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel

@testable import fileq

private let key = "sha256//BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
private let other = "sha256//CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg="

private func trustQuestion(_ host: String = "a.test") throws -> ConsentQuestion {
    let certificate = CertificateSummary(
        subject: "CN=a\u{1b}[2J", sha256: [UInt8](repeating: 0xab, count: 32),
        publicKeySHA256: [UInt8](repeating: 7, count: 32))
    return .trust(
        try #require(.init(ServerTrust(host: host, port: 8443, chain: [certificate], failure: .init("self-signed")))))
}

private let loginQuestion = ConsentQuestion.login(
    .init(host: "a.test", port: 80, scheme: "http", realm: "staff", method: "basic"))

@Suite struct ConsentDialogueTests {
    /// What was shown, and what the answer meant.
    private func ask(
        _ question: ConsentQuestion, user: String? = nil, _ lines: TypedLine...
    ) -> (shown: [String], answer: QueueCommand?) {
        var (shown, left) = ([String](), lines)
        let dialogue = ConsentDialogue(user: user, glyphs: .unicode) { prompt, isHidden in
            shown.append(prompt + (isHidden ? "(hidden)" : ""))
            return left.removeFirst()
        }
        // The closure is called before `answer` returns.
        let answer = dialogue.answer(to: question)
        return (shown, answer)
    }

    private static let replies: [(TypedLine, QueueCommand?)] = [
        (.line("o"), .trust(.once)), (.line(" Once "), .trust(.once)), (.line("a"), .trust(.always)),
        (.line("always"), .trust(.always)),
        (.line(""), .decline()), (.line("n"), .decline()), (.line("yes"), .decline()),
        // Ctrl-D: a transfer without a reply would be paused for ever.
        (.ended, .decline()),
        (.cancelled, nil),
    ]

    @Test(arguments: replies) func trust(_ reply: TypedLine, _ command: QueueCommand?) throws {
        let (shown, answer) = ask(try trustQuestion(), reply)
        #expect(answer == command)
        let text = try #require(shown.first)
        #expect(text.hasPrefix("a.test:8443 shows a certificate that the system does not trust (self-signed)\n"))
        #expect(text.contains("public key: \(key)\n") && text.contains("SHA-256 AB:AB:AB") && !text.contains("\u{1b}"))
        #expect(text.hasSuffix("Trust it? [o]nce, [a]lways, [N]o: "))
    }

    @Test func login() {
        let (shown, answer) = ask(loginQuestion, .line("bob"), .line("secret"))
        #expect(answer == .login(Credential(user: "bob", password: "secret"), .once))
        #expect(
            shown == [
                "a.test:80 asks for a login (staff), to be sent unencrypted\nUser name: ",
                "Password of bob at a.test:80: (hidden)",
            ])
        #expect(
            ask(loginQuestion, user: "alice", .line(""), .line("secret")).answer
                == .login(Credential(user: "alice", password: "secret"), .once))
        #expect(ask(loginQuestion, user: "alice", .cancelled).answer == nil)
        #expect(ask(loginQuestion, user: "alice", .line(""), .cancelled).answer == nil)
        #expect(ask(loginQuestion, user: "alice", .ended).answer == .decline())
        #expect(ask(loginQuestion, user: "alice", .line(""), .ended).answer == .decline())
        #expect(ask(loginQuestion, .line("")).answer == .decline())
    }
}

@Suite struct ConsentAdviceTests {
    @Test func namesTheNextStep() throws {
        let refused = TransferError(.certificateUntrusted, "refused", curlCode: 60)
        let trust = try #require(ConsentAdvice.text(for: refused, try trustQuestion()))
        #expect(trust.contains("--cacert") && trust.contains("--trust a.test:8443=\(key)"))
        #expect(trust.contains("fileq trust add a.test:8443 \(key)"))
        #expect(try #require(ConsentAdvice.text(for: refused, try trustQuestion("::1"))).contains("[::1]:8443"))
        let changed = ConsentAdvice.text(for: TransferError(.pinMismatch, "x", curlCode: 90), try trustQuestion())
        #expect(try #require(changed).hasPrefix("its key differs from the one accepted before"))
        #expect(ConsentAdvice.text(for: refused, nil) == "to trust it, pass its authority with --cacert")
        #expect(ConsentAdvice.text(for: TransferError(.pinMismatch, "x", curlCode: 90), nil) == nil)
        let denied = TransferError(.loginDenied, "401")
        #expect(try #require(ConsentAdvice.text(for: denied, loginQuestion)).contains("--user"))
        for (demand, isLogin) in [
            (TransferError.Demand.bearerToken, false), (.otherBearerToken, false), (.loginOrBearerToken, true),
        ] {
            let error = TransferError(.loginDenied, .init(demand: demand), host: "a.test", status: 401)
            let advice = try #require(ConsentAdvice.text(for: error, isLogin ? loginQuestion : nil))
            #expect(advice.contains("--token-file FILE") && advice.contains("--user") == isLogin)
        }
        let proxy = ConsentQuestion.login(.init(host: "p", port: 3128, scheme: "http", isProxy: true, method: "basic"))
        #expect(try #require(ConsentAdvice.text(for: denied, proxy)).contains("USER:PASSWORD@p:3128"))
        let wrong = ConsentQuestion.login(
            .init(host: "p", port: 3128, scheme: "http", isProxy: true, method: "basic", hasFailed: true))
        #expect(ConsentAdvice.text(for: denied, wrong) == "check user and password in the proxy's URL")
    }

    /// What is added to an error is said also where the catalogue has a sentence for its variant.
    @Test(arguments: [TransferError.Variant.trustDeclined, nil])
    func isPartOfTheFailure(_ variant: TransferError.Variant?) throws {
        var error = TransferError(
            .certificateUntrusted, "a.test: certificate rejected: expired",
            fields: .init(host: "a.test", variant: variant))
        error.fields.certificate = .expired
        let transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .download, url: "https://a.test/x", file: "/d/x",
            status: .failed(.init(), error))
        let text = try #require(MessageCatalog.failure(of: ConsentAdvice.added(to: transfer)))
        #expect(text.hasPrefix("a.test: certificate rejected: expired; to trust it, pass its authority with --cacert"))
    }
}

@Suite struct TrustArgumentsTests {
    @Test func keysBelongToServers() throws {
        let one = try [
            TransferURL("https://a.test:8443/x"), TransferURL("https://a.test:8443/y"), TransferURL("http://b.test/"),
        ]
        #expect(try TrustArguments.keys([key], for: one).map(\.line) == ["a.test:8443 \(key)"])
        #expect(
            try TrustArguments.keys(["b.test=\(key)", "[::1]:99=\(other)"], for: one).map(\.line) == [
                "b.test:443 \(key)", "[::1]:99 \(other)",
            ])
    }

    @Test(arguments: [
        [key, other], ["a.test:1=\(key)", "a.test:1=\(other)"], ["sha256//abc"], ["a.test=abc"], ["abc"],
        ["a b=\(key)"],
        ["https://a.test=\(key)"], ["a.test:0=\(key)"], [""],
    ]) func rejectsInvalidKeys(_ words: [String]) throws {
        let urls = try [TransferURL("https://a.test/x")]
        #expect(throws: TransferError.self) { try TrustArguments.keys(words, for: urls) }
    }

    @Test func aKeyAloneNeedsOneServer() throws {
        #expect(throws: TransferError.self) { try TrustArguments.keys([key], for: [TransferURL("http://a.test/")]) }
        #expect(throws: TransferError.self) {
            try TrustArguments.keys([key], for: [TransferURL("https://a.test/"), TransferURL("https://b.test/")])
        }
    }

    @Test func pins() throws {
        let digits = String(repeating: "AB:", count: 31) + "ab"
        let pins = try TrustArguments.pins([key, "cert-sha256:\(digits)"])
        #expect(pins.keys == [key] && pins.certificates == [[UInt8](repeating: 0xab, count: 32)])
        for word in ["cert-sha256:", "cert-sha256:abcd", "sha1//x", ""] {
            #expect(throws: TransferError.self) { try TrustArguments.pins([word]) }
        }
    }

    @Test func theRunsOptions() throws {
        let folder = try Folder()
        let certificate = try folder.write("c", to: "c.pem"), password = try folder.write("secret\n", to: "password")
        let made = try plan([
            "get", "https://a.test/x", "--cert", certificate, "--key", certificate, "--key-password-file", password,
            "--trust", key, "--tls-min", "1.3",
        ])
        #expect(
            made.descriptions[0].options.clientIdentity
                == ClientIdentity(
                    certificate: certificate, key: certificate,
                    passphrase: Secret("secret")))
        #expect(made.settings.trustedKeys.map(\.line) == ["a.test:443 \(key)"])
        #expect(made.settings.minimumTLS == .tls13 && made.settings.maximumTLS == nil)
        for words in [
            ["--key", certificate], ["--key-password-file", password], ["--cert", "/nonexistent"],
            ["--tls-min", "1.1"],
            ["--tls-min", "1.3", "--tls-max", "1.2"],
        ] {
            #expect(throws: TransferError.self) { try plan(["get", "https://a.test/x"] + words) }
        }
    }
}

@Suite struct TypedArgumentsTests {
    @Test(arguments: [
        ("abc\r", "abc"), ("a\u{7f}b\n", "b"), ("ä\u{7f}x\n", "x"), ("abc\u{15}d\n", "d"), ("\u{7f}\u{1b}a\n", "a"),
    ]) func lines(_ typed: String, _ line: String) {
        var editor = TypedArguments()
        for byte in typed.utf8.dropLast() { #expect(editor.take(byte) == .more) }
        #expect(editor.take(typed.utf8.last ?? 0) == .done)
        #expect(String(decoding: editor.bytes, as: UTF8.self) == line)
    }

    @Test func ends() {
        var editor = TypedArguments()
        #expect(editor.take(0x04) == .ended)
        #expect(editor.take(0x61) == .more)
        #expect(editor.take(0x04) == .more)
        #expect(editor.take(0x03) == .interrupted)
    }
}
