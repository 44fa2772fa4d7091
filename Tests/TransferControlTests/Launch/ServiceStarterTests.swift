// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

/// Shell scripts in the service's place.
@Suite struct ServiceStarterTests {
    /// - Returns: what the start threw.
    private static func start(
        _ script: String, in folder: TemporaryFolder, within seconds: Double = 30
    ) async -> TransferError? {
        let starter = ServiceStarter(
            program: "/bin/sh", arguments: ["-c", script, "sh", folder.path],
            environment: ["PATH": "/usr/bin:/bin", "MARK": "given"], log: "/state/service.log")
        return await withCheckedContinuation { done in
            DispatchQueue.global().async {
                do throws(TransferError) {
                    try starter.start(within: seconds)
                    done.resume(returning: nil)
                } catch {
                    done.resume(returning: error)
                }
            }
        }
    }

    @Test func acceptsReadiness() async throws {
        let folder = try TemporaryFolder()
        #expect(await Self.start("echo noise >&2; echo 'fileq-service: ready' >&3", in: folder) == nil)
    }

    @Test func throwsTheReportedError() async throws {
        let folder = try TemporaryFolder()
        let error = await Self.start("echo 'fileq-service: failed 23 /state: no room' >&3; exit 23", in: folder)
        #expect(error == TransferError(.cannotWrite, "/state: no room"))
    }

    @Test func theReportedErrorHasItsValues() async throws {
        let folder = try TemporaryFolder()
        let json = #"{"code":2,"message":"process 7 has it","variant":"serviceRunning"}"#
        let error = await Self.start(
            "echo 'fileq-service-error: \(json)' >&3; echo 'fileq-service: failed 2 it runs' >&3; exit 2", in: folder)
        #expect(error?.code == .usage && error?.fields.variant == .serviceRunning)
        #expect(error?.message == "process 7 has it")
    }

    @Test(arguments: [
        ("exit 3", "it said nothing"),
        ("echo 'sh: config.toml:3: no such option' >&2", "ready: config.toml:3: no such option"),
    ])
    func exitsWithoutAMessage(_ script: String, _ words: String) async throws {
        let folder = try TemporaryFolder()
        let error = await Self.start(script, in: folder)
        #expect(error?.code == .other)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func reportsAMissingExecutable() async throws {
        let starter = ServiceStarter(program: "/no/such/program", arguments: [], environment: [:], log: "")
        let error = #expect(throws: TransferError.self) { try starter.start(within: 30) }
        #expect(error?.message.contains("/no/such/program") == true)
    }

    /// It must not wait for ever, and must not end what may only be slow.
    @Test func timesOutWithoutAMessage() async throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.file("go"), 0o600)
        let error = await Self.start(#"read line < "$1/go"; : > "$1/ended""#, in: folder, within: 0.05)
        #expect(error?.code == .timedOut)
        let descriptor = open(folder.file("go"), O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        write(descriptor, "go\n", 3)
        #expect(await eventually { folder.exists("ended") })
    }

    @Test func limitsOutputBeforeReadiness() async throws {
        let folder = try TemporaryFolder()
        let error = await Self.start("yes >&2", in: folder)
        #expect(error?.code == .other)
        #expect((error?.message.utf8.count ?? 1000) < 500)
    }

    /// No descriptor, no session and no signal of this process goes along.
    @Test func isDetached() async throws {
        let folder = try TemporaryFolder()
        // Without O_CLOEXEC: another's descriptor, as a shell script may hold one.
        let stray = fcntl(0, F_DUPFD, 50)
        defer { close(stray) }
        let script = #"""
            ls /proc/$$/fd > "$1/descriptors"; cut -d' ' -f5,6 /proc/$$/stat > "$1/session"; echo $$ > "$1/pid"
            echo "$MARK ${HOME-none}" > "$1/environment"; grep SigIgn /proc/$$/status > "$1/ignored"
            echo 'fileq-service: ready' >&3
            """#
        #expect(await Self.start(script, in: folder) == nil)
        func text(_ name: String) throws -> [String] {
            String(decoding: try folder.read(name), as: UTF8.self).split { $0 == "\n" || $0 == " " || $0 == "\t" }.map(
                String.init)
        }
        // The shell keeps one of its own at 10 or above.
        let descriptors = try text("descriptors").compactMap { Int32($0) }
        #expect(descriptors.filter { $0 < 10 } == [0, 1, 2, 3] && !descriptors.contains(stray), "\(descriptors)")
        let pid = try text("pid")[0]
        #expect(try text("session") == [pid, pid])
        #expect(try text("environment") == ["given", "none"])
        // The C library has two signals of its own, 32 and 33.
        let ignored = try #require(try text("ignored").last.flatMap { UInt64($0, radix: 16) })
        #expect(ignored & 0x7fff_ffff == 0, "\(ignored)")
    }
}
