// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Certificates and logins that need the user's consent.
    @Suite(.serialized) struct ConsentTests {
        @Test(.needs(.nginx)) func explainsConsentWithoutATerminal() async throws {
            try await Stage.with { stage in
                let own = try await stage.certificate()
                let server = try await stage.nginx(tls: own)
                try Files.fill(server.file("file"), 1000)
                let place = server.origin.replacing("https://", with: "")
                let refused = try await stage.fileq("get", "-q", server.url("file"))
                expectComplaint(refused, 60, "--trust \(place)=\(own.pin)")
                #expect(refused.complaints.contains("fileq trust add \(place) \(own.pin)"))
                #expect(server.lines.isEmpty, "nothing was asked")

                for (number, word) in [own.pin, "\(place)=\(own.pin)"].enumerated() {
                    let outcome = try await stage.fileq(
                        "get", "-q", "-o", "file\(number)", "--trust", word, server.url("file"))
                    #expect(outcome.exit == 0, "\(outcome)")
                    #expect(Files.same(stage.path("file\(number)"), server.file("file")))
                }
                let other = try await stage.certificate("other")
                let wrong = try await stage.fileq("get", "-q", "--trust", other.pin, server.url("file"))
                expectComplaint(wrong, 90, "its key differs from the one accepted before")
            }
        }

        @Test(.needs(.nginx)) func trustsAKeyPermanentlyAndNoOther() async throws {
            try await Stage.with { stage in
                let own = try await stage.certificate()
                let server = try await stage.nginx(tls: own)
                try Files.fill(server.file("file"), 1000)
                let place = server.origin.replacing("https://", with: "")
                #expect(try await stage.fileq("trust", "add", place, own.pin).exit == 0)
                let list = try await stage.fileq("trust", "list")
                #expect(list.text.hasPrefix("\(place) \(own.pin) "), "\(list)")
                let json = try #require(try await stage.fileq("trust", "list", "--json").events().first)
                #expect(json.fields["publicKey"] as? String == own.pin)
                #expect(try await stage.fileq("get", "-q", server.url("file")).exit == 0)
                #expect(try await stage.fileq("trust", "remove", place).exit == 0)
                #expect(try await stage.fileq("trust", "list").output.isEmpty)
                expectComplaint(try await stage.fileq("get", "-q", "-o", "again", server.url("file")), 60, "--trust")
                expectComplaint(try await stage.fileq("trust", "remove", place), 2, "trust list")
            }
        }

        @Test(.needs(.nginx)) func sendsAClientCertificate() async throws {
            try await Stage.with { stage in
                let (own, client) = (try await stage.certificate(), try await stage.clientCertificate())
                let server = try await stage.nginx(tls: own, server: client.nginxLines)
                try Files.fill(server.file("file"), 1000)
                let outcome = try await stage.fileq(
                    "get", "-q", "--cacert", own.certificate, "--cert", client.certificate,
                    "--key", client.key, server.url("file"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(Files.same(stage.path("file"), server.file("file")))
            }
        }

        @Test(
            .needs(.nginx),
            arguments: [("o", 0, false), ("a", 0, true), ("n", 60, false), ("", 60, false), ("\u{4}", 60, false)])
        func asksAboutTheCertificateOnATerminal(_ answer: String, _ exit: Int32, _ isKept: Bool) async throws {
            try await Stage.with { stage in
                let own = try await stage.certificate()
                let server = try await stage.nginx(tls: own)
                for name in ["a", "b"] { try Files.fill(server.file(name), 1000) }
                let outcome = try await stage.onTerminal(
                    ["get", server.url("a"), server.url("b")], [("Trust it?", answer)])
                #expect(outcome.exit == exit, "\(outcome)")
                #expect(
                    outcome.text.contains("public key: \(own.pin)") && outcome.text.contains("subject: CN=server"),
                    "\(outcome)")
                #expect(
                    outcome.text.split(separator: "Trust it?").count == 2, "both are served by one answer: \(outcome)")
                #expect(stage.exists("a") == (exit == 0) && stage.exists("b") == (exit == 0))
                #expect(try await stage.fileq("trust", "list").text.contains(own.pin) == isKept)
            }
        }

        @Test(.needs(.nginx)) func asksForTheLoginOnATerminal() async throws {
            try await Stage.with { stage in
                let users = try await stage.passwords(TestLogin(), to: stage.aside("users"))
                let server = try await stage.serve(.nginx, ["auth_basic \"here\";", "auth_basic_user_file \(users);"])
                try Files.fill(server.file("file"), 1000)
                let right = try await stage.onTerminal(
                    ["get", server.url("file")],
                    [
                        ("User name: ", "user"), ("Password of user", "wrong"), ("did not accept", "user"),
                        ("Password of user", "secret"),
                    ])
                #expect(right.exit == 0, "\(right)")
                #expect(Files.same(stage.path("file"), server.file("file")))
                #expect(!right.text.contains("secret") && !right.text.contains("wrong"), "without echo: \(right)")
                let wrong = try await stage.onTerminal(
                    ["get", "-o", "other", server.url("file")],
                    (1...3).flatMap { _ in [("User name: ", "user"), ("Password of", "wrong")] })
                #expect(wrong.exit == 67, "\(wrong)")
                // Ctrl-D.
                let none = try await stage.onTerminal(
                    ["get", "-o", "other", server.url("file")],
                    [("User name: ", "user"), ("Password of user", "\u{4}")])
                #expect(none.exit == 67, "\(none)")
                expectComplaint(try await stage.fileq("get", "-q", "-o", "other", server.url("file")), 67, "--user")
            }
        }

        @Test(.needs(.squid, .nginx)) func asksForTheProxysLogin() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.nginx)
                let login = TestLogin()
                let proxy = try await stage.squid(login: login)
                try Files.fill(server.file("file"), 1000)
                let variables = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
                let outcome = try await stage.onTerminal(
                    ["get", server.url("file")],
                    [("the proxy 127.0.0.1", login.user), ("Password of", login.password)],
                    environment: variables)
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(Files.same(stage.path("file"), server.file("file")))
                let refused = try await stage.fileq(
                    "get", "-q", "-o", "other", server.url("file"), environment: variables)
                expectComplaint(refused, 67, "http://USER:PASSWORD@127.0.0.1:\(proxy.port)")
            }
        }

        @Test(.needs(.nginx)) func aBackgroundJobAsksInTheForeground() async throws {
            try await Stage.with { stage in
                let users = try await stage.passwords(TestLogin(), to: stage.aside("users"))
                let server = try await stage.serve(.nginx, ["auth_basic \"here\";", "auth_basic_user_file \(users);"])
                try Files.fill(server.file("file"), 1000)
                let prompt = stage.aside("bashrc")
                try Data("PS1='ready> '\n".utf8).write(to: URL(fileURLWithPath: prompt))
                let outcome = try await stage.onTerminal(
                    ["--rcfile", prompt, "-i"],
                    [
                        ("ready> ", "\(Binary.path) get \(server.url("file")) &"), ("a question awaits a reply", "fg"),
                        ("User name: ", "user"), ("Password of user", "secret"), ("ready> ", "exit"),
                    ], program: "/bin/bash")
                #expect(Files.same(stage.path("file"), server.file("file")), "\(outcome)")
                #expect(!outcome.text.contains("secret"), "without echo: \(outcome)")
            }
        }

        @Test(.needs(.nginx)) func questionsCanBeInterrupted() async throws {
            try await Stage.with { stage in
                let server = try await stage.nginx(tls: try await stage.certificate())
                let outcome = try await stage.onTerminal(["get", server.url("file")], [("Trust it?", "\u{3}")])
                #expect(outcome.exit == 130, "\(outcome)")
            }
        }
    }
}

extension Stage {
    /// Runs `fileq`, or another program, on a terminal of its own and types each answer once its question is there.
    fileprivate func onTerminal(
        _ words: [String], _ answers: [(question: String, answer: String)], program: String = Binary.path,
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        let script = aside("terminal.py")
        try Data(
            """
            import json, os, pty, select, sys, time
            answers, command = json.loads(sys.argv[1]), sys.argv[2:]
            child, terminal = pty.fork()
            if child == 0: os.execv(command[0], command)
            new, deadline = b"", time.time() + 50
            while time.time() < deadline:
                if not select.select([terminal], [], [], 1)[0]: continue
                try: piece = os.read(terminal, 65536)
                except OSError: break
                if not piece: break
                sys.stdout.buffer.write(piece)
                new += piece
                if answers and answers[0][0].encode() in new:
                    answer = answers.pop(0)[1]
                    # Enter would answer the question while the signal is being handled.
                    os.write(terminal, (answer if answer == "\\x03" else answer + "\\r").encode())
                    new = b""
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """.utf8
        ).write(to: URL(fileURLWithPath: script))
        let list = try JSONSerialization.data(withJSONObject: answers.map { [$0.question, $0.answer] })
        let variables = environment.merging(["TERM": "xterm", "LC_ALL": "C.UTF-8"]) { $1 }
        return try await start(
            "/usr/bin/env", ["python3", script, String(decoding: list, as: UTF8.self), program] + words,
            environment: variables
        ).end()
    }
}
