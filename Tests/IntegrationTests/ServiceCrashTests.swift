// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferControl
import TransferModel
import TransferTesting

extension Integration {
    /// A service that crashes, and one whose surroundings change while it runs.
    @Suite(.serialized) struct ServiceCrashTests {
        private func halting(_ stage: Stage) throws -> ScriptedServer {
            try stage.server { connection, _ in
                guard connection.readHead() != nil else { return }
                connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\nContent-Length: 1000000\r\n\r\nsome")
                connection.waitForClose()
            }
        }

        private func download(_ stage: Stage, _ address: String) throws -> Spec {
            Spec(
                url: try TransferURL(address),
                operation: .download(
                    Download(destination: .file(path: stage.path("file")))))
        }

        /// Ends the process that this client is connected to, once it has asked the server for the `count`th time.
        private func end(_ client: ControlClient, _ server: ScriptedServer, _ count: Int, by signal: Int32) async {
            #expect(await becomesTrue(within: 60) { server.requests.count >= count })
            kill(client.service.pid, signal)
            _ = await client.waitUntilClosed()
        }

        @Test func aTransferFailsAfterTwoCrashes() async throws {
            try await Stage.withService { stage in
                let server = try halting(stage)
                var launcher = try await stage.launcher()
                launcher.environment["SWIFT_BACKTRACE"] = "enable=no"
                var client = try await launcher.connect()
                let id = try await client.add([try download(stage, server.url("/big"))], paused: false)[0]
                for (life, signal) in [(1, SIGSEGV), (2, SIGABRT)] {
                    await end(client, server, life, by: signal)
                    client = try await launcher.connect()
                }
                let transfer = try await client.info(id).transfer
                #expect(transfer.state == .failed)
                #expect(
                    transfer.error?.message.contains("the program crashed on it twice in a row") == true, "\(transfer)")
                #expect(server.requests.count == 2)
                // The user retries it; the bytes exist.
                try await client.perform(.retry, on: [id])
                #expect(await becomesTrue(within: 60) { server.requests.count == 3 })
                let log = try String(contentsOfFile: stage.servicePlaces.log, encoding: .utf8)
                #expect(
                    log.contains("the previous service crashed with signal \(SIGSEGV) while it ran transfer \(id)")
                )
                client.close()
            }
        }

        @Test func killsFailNoTransfer() async throws {
            try await Stage.withService { stage in
                let server = try halting(stage)
                let launcher = try await stage.launcher()
                var client = try await launcher.connect()
                let id = try await client.add([try download(stage, server.url("/big"))], paused: false)[0]
                for life in 1...5 {
                    await end(client, server, life, by: life == 3 ? SIGTERM : SIGKILL)
                    client = try await launcher.connect()
                }
                // A range that this server ignores may be requested twice.
                #expect(await becomesTrue(within: 60) { server.requests.count >= 6 })
                #expect(try await client.info(id).transfer.state == .running)
                client.close()
            }
        }

        @Test func isFoundAfterLosingItsSocket() async throws {
            try await Stage.withService { stage in
                let client = try await stage.launcher().connect()
                let pid = client.service.pid
                try FileManager.default.removeItem(atPath: stage.servicePlaces.runtime)
                let list = try await stage.fileq("list")
                #expect(list.exit == 0, "\(list)")
                #expect(stage.serviceHolder?.pid == pid)
                #expect(Files.exists(stage.servicePlaces.socket))
                // Those who were connected stay.
                #expect(try await client.limits().concurrent > 0)
                client.close()
            }
        }

        @Test func stopsWithoutItsSocket() async throws {
            try await Stage.withService { stage in
                try await stage.launcher().connect().close()
                // Nothing can be made in its place.
                try FileManager.default.removeItem(atPath: stage.servicePlaces.runtime)
                #expect(FileManager.default.createFile(atPath: stage.servicePlaces.runtime, contents: nil))
                let stop = try await stage.fileq("service", "stop")
                #expect(stop.exit == 0, "\(stop)")
                #expect(stage.serviceHolder == nil)
                unlink(stage.servicePlaces.runtime)
            }
        }

        @Test func runsAHookConfiguredLater() async throws {
            try await Stage.withService { stage in
                let server = try stage.server { connection, _ in
                    while connection.readHead() != nil { connection.answer("200 OK", body: [1, 2, 3]) }
                }
                let client = try await stage.launcher().connect()
                let settings =
                    "[hooks]\non-complete = ['/bin/sh', '-c', 'echo $FILEQ_EVENT > \(stage.path("hooked"))']\n"
                try Data(settings.utf8).write(to: URL(fileURLWithPath: stage.home + "/config.toml"))
                while try await client.status().configuration?.hooks.isEmpty != false {}
                let status = try await stage.serviceStatus()
                let configuration = status?["configuration"] as? [String: Any]
                #expect(configuration?["hooks"] as? [String: String] == ["on-complete": "/bin/sh"])
                #expect(configuration?["modified"] as? String != nil)
                _ = try await client.add([try download(stage, server.url("/a"))], paused: false)
                let hooked = stage.path("hooked")
                #expect(await becomesTrue(within: 60) { Files.size(hooked) > 0 })
                // A broken one is reported, and leaves the old one in force.
                try Data("[hooks]\non-complet = 'x'\n".utf8).write(
                    to: URL(fileURLWithPath: stage.home + "/config.toml"))
                while try await client.status().configuration?.problem == nil {}
                #expect(try await client.status().configuration?.hooks == ["on-complete": "/bin/sh"])
                client.close()
                unlink(stage.home + "/config.toml")
            }
        }
    }
}
