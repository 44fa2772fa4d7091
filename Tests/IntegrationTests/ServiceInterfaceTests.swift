// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferControl
import TransferModel
import TransferTesting

extension Integration {
    /// The interface on the background service, on a terminal that `script` makes.
    @Suite(.serialized, .enabled(if: Terminal.isPresent, "script(1) is not installed")) struct ServiceInterfaceTests {
        @Test func quittingLeavesTheServiceRunning() async throws {
            try await Stage.withService { stage in
                let server = try stage.server { connection, _ in
                    _ = connection.readHead()
                    connection.waitForClose()
                }
                let client = try await stage.launcher().connect()
                for name in ["a", "b"] {
                    _ = try await client.add(
                        [
                            Spec(
                                url: try TransferURL(server.url("/\(name)")),
                                operation: .download(
                                    Download(destination: .file(path: stage.path(name)))))
                        ], paused: name == "b")
                }
                let terminal = try Terminal(stage)
                #expect(await becomesTrue { terminal.shows("paused") })
                terminal.type("q")
                let outcome = await terminal.program.end()
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(
                    outcome.text.contains("1 transfer continues in the background; 'fileq list' shows it"), "\(outcome)"
                )
                #expect(try await client.snapshot().transfers.map(\.state.isEnded) == [false, false])
                client.close()
            }
        }

        @Test func aNewScreenHasTheLogOfTheService() async throws {
            try await Stage.withService { stage in
                let added = try await stage.fileq("add", "get", "--paused", "http://127.0.0.1:1/new.iso")
                #expect(added.exit == 0, "\(added)")
                let screen = try await stage.fileq("screen", "--once", "--keys", "7")
                #expect(screen.exit == 0, "\(screen)")
                let lines = screen.text.split(separator: "\n").map(String.init)
                let began = lines.firstIndex { $0.contains("The service began at ") }
                let event = lines.firstIndex { $0.contains("new.iso ") && $0.contains("added, paused") }
                let (line, following) = (try #require(began, "\(screen)"), try #require(event, "\(screen)"))
                #expect(line < following)
            }
        }

        /// No screen is open before the service has replied: the terminal says what it waits for.
        @Test func saysThatItWaitsForAServiceThatDoesNotReply() async throws {
            try await Stage.withService { stage in
                let client = try await stage.launcher().connect()
                // An open connection keeps it running.
                defer { client.close() }
                let service = client.service.pid
                kill(service, SIGSTOP)
                defer { kill(service, SIGCONT) }
                let terminal = try Terminal(stage)
                #expect(await becomesTrue { terminal.shows("fileq: waiting for the background service") })
                kill(service, SIGCONT)
                #expect(await becomesTrue { terminal.shows("Nothing in the queue") })
                terminal.type("q")
                let outcome = await terminal.program.end()
                #expect(outcome.exit == 0, "\(outcome)")
            }
        }

        @Test func restartsACrashedServiceNotAStoppedOne() async throws {
            try await Stage.withService { stage in
                let terminal = try Terminal(stage)
                #expect(await becomesTrue { terminal.shows("Nothing in the queue") })
                let first = try #require(stage.serviceHolder?.pid)
                kill(first, SIGKILL)
                #expect(await becomesTrue { stage.serviceHolder?.socket != nil && stage.serviceHolder?.pid != first })
                // The screen follows the new one.
                let client = try await stage.launcher().connect()
                #expect(client.service.pid != first)
                _ = try await client.add(
                    [
                        Spec(
                            url: try TransferURL("http://127.0.0.1:1/new.iso"),
                            operation: .download(
                                Download(destination: .file(path: stage.path("new.iso")))))
                    ], paused: true)
                #expect(await becomesTrue { terminal.shows("new.iso") })
                client.close()
                _ = try await stage.fileq("service", "stop")
                let outcome = await terminal.program.end()
                #expect(outcome.exit == 1, "\(outcome)")
                #expect(outcome.text.contains("the background service was stopped"), "\(outcome)")
                #expect(stage.serviceHolder == nil)
            }
        }
    }
}
