// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Integration {
    /// `--on`: the queue of another machine, which here is another home behind a real sshd.
    @Suite(.needs(.sshd)) struct RemoteTests {
        @Test func addsListsAndWaitsThere() async throws {
            try await Stage.withMachine { stage, machine in
                let server = try stage.replying("200 OK", ["ETag: \"1\""], body: "ビデオ")
                let added = try await stage.fileq(
                    ["add", "--on", "nas", "-d", "videos", server.url("/夏.mp4")], environment: machine)
                #expect(added.exit == 0 && added.text == "1\n", "\(added)")
                // Folders there are not made from here.
                let ended = try await stage.fileq("wait", "--all", "--on", "nas", environment: machine)
                #expect(ended.exit != 0 && ended.complaints.contains("videos"), "\(ended)")
                _ = try stage.makeFolder(stage.aside("there/videos"))
                let retried = try await stage.fileq("retry", "1", "--on", "ssh://nas", environment: machine)
                #expect(retried.exit == 0, "\(retried)")
                let done = try await stage.fileq(
                    ["wait", "1"], environment: machine.merging(["FILEQ_ON": "nas"]) { $1 })
                #expect(done.exit == 0, "\(done)")
                let file = stage.aside("there/videos/夏.mp4")
                #expect(FileManager.default.contents(atPath: file) == Data("ビデオ".utf8))
                let here = try await stage.fileq(
                    ["list", "--on", "local"], environment: machine.merging(["FILEQ_ON": "nas"]) { $1 })
                #expect(here.exit == 0 && here.output.isEmpty, "\(here)")
                let put = try await stage.fileq(
                    "add", "put", "--on", "nas", file, server.url("/"), environment: machine)
                expectComplaint(put, 2, "put reads files of this machine, and the queue is on nas")
            }
        }

        /// Relative paths are those of the user there, whichever command names them.
        @Test func pathsAreThoseOfTheMachine() async throws {
            try await Stage.withMachine { stage, machine in
                let added = try await stage.fileq(
                    "add", "--paused", "--on", "nas", "http://127.0.0.1:1/a", environment: machine)
                #expect(added.exit == 0, "\(added)")
                _ = try stage.makeFolder(stage.aside("there/films"))
                let moved = try await stage.fileq("relocate", "1", "-d", "films", "--on", "nas", environment: machine)
                #expect(moved.exit == 0, "\(moved)")
                let lines = try stage.write("add --paused http://127.0.0.1:1/b\nquit\n", to: "lines")
                let typed = try await stage.fileq("--linear", "--on", "nas", environment: machine, input: lines)
                #expect(typed.exit == 0, "\(typed)")
                let info = try await stage.fileq("info", "1-2", "--json", "--on", "nas", environment: machine)
                for file in ["films/a", "b"] {
                    #expect(info.text.contains("\(stage.aside("there"))/\(file)\""), "\(info)")
                }
            }
        }

        /// The way is gone in the middle: the next one continues it, and what happened meanwhile is there.
        @Test func continuesAfterALostConnection() async throws {
            try await Stage.withMachine { stage, machine in
                let gate = DispatchSemaphore(value: 0)
                let server = try stage.server { connection, _ in
                    while connection.readHead() != nil {
                        gate.wait()
                        connection.answer("200 OK", ["ETag: \"1\""], body: [1, 2, 3])
                    }
                }
                let added = try await stage.fileq("add", "--on", "nas", server.url("/a"), environment: machine)
                #expect(added.exit == 0, "\(added)")
                let waiting = try stage.startFileq(["wait", "--all", "--json", "--on", "nas"], environment: machine)
                let hasBegun = await becomesTrue {
                    FileManager.default.contents(atPath: waiting.output)?.isEmpty == false
                }
                try #require(hasBegun, "it says first what runs")
                let first = try #require(await stage.connection(after: 1))
                kill(first, SIGKILL)
                _ = try #require(await stage.connection(after: 2))
                gate.signal()
                let outcome = await waiting.end()
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(outcome.complaints == "fileq: connection to nas lost, reconnecting\n", "\(outcome)")
                #expect(Files.exists(stage.aside("there/a")))
            }
        }

        @Test func saysWhatIsMissing() async throws {
            try await Stage.withMachine { stage, machine in
                try FileManager.default.removeItem(atPath: stage.aside("there/bin/fileq"))
                let outcome = try await stage.fileq("list", "--on", "nas", environment: machine)
                #expect(outcome.exit == 2, "\(outcome)")
                #expect(outcome.complaints.contains("nas has no fileq"), "\(outcome)")
                try stage.write("Host *\n  ProxyCommand false\n", to: "none")
                let unreachable = try await stage.fileq(
                    ["list", "--on", "nas"],
                    environment: machine.merging(["SSH_SETTINGS": stage.path("none")]) { $1 })
                #expect(unreachable.exit == 7, "\(unreachable)")
                #expect(unreachable.complaints.contains("nas: ssh cannot connect"), "\(unreachable)")
            }
        }

        /// A program there that speaks another version of the protocol.
        @Test func refusesAnotherProtocol() async throws {
            try await Stage.withMachine { stage, machine in
                let program = stage.aside("there/bin/fileq")
                try FileManager.default.removeItem(atPath: program)
                let service = #"{"protocol":99,"version":"9.0","pid":1,"maximumMessage":9}"#
                let hello =
                    #"{"jsonrpc":"2.0","method":"hello","params":\#(service)}"#
                try Data("#!/bin/sh\necho '\(hello)'\ncat >/dev/null\n".utf8).write(to: URL(fileURLWithPath: program))
                chmod(program, 0o755)
                let outcome = try await stage.fileq("list", "--on", "nas", environment: machine)
                #expect(outcome.exit == 2, "\(outcome)")
                #expect(outcome.complaints.contains("speaks version 99 of the protocol"), "\(outcome)")
            }
        }
    }
}

extension Stage {
    /// Another machine called `nas`: a home with a queue of its own behind sshd, which ssh starts itself, so that
    /// nothing listens.
    /// - Parameters:
    ///   - delay: seconds added to each way.
    ///   - body: is passed the environment in which ssh finds it.
    static func withMachine(
        delay: Double? = nil, _ body: (Stage, [String: String]) async throws -> Void
    ) async throws {
        try await withService { stage in
            let (there, tools) = (
                try stage.makeFolder(stage.aside("there/bin")), try stage.makeFolder(stage.aside("ssh"))
            )
            try FileManager.default.createSymbolicLink(atPath: "\(there)/fileq", withDestinationPath: Binary.path)
            // sshd wants it where root runs it.
            if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
            let keys = try await stage.shell(
                "for k in host user; do ssh-keygen -q -t ed25519 -N '' -f \(tools)/$k; done")
            try #require(keys.exit == 0, "\(keys)")
            let home = stage.aside("there")
            try stage.write(
                """
                HostKey \(tools)/host
                AuthorizedKeysFile \(tools)/user.pub
                StrictModes no
                UsePAM no
                PermitRootLogin yes
                SetEnv HOME=\(home) FILEQ_HOME=\(home)/state PATH=\(home)/bin:/usr/bin:/bin
                """, to: "sshd_config")
            let script = ServerProgram.package.appending(path: "Tests/remote/delay.py").path
            let relay = delay.map { "/usr/bin/python3 -B \(script) \($0) " } ?? ""
            let sshd = try ServerProgram.sshd.required()
            let settings = try stage.write(
                """
                Host nowhere
                  ProxyCommand false
                Host nas
                  ProxyCommand \(relay)\(sshd) -i -f \(stage.path("sshd_config")) -E \(tools)/log
                  IdentityFile \(tools)/user
                  IdentitiesOnly yes
                  StrictHostKeyChecking no
                  UserKnownHostsFile \(tools)/known
                  LogLevel ERROR
                """, to: "ssh_config")
            // ssh takes its settings from the home in the user database, wherever HOME points.
            let wrapper = "#!/bin/sh\necho $$ >>\(tools)/connections\nexec /usr/bin/ssh -F \"$SSH_SETTINGS\" \"$@\"\n"
            try Data(wrapper.utf8).write(to: URL(fileURLWithPath: "\(tools)/ssh"))
            chmod("\(tools)/ssh", 0o755)
            let machine = ["PATH": "\(tools):/usr/bin:/bin", "SSH_SETTINGS": settings]
            let ofThere = ["FILEQ_HOME": "\(home)/state"]
            do {
                try await body(stage, machine)
            } catch {
                _ = try? await stage.fileq("service", "stop", environment: ofThere)
                throw error
            }
            _ = try await stage.fileq("service", "stop", environment: ofThere)
        }
    }

    /// The process of ssh that began after `count` others.
    func connection(after count: Int) async -> pid_t? {
        let path = aside("ssh/connections")
        @Sendable func process() -> pid_t? {
            let lines = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
                .split(separator: "\n")
            return lines.count > count ? pid_t(lines[count]) : nil
        }
        _ = await becomesTrue { process() != nil }
        return process()
    }
}
