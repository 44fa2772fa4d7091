// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// The interface on another machine's queue, and a slow line to that.
extension Integration.RemoteTests {
    /// 120 ms more for a request and its reply.
    private static let delay = 0.06

    @Test func worksOverASlowLine() async throws {
        try await Stage.withMachine(delay: Self.delay) { stage, machine in
            let server = try stage.replying("200 OK", ["ETag: \"1\""], body: "content")
            let added = try await stage.fileq("add", "--on", "nas", server.url("/a"), environment: machine)
            #expect(added.exit == 0 && added.text == "1\n", "\(added)")
            let done = try await stage.fileq("wait", "1", "--on", "nas", environment: machine)
            #expect(done.exit == 0, "\(done)")
            let list = try await stage.fileq("list", "--json", "--on", "nas", environment: machine)
            #expect(list.text.contains(#""state":"completed""#), "\(list)")
            #expect(FileManager.default.contents(atPath: stage.aside("there/a")) == Data("content".utf8))
        }
    }

    /// The line dies while a command is typed: the screen says so at once, the text stays, and the command is carried
    /// out over the next connection.
    @Test(.enabled(if: Terminal.isPresent, "script(1) is not installed"))
    func theScreenSurvivesALostLine() async throws {
        try await Stage.withMachine(delay: Self.delay) { stage, machine in
            let added = try await stage.fileq(
                "add", "--paused", "--on", "nas", "http://127.0.0.1:1/first.iso", environment: machine)
            #expect(added.exit == 0, "\(added)")
            let terminal = try Terminal(stage, "--on nas", environment: machine)
            #expect(await becomesTrue { terminal.shows("first.iso") && terminal.shows("fileq nas") })
            terminal.type(":")
            #expect(await becomesTrue { terminal.shows("Tab completes") })
            terminal.type("move")
            #expect(await becomesTrue { terminal.shows("move <which>") })
            kill(try #require(await stage.connection(after: 1)), SIGKILL)
            #expect(await becomesTrue { terminal.shows("connection to nas lost, reconnecting") })
            terminal.type(" 1 top\r")
            _ = try #require(await stage.connection(after: 2))
            #expect(await becomesTrue { terminal.shows("Done: move 1 top") })
            terminal.type("q")
            let outcome = await terminal.program.end()
            #expect(outcome.exit == 0, "\(outcome)")
        }
    }

    /// `:on`, from this machine's queue to the other one's and back.
    @Test(.enabled(if: Terminal.isPresent, "script(1) is not installed"))
    func theScreenChangesTheMachine() async throws {
        try await Stage.withMachine { stage, machine in
            func add(_ name: String, _ place: String) async throws {
                let added = try await stage.fileq(
                    "add", "--paused", "--on", place, "http://127.0.0.1:1/\(name)", environment: machine)
                #expect(added.exit == 0, "\(added)")
            }
            try await add("here.iso", "local")
            try await add("there.iso", "nas")
            let terminal = try Terminal(stage, environment: machine)
            #expect(await becomesTrue { terminal.shows("here.iso") })
            terminal.type(":")
            #expect(await becomesTrue { terminal.shows("Tab completes") })
            // What cannot be reached changes nothing.
            terminal.type("on nowhere\r")
            #expect(await becomesTrue { terminal.shows("nowhere: ssh cannot connect") })
            terminal.type("\u{15}on nas\r")
            #expect(await becomesTrue { terminal.shows("fileq nas") && terminal.shows("there.iso") })
            try await add("added-meanwhile.tar.zst", "local")
            terminal.type(":on\r")
            #expect(await becomesTrue { terminal.shows("added-meanwhile.tar.zst") })
            terminal.type("q")
            let outcome = await terminal.program.end()
            #expect(outcome.exit == 0, "\(outcome)")
        }
    }
}
