// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Standard streams that are closed or full.
    @Suite(.serialized) struct StandardStreamTests {
        @Test func aClosedStandardOutputIsAnError() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                let outcome = try await stage.shell("\"$FILEQ\" get -q -o - '\(server.url())' >&-", within: 30)
                expectComplaint(outcome, 23, "bad file descriptor")
            }
        }

        @Test func aClosedStandardInputIsAnError() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                let outcome = try await stage.shell("\"$FILEQ\" put -q - '\(server.url("there"))' <&-", within: 30)
                expectComplaint(outcome, 26, "bad file descriptor")
                #expect(!Files.exists(server.file("there")))
            }
        }

        /// It has a length, and can be sent again. What was read of it before is not sent.
        @Test func standardInputThatIsAFileIsSentAsOne() async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, number in
                    guard let head = connection.readHead(), !head.hasPrefix("HEAD ") else { return }
                    let length = head.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) }
                    let isRight = length.map { connection.readBody($0) == Array("line\nrest\n".utf8) }
                        ?? (connection.readChunked() == Array("rest\n".utf8))
                    let status = number == 1 ? "503 Service Unavailable" : isRight ? "201 Created" : "400 Bad Request"
                    connection.answer(status, ["Retry-After: 0", "Connection: close"])
                }
                let path = try stage.write("line\nrest\n", to: "source")
                let words = "\"$FILEQ\" put -q --resumable never"
                let whole = try await stage.shell("\(words) --retry 1 - '\(server.url())' < '\(path)'", within: 60)
                #expect(whole.exit == 0, "\(whole)")
                #expect(server.requests.count { $0.lowercased().contains("content-length: 10") } == 2)
                let rest = try await stage.shell(
                    "{ read -r line; \(words) - '\(server.url())'; } < '\(path)'", within: 60)
                #expect(rest.exit == 0, "\(rest)")
                let sent = server.requests.last { $0.hasPrefix("PUT ") }
                #expect(sent?.lowercased().contains("transfer-encoding: chunked") == true)
            }
        }

        /// Results are written, or the command fails.
        @Test(arguments: [
            "--version", "help", "get --help", "help exit-codes", "help put", "keys", "get -q --json URL",
            "get --dry-run URL", "get -q -o - URL",
        ])
        func aFullStandardOutputIsAnError(_ words: String) async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                let line = words.replacing("URL", with: server.url())
                expectComplaint(try await stage.shell("\"$FILEQ\" \(line) >/dev/full"), 23, "no space left")
            }
        }

        /// libdispatch would wait for a thread for ever. Root has no limit.
        @Test func aSystemWithoutThreadsIsAnError() async throws {
            try await Stage.with { stage in
                let (folder, words) = try stage.unprivilegedFolder("few")
                let front = words.joined(separator: " ")
                let outcome = try await stage.shell(
                    "cp \"$FILEQ\" '\(folder)/fileq' && cd '\(folder)' && \(front) prlimit --nproc=1 ./fileq --version")
                expectComplaint(outcome, 1, "no further thread")
            }
        }

        /// None of the numbers 0 to 2 goes to another descriptor, such as that of the partial file.
        @Test func transfersWithoutStandardStreams() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                let outcome = try await stage.shell("\"$FILEQ\" get '\(server.url())' <&- >&- 2>&-", within: 30)
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.text("file") == "content")
                #expect(stage.names == ["file"])
            }
        }
    }
}
