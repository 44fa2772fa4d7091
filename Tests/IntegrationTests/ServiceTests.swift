// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

extension Integration {
    /// The process of the background service: how it begins and how it ends.
    @Suite(.serialized) struct ServiceTests {
        @Test func tenCommandsStartOneService() async throws {
            try await Stage.withService { stage in
                let launcher = try await stage.launcher()
                let pids = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for _ in 0..<10 {
                        group.addTask {
                            let client = try await launcher.connect()
                            defer { client.close() }
                            return try await client.status().pid
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(pids.count == 10)
                #expect(Set(pids).count == 1)
                #expect(stage.serviceHolder == .init(pid: pids[0], socket: stage.servicePlaces.socket))
                let log = try String(contentsOfFile: stage.servicePlaces.log, encoding: .utf8)
                #expect(log.split(separator: "\n").count { $0.contains(" started: ") } == 1)
            }
        }

        @Test func placesArePrivate() async throws {
            try await Stage.withService { stage in
                let home = stage.aside("state/deep")
                let launcher = try await stage.launcher(home: home)
                let client = try await launcher.connect()
                let places = launcher.places
                #expect(Files.mode(places.state) == 0o700)
                #expect(Files.mode(places.runtime) == 0o700)
                for path in [places.socket, places.lock, places.log] { #expect(Files.mode(path) == 0o600, "\(path)") }
                try await launcher.endService(client)
                #expect(!Files.exists(places.socket))
            }
        }

        @Test func statusAndStopNeverStartIt() async throws {
            try await Stage.withService { stage in
                let status = try await stage.fileq("service", "status")
                expectComplaint(status, 1, "no background service is running")
                let json = try await stage.fileq("service", "status", "--json")
                expectComplaint(json, 1, "no background service is running")
                expectComplaint(try await stage.fileq("service", "stop"), 0, "no background service is running")
                #expect(stage.serviceHolder == nil)
                #expect(!Files.exists(stage.servicePlaces.socket))
            }
        }

        @Test func statusDescribesARunningService() async throws {
            try await Stage.withService { stage in
                let launcher = try await stage.launcher()
                let client = try await launcher.connect()
                _ = try await client.add([try download(stage, "http://127.0.0.1:1/a")], paused: true)
                let status = try #require(try await stage.serviceStatus())
                #expect(status["pid"] as? Int == (stage.serviceHolder?.pid).map(Int.init))
                #expect(status["version"] as? String == launcher.options.version)
                #expect(status["socket"] as? String == stage.servicePlaces.socket)
                #expect((status["transfers"] as? [String: Int])?["paused"] == 1)
                let text = try await stage.fileq("service", "status")
                #expect(text.exit == 0 && text.text.contains("1 paused"), "\(text)")
                client.close()
            }
        }

        @Test func stopReturnsAfterTheEnd() async throws {
            try await Stage.withService { stage in
                try await stage.launcher().connect().close()
                let stop = try await stage.fileq("service", "stop")
                #expect(stop.exit == 0 && stop.errors.isEmpty, "\(stop)")
                #expect(stage.serviceHolder == nil)
                #expect(!Files.exists(stage.servicePlaces.socket))
            }
        }

        /// Socket and locks remain without a process.
        @Test func restartsAfterSIGKILL() async throws {
            try await Stage.withService { stage in
                let launcher = try await stage.launcher()
                let first = try await launcher.connect()
                let pid = first.service.pid
                kill(pid, SIGKILL)
                _ = await first.waitUntilClosed()
                #expect(Files.exists(stage.servicePlaces.socket))
                let second = try await launcher.connect()
                #expect(second.service.pid != pid)
                #expect(try await second.status().pid == stage.serviceHolder?.pid)
                second.close()
            }
        }

        @Test(arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
        func aSignalEndsItInTwoSeconds(_ signal: Int32, _ exit: Int32) async throws {
            try await Stage.withService { stage in
                // A transfer that runs, and a server that does not let go of it.
                let server = try stage.server { connection, _ in
                    _ = connection.readHead()
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nsome")
                    connection.waitForClose()
                }
                let service = try stage.startFileq(["service", "run"])
                let launcher = try await stage.launcher()
                let client = try await launcher.connect(startsService: false, from: service)
                _ = try await client.add([try download(stage, server.url("/big"))], paused: false)
                #expect(await becomesTrue { Files.exists(stage.path("file.fileq-part")) })
                let start = ContinuousClock.now
                service.child.send(signal)
                let outcome = await service.end(within: 30)
                #expect(outcome.exit == exit, "\(outcome)")
                // Two seconds of its own, and time for a machine that has others to serve.
                #expect(ContinuousClock.now - start < .seconds(6))
                #expect(!Files.exists(stage.servicePlaces.socket))
                #expect(!outcome.complaints.contains("hung"), "\(outcome)")
                client.close()
            }
        }

        @Test func ignoresSIGHUP() async throws {
            try await Stage.withService { stage in
                let launcher = try await stage.launcher()
                let client = try await launcher.connect()
                kill(client.service.pid, SIGHUP)
                #expect(try await client.status().pid == client.service.pid)
                client.close()
            }
        }

        @Test func refusesASecondService() async throws {
            try await Stage.withService { stage in
                let client = try await stage.launcher().connect()
                let second = try await stage.fileq("service", "run")
                expectComplaint(second, 1, "running already (process \(client.service.pid))")
                #expect(try await client.status().pid == client.service.pid)
                client.close()
            }
        }

        @Test func endsWhenIdle() async throws {
            try await Stage.withService { stage in
                let service = try stage.startFileq(["service", "run", "--idle-timeout", "0.3"])
                let outcome = await service.end()
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(!Files.exists(stage.servicePlaces.socket))
            }
        }

        /// The variable reaches a service that is started on demand.
        @Test func clientsKeepItRunningPausedTransfersDoNot() async throws {
            try await Stage.withService { stage in
                let client = try await stage.launcher(environment: ["FILEQ_IDLE_TIMEOUT": "0.2"]).connect()
                _ = try await client.add([try download(stage, "http://127.0.0.1:1/a")], paused: true)
                let start = ContinuousClock.now
                while ContinuousClock.now - start < .seconds(1) { _ = try await client.snapshot() }
                #expect(client.failure == nil)
                client.close()
                #expect(await becomesTrue { stage.serviceHolder == nil })
            }
        }

        /// Commands during an idle exit find the service, or start another; none fails.
        @Test func idleExitsAndCommandsDoNotRace() async throws {
            try await Stage.withService { stage in
                let launcher = try await stage.launcher(environment: ["FILEQ_IDLE_TIMEOUT": "0.02"])
                var pids: Set<Int32> = []
                let socket = stage.servicePlaces.socket
                for round in 0..<24 {
                    let client = try await launcher.connect()
                    pids.insert(try await client.status().pid)
                    client.close()
                    // The moment at which it has left its path and not yet let go of the queue.
                    if round % 2 == 0 { #expect(await becomesTrue { !Files.exists(socket) }) }
                }
                #expect(pids.count > 1)
            }
        }

        @Test func replacesAnOlderService() async throws {
            try await Stage.withService { stage in
                let old = try OldService(stage.servicePlaces)
                let client = try await stage.launcher().connect()
                #expect(old.wasAsked)
                #expect(client.service.pid != getpid())
                #expect(stage.serviceHolder?.pid == client.service.pid)
                client.close()
            }
        }

        @Test func doesNotReplaceANewerService() async throws {
            try await Stage.withService { stage in
                let first = try await stage.launcher().connect()
                let second = try await stage.launcher(version: "0.0.1").connect()
                #expect(second.service.pid == first.service.pid)
                first.close()
                second.close()
            }
        }

        @Test func aTooLongPath() async throws {
            try await Stage.with { stage in
                let home = stage.aside(String(repeating: "x", count: 100))
                for words in [["status"], ["stop"], ["run"]] {
                    let outcome = try await stage.fileq(["service"] + words, environment: ["FILEQ_HOME": home])
                    expectComplaint(outcome, 2, "set FILEQ_HOME or XDG_RUNTIME_DIR")
                }
                #expect(!Files.exists(home))
            }
        }

        @Test(.enabled(if: FullDisk.canBeMade, "a file system of its own needs the administrator's rights"))
        func reportsAReadOnlyFolderToCommands() async throws {
            try await Stage.with { stage in
                let place = try stage.makeFolder(stage.aside("ro"))
                chmod(place, 0o700)
                let disk = try FullDisk(at: place, bytes: 1 << 20)
                defer { disk.remove() }
                chmod(place, 0o700)
                guard mount("tmpfs", place, "tmpfs", UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) == 0 else {
                    throw POSIXError(.EPERM)
                }
                let run = try await stage.fileq("service", "run", environment: ["FILEQ_HOME": place])
                expectComplaint(run, 23, "read-only")
                let launcher = try await stage.launcher(home: place)
                let error = await #expect(throws: TransferError.self) { try await launcher.connect() }
                #expect(
                    error?.code == .cannotWrite && error?.message.contains("read-only") == true,
                    "\(error?.message ?? "")")
            }
        }

        /// What the service itself cannot begin for reaches the one who started it.
        @Test func reportsAnInvalidSettingToCommands() async throws {
            try await Stage.withService { stage in
                let launcher = try await stage.launcher(environment: ["FILEQ_IDLE_TIMEOUT": "soon"])
                let error = await #expect(throws: TransferError.self) { try await launcher.connect() }
                #expect(error?.message.contains("idle-timeout") == true, "\(error?.message ?? "")")
                let other = try await stage.launcher(environment: ["FILEQ_CONCURRENT": "0"])
                let second = await #expect(throws: TransferError.self) { try await other.connect() }
                #expect(second?.message.contains("--concurrent") == true, "\(second?.message ?? "")")
            }
        }

        @Test func writesUnitsForSystemd() async throws {
            try await Stage.with { stage in
                let place = stage.aside("home/.config/systemd/user")
                let printed = try await stage.fileq("service", "install", "--print")
                #expect(printed.exit == 0 && !Files.exists(place), "\(printed)")
                let outcome = try await stage.fileq("service", "install")
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(outcome.text == "\(place)/fileq.service\n\(place)/fileq.socket\n")
                #expect(outcome.complaints.contains("systemctl --user"))
                let unit = try String(contentsOfFile: "\(place)/fileq.service", encoding: .utf8)
                #expect(unit.contains("\nExecStart=") && unit.contains("/fileq service run\n"))
                #expect(unit.contains("Environment=FILEQ_HOME=\(stage.home)\n"))
            }
        }

        private func download(_ stage: Stage, _ address: String) throws -> Spec {
            Spec(
                url: try TransferURL(address),
                operation: .download(
                    Download(destination: .file(path: stage.path("file")))))
        }
    }
}

extension ServiceLauncher {
    /// Connects to a service that a test has just started as a program.
    fileprivate func connect(startsService: Bool, from service: Started) async throws -> ControlClient {
        let lock = places.lock
        _ = await becomesTrue { ServiceLock.holder(of: lock)?.socket != nil || !service.child.isRunning }
        return try await connect(startsService: startsService)
    }
}

/// A service of an older version, in the process of the test: it ends when it is asked to.
private final class OldService: ControlHandler {
    let queue: any QueueClient = FakeQueue()
    private let held = Mutex<(server: ControlServer?, lock: ServiceLock?)>((nil, nil))
    private let asked = Counter()

    init(_ places: ServicePlaces) throws {
        try places.prepare()
        let lock = try ServiceLock(path: places.lock)
        let listening = try ControlServer(path: places.socket, handler: self, options: .init(version: "0.0.1"))
        lock.announce(socket: places.socket)
        held.withLock { $0 = (listening, lock) }
        listening.start()
    }

    var wasAsked: Bool { asked.count > 0 }

    func shutDownRequested() {
        asked.add()
        let (server, lock) = held.withLock { held in
            defer { held = (nil, nil) }
            return held
        }
        Task {
            await server?.shutDown()
            withExtendedLifetime(lock) {}
        }
    }
}
