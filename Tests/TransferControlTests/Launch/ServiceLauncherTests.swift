// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct ServiceLauncherTests {
    /// A launcher whose service is a shell script.
    private static func launcher(
        _ folder: TemporaryFolder, _ script: String = "exit 1", patience: Double = 30
    ) -> ServiceLauncher {
        var launcher = ServiceLauncher(
            places: ServicePlaces { $0 == "FILEQ_HOME" ? folder.file("state") : nil },
            options: ControlClient.Options(version: "0.1.0"), program: "/bin/sh",
            environment: ["PATH": "/usr/bin:/bin"])
        launcher.arguments = ["-c", script, "sh", folder.path]
        launcher.patience = patience
        return launcher
    }

    private static func child(_ folder: TemporaryFolder, _ program: String, _ words: [String]) throws -> ChildProcess {
        try ChildProcess(
            program, words, environment: ["PATH": "/usr/bin:/bin"], folder: folder.path,
            output: .file(folder.file("\(words.count).out")), errors: .file(folder.file("\(words.count).err")))
    }

    private func failure(_ launcher: ServiceLauncher, startsService: Bool = true) async -> TransferError? {
        do throws(TransferError) {
            try await launcher.connect(startsService: startsService).close()
            return nil
        } catch {
            return error
        }
    }

    @Test func findStartsAndCreatesNothing() async throws {
        let folder = try TemporaryFolder()
        let launcher = Self.launcher(folder)
        #expect(try await launcher.find() == nil)
        #expect(await failure(launcher, startsService: false)?.code == .other)
        #expect(folder.names.isEmpty)
    }

    /// A home that is a file, such as `/dev/null`.
    @Test func thereIsNoServiceBelowAFile() async throws {
        let folder = try TemporaryFolder()
        try folder.write([1], to: "state")
        let launcher = Self.launcher(folder)
        #expect(try await launcher.find() == nil)
        #expect(try await launcher.stopService() == false)
        let error = await failure(launcher)
        #expect(error?.code == .cannotWrite && error?.fields.path == folder.file("state"))
    }

    @Test func throwsTheServicesStartError() async throws {
        let folder = try TemporaryFolder()
        let launcher = Self.launcher(folder, "echo 'fileq-service: failed 23 /state: no room' >&3")
        #expect(await failure(launcher) == TransferError(.cannotWrite, "/state: no room"))
    }

    @Test func limitsStartsOfAnExitingService() async throws {
        let folder = try TemporaryFolder()
        let launcher = Self.launcher(folder, #"echo x >> "$1/starts"; echo 'fileq-service: ready' >&3"#, patience: 1)
        #expect(await failure(launcher)?.message.contains("ends as soon as it is started") == true)
        #expect(try folder.read("starts").count == 6)
    }

    @Test func reportsAnUnwritableFolderBeforeStarting() async throws {
        var launcher = Self.launcher(try TemporaryFolder(), "echo 'fileq-service: failed 1 started' >&3")
        launcher.places = ServicePlaces { $0 == "FILEQ_HOME" ? "/proc/fileq" : nil }
        #expect(await failure(launcher)?.code == .cannotWrite)
    }

    /// The lock says where the service listens, whatever this environment says.
    @Test func findsTheServiceByItsLock() async throws {
        try await onStage { stage in
            let launcher = Self.launcher(stage.folder)
            try launcher.places.prepare()
            let lock = try ServiceLock(path: launcher.places.lock)
            lock.announce(socket: stage.path)
            let client = try await launcher.connect()
            #expect(try await client.status().socket == stage.path)
            client.close()
            withExtendedLifetime(lock) {}
        }
    }

    @Test(arguments: [true, false]) func usesANewerService(_ startsService: Bool) async throws {
        try await onStage(change: { $0.version = "9.0" }) { stage in
            let launcher = Self.launcher(stage.folder)
            try launcher.places.prepare()
            let lock = try ServiceLock(path: launcher.places.lock)
            lock.announce(socket: stage.path)
            let client = try await launcher.connect(startsService: startsService)
            #expect(client.service.version == "9.0")
            client.close()
            #expect(stage.shutDowns.count == 0)
            withExtendedLifetime(lock) {}
        }
    }

    /// A library has no service of its own to put in its place.
    @Test func usesAnOlderServiceWithoutReplacingIt() async throws {
        try await onStage(change: { $0.version = "0.0.1" }) { stage in
            var launcher = Self.launcher(stage.folder)
            launcher.replacesOlder = false
            try launcher.places.prepare()
            let lock = try ServiceLock(path: launcher.places.lock)
            lock.announce(socket: stage.path)
            let client = try await launcher.connect()
            #expect(client.service.version == "0.0.1")
            client.close()
            #expect(stage.shutDowns.count == 0)
            withExtendedLifetime(lock) {}
        }
    }

    @Test func namesAnOlderServiceThatDoesNotEnd() async throws {
        try await onStage(change: { $0.version = "0.0.1" }) { stage in
            let launcher = Self.launcher(stage.folder, patience: 0.3)
            try launcher.places.prepare()
            let lock = try ServiceLock(path: launcher.places.lock)
            lock.announce(socket: stage.path)
            let error = await failure(launcher)
            #expect(error?.code == .timedOut)
            #expect(error?.fields.local == TransferProblem(.serviceNotEnding, getpid(), 0))
            #expect(stage.shutDowns.count == 1)
            withExtendedLifetime(lock) {}
        }
    }

    @Test func refusesANewerProtocol() async throws {
        let service = try ScriptedService { peer in
            await peer.greet(version: "9.0", protocol: 2)
            _ = await peer.line()
        }
        let folder = try TemporaryFolder()
        let launcher = Self.launcher(folder)
        try launcher.places.prepare()
        let lock = try ServiceLock(path: launcher.places.lock)
        lock.announce(socket: service.path)
        let error = await failure(launcher)
        #expect(error?.code == .usage)
        #expect(error?.message.contains("9.0") == true)
        withExtendedLifetime(lock) {}
    }

    /// Who connects while a service ends waits for its end.
    @Test func waitsForAnEndingService() async throws {
        try await onStage { stage in
            let launcher = Self.launcher(stage.folder, "echo 'fileq-service: failed 1 started' >&3")
            try launcher.places.prepare()
            var lock: ServiceLock? = try ServiceLock(path: launcher.places.lock)
            lock?.announce(socket: stage.path)
            stage.server?.refuseNewConnections()
            async let failure = failure(launcher)
            await stage.server?.shutDown()
            #expect(lock != nil)
            lock = nil
            #expect(await failure?.message == "started")
        }
    }

    @Test func namesASilentHolder() async throws {
        let folder = try TemporaryFolder()
        let launcher = Self.launcher(folder, patience: 0.1)
        try launcher.places.prepare()
        let lock = try ServiceLock(path: launcher.places.lock)
        for startsService in [true, false] {
            let error = await failure(launcher, startsService: startsService)
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("process \(getpid())") == true)
        }
        withExtendedLifetime(lock) {}
    }

    /// The socket's folder went, as after a logout: a few seconds, and a sentence that names the way out.
    @Test func namesAServiceWithoutSocket() async throws {
        let folder = try TemporaryFolder()
        var launcher = Self.launcher(folder, patience: 600)
        launcher.socketPatience = 0.1
        try launcher.places.prepare()
        let lock = try ServiceLock(path: launcher.places.lock)
        lock.announce(socket: folder.file("gone"))
        for startsService in [true, false] {
            let error = await failure(launcher, startsService: startsService)
            #expect(
                error?.message.contains("its socket \(folder.file("gone")) is gone") == true
                    && error?.fields.variant == .socketGone, "\(error as Any)")
        }
        withExtendedLifetime(lock) {}
    }

    @Test func reportsAWaitForTheServiceOnce() async throws {
        let folder = try TemporaryFolder()
        var launcher = Self.launcher(folder, patience: 4)
        // The report comes after one second, so the launcher waits longer.
        let reported = Mutex<[ServiceLauncher.Report]>([])
        launcher.report = { report in reported.withLock { $0.append(report) } }
        try launcher.places.prepare()
        let lock = try ServiceLock(path: launcher.places.lock)
        #expect(await failure(launcher)?.code == .timedOut)
        let reports = reported.withLock { $0 }
        #expect(reports.count == 1)
        guard case .waiting(let reason)? = reports.first else {
            Issue.record("\(reports)")
            return
        }
        #expect(reason.message.contains("process \(getpid())"))
        withExtendedLifetime(lock) {}
    }

    /// A process that holds the lock, and listens nowhere.
    @Test func stopsASilentService() async throws {
        let folder = try TemporaryFolder()
        var launcher = Self.launcher(folder)
        (launcher.patience, launcher.socketPatience) = (30, 0.05)
        try launcher.places.prepare()
        let script = #"exec 9>>"$1"; flock 9; printf '%d\n%s\n' $$ /nowhere/s >"$1"; exec sleep 600"#
        let holder = try Self.child(folder, "/bin/sh", ["-c", script, "sh", launcher.places.lock])
        let lock = launcher.places.lock
        #expect(await becomesTrue { ServiceLock.holder(of: lock)?.socket != nil })
        #expect(try await launcher.stopService())
        #expect(await holder.end() == -SIGTERM)
        #expect(try await !launcher.stopService())
    }

    /// The number in the file is another process's, as after a reboot on a file system of several machines.
    @Test func stopsNoOtherProcess() async throws {
        let folder = try TemporaryFolder()
        var launcher = Self.launcher(folder)
        (launcher.patience, launcher.socketPatience) = (0.2, 0.05)
        try launcher.places.prepare()
        let other = try Self.child(folder, "/bin/sleep", ["600"])
        let script = #"exec 9>>"$1"; flock 9; printf '%d\n%s\n' $2 /nowhere/s >"$1"; exec sleep 600"#
        let holder = try Self.child(folder, "/bin/sh", ["-c", script, "sh", launcher.places.lock, "\(other.pid)"])
        let lock = launcher.places.lock
        #expect(await becomesTrue { ServiceLock.holder(of: lock)?.socket != nil })
        await #expect(throws: TransferError.self) { try await launcher.stopService() }
        #expect(other.isRunning)
        for child in [other, holder] {
            child.send(SIGKILL)
            _ = await child.end()
        }
    }

    /// Commands do not keep starting what crashes at each start.
    @Test func stopsStartingAfterThreeCrashes() async throws {
        let folder = try TemporaryFolder()
        let launcher = Self.launcher(folder, #"echo x >> "$1/starts"; echo 'fileq-service: failed 1 started' >&3"#)
        try launcher.places.prepare()
        for (crashes, starts) in [(1, true), (2, false)] {
            let record = CrashRecord(signal: 4, crashes: crashes, startedAt: Double(time(nil)) - 1)
            try folder.write(Array(record.header.utf8), to: "state/service.crash")
            let error = await failure(launcher)
            #expect((error?.message == "started") == starts)
            if !starts {
                #expect(error?.message.contains("has crashed 3 times in a row, the last time by signal 4") == true)
            }
        }
        #expect(try folder.read("starts").count == 2)
    }

    @Test func omitsVariablesOfThisProcess() {
        let places = ServicePlaces { $0 == "FILEQ_HOME" ? "/whole/home" : nil }
        let variables = [
            "FILEQ_HOME": "home", "LISTEN_FDS": "1", "LISTEN_PID": "7", "NOTIFY_SOCKET": "/n", "PWD": "/here",
            "PATH": "/bin",
        ]
        #expect(
            ServiceLauncher.surroundings(variables, places: places) == ["FILEQ_HOME": "/whole/home", "PATH": "/bin"])
    }

    @Test func findsTheProgramForOtherPrograms() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "fileq")
        chmod(path, 0o700)
        #expect(
            try ServiceLauncher.installedProgram { $0 == "PATH" ? "relative:/nowhere:\(folder.path)" : nil } == path)
        #expect(try ServiceLauncher.installedProgram { $0 == "FILEQ_PROGRAM" ? "/bin/sh" : folder.path } == "/bin/sh")
        #expect(throws: TransferError.self) {
            try ServiceLauncher.installedProgram { $0 == "FILEQ_PROGRAM" ? "fileq" : folder.path }
        }
        #expect(throws: TransferError.self) { try ServiceLauncher.installedProgram { $0 == "PATH" ? "/nowhere" : nil } }
        #expect(ServiceLauncher.ownProgram?.hasPrefix("/") == true)
    }
}
