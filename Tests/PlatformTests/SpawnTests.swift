// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Testing

@Suite struct SpawnTests {
    /// Runs a script of the shell to its end.
    private func output(
        _ script: String, environment: [String]? = nil, group: Spawn.Group = .inherited
    ) throws -> (String, Child.Status?) {
        let (reading, writing) = try Descriptor.pipe()
        var spawn = Spawn(["/bin/sh", "-c", script], environment: environment, group: group)
        spawn.streams[1] = .descriptor(consume writing)
        let child = try spawn.start()
        spawn.streams[1] = .null
        let text = String(decoding: try reading.readToEnd(), as: UTF8.self)
        return (text, child.reap())
    }

    @Test func passesArgumentsEnvironmentAndOutput() throws {
        let (text, status) = try output("printf '%s|%s' \"$NAME\" \"$0\"; exit 3", environment: ["NAME=value"])
        #expect(text == "value|/bin/sh")
        #expect(status == .exited(code: 3))
    }

    @Test func inheritsTheEnvironmentByDefault() throws {
        let own = String(cString: try #require(getenv("PATH")))
        #expect(try output("printf %s \"$PATH\"").0 == own)
    }

    @Test func theChildHasNoOtherDescriptor() throws {
        // Without close-on-exec, as another library may have opened it.
        let leaking = Descriptor(owning: open("/dev/null", O_RDONLY))
        #expect(leaking.number > 2)
        let (text, _) = try output("cd /proc/self/fd && echo *")
        withExtendedLifetime(leaking) {}
        // The shell may have opened the folder while it lists it.
        #expect(text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.filter { $0 <= 2 }.count == 3)
        #expect(!text.split(whereSeparator: \.isWhitespace).contains("\(leaking.number)"))
    }

    @Test func theChildHasNoBlockedSignals() throws {
        var all = sigset_t(), before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let (text, _) = try output("grep -E 'Sig(Blk|Ign)' /proc/self/status")
        // Two above the standard ones are the C library's own.
        let masks = text.split(separator: "\n").compactMap {
            $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
        }
        #expect(masks.map { $0 & 0x7fff_ffff } == [0, 0], "\(text)")
    }

    @Test func signalsAProcessGroup() throws {
        let child = try Spawn(["sleep", "60"], group: .own).start()
        #expect(getpgid(child.pid) == child.pid)
        #expect(!child.hasEnded)
        #expect(child.reapIfEnded() == nil)
        kill(-child.pid, SIGKILL)
        child.waitForEnd()
        #expect(child.hasEnded)
        #expect(child.reap() == .killed(signal: SIGKILL))
        #expect(child.reap() == nil)
    }

    @Test func newSessionHasNoTerminal() throws {
        let child = try Spawn(["sleep", "60"], group: .session).start()
        #expect(getsid(child.pid) == child.pid)
        kill(child.pid, SIGKILL)
        child.reap()
    }

    @Test func missingProgramsThrow() {
        let error = #expect(throws: SystemError.self) { try Spawn(["/nowhere/program"]).start() }
        #expect(error == SystemError("posix_spawn", path: "/nowhere/program", errno: ENOENT))
        #expect(error?.description == "/nowhere/program: posix_spawn: No such file or directory")
    }

    @Test func copiesDescriptorsBeforeReplacingThem() throws {
        let (reading, writing) = try Descriptor.pipe()
        // The child's descriptor of the same number becomes /dev/null first, the next one is the pipe.
        let streams = [Spawn.Stream](repeating: .null, count: Int(writing.number) + 1) + [.descriptor(writing)]
        let child = try Spawn(["/bin/sh", "-c", "echo here > /proc/self/fd/\(writing.number + 1)"], streams: streams)
            .start()
        child.reap()
        #expect(try reading.read(upTo: 100) == Array("here\n".utf8))
    }
}
