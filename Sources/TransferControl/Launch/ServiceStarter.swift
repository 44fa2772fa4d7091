// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import TransferModel

/// Starts the service as a process of its own, away from terminal, session and descriptors of this one, and hears whether it came up.
struct ServiceStarter: Sendable {
    let program: String
    let arguments: [String]
    let environment: [String: String]
    /// Named in messages.
    let log: String

    /// Said of a service before it is ready, at most.
    private static let maximumBytes = 16_384

    /// Blocks until the service is ready.
    /// - Throws: what the service said that it failed of; code `timedOut` where it has said nothing for `seconds`; `other` where it
    ///   cannot be started at all.
    func start(within seconds: Double) throws(TransferError) {
        let (ours, theirs) = try Self.pair()
        defer { close(ours) }
        let child: pid_t
        do throws(TransferError) {
            child = try spawn(speaking: theirs)
        } catch {
            close(theirs)
            throw error
        }
        close(theirs)
        defer { ChildReaper.await(child) }
        var said: [UInt8] = []
        let end = CallClock.system.now() + seconds
        while said.count < Self.maximumBytes {
            let left = end - CallClock.system.now()
            var wait = pollfd(fd: ours, events: Int16(POLLIN), revents: 0)
            let found = left > 0 ? poll(&wait, 1, Int32((left * 1000).rounded(.up))) : 0
            if found < 0, errno == EINTR { continue }
            guard found > 0 else {
                throw TransferError(.timedOut, "the background service (process \(child)) has not become ready for "
                    + "\(Int(seconds)) s; \(log) may say why")
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(ours, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            said += buffer[..<count]
            switch Self.readiness(in: said) {
            case .ready: return
            case .failed(let error): throw error
            case nil: break
            }
        }
        throw Self.reason(said, program: program, log: log)
    }

    /// Pure: the first line that tells it.
    static func readiness(in said: [UInt8]) -> ServiceReadiness? {
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.lazy.compactMap { ServiceReadiness(line: $0) }.first
    }

    /// Pure: why it ended without telling, by the last of its own words.
    static func reason(_ said: [UInt8], program: String, log: String) -> TransferError {
        let words = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).last.map { line in
            // As programs begin their complaints.
            let name = "\(program.split(separator: "/").last ?? ""): "
            return String((line.hasPrefix(name) ? line.dropFirst(name.count) : line).prefix(300))
        }
        return TransferError(.other, "the background service ended before it was ready: " + (words ?? "it said nothing; \(log) may say why"),
                             fields: .init(path: log, variant: words == nil ? .serviceSilent : nil))
    }

    /// Two ends that programs started meanwhile do not get, and that are not among the first three.
    private static func pair() throws(TransferError) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw UnixSocket.failure("cannot start the background service", errno)
        }
        defer { ends.forEach { _ = close($0) } }
        let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, ServiceReadiness.descriptor + 1) }
        guard high.allSatisfy({ $0 >= 0 }) else {
            let code = errno
            for end in high where end >= 0 { close(end) }
            throw UnixSocket.failure("cannot start the background service", code)
        }
        return (high[0], high[1])
    }

    private func spawn(speaking theirs: Int32) throws(TransferError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, theirs, 2)
        posix_spawn_file_actions_adddup2(&actions, theirs, ServiceReadiness.descriptor)
        var code = clinux_spawn_close_from(&actions, ServiceReadiness.descriptor + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        clinux_spawn_reset_signals(&attributes, clinux_spawn_new_session())

        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var child: pid_t = 0
        if code == 0 { code = posix_spawn(&child, program, &actions, &attributes, &words, &variables) }
        guard code == 0 else { throw UnixSocket.failure("\(program): cannot start the background service", code) }
        return child
    }
}

/// Takes note of the ends of started services, so that none stays behind as a zombie while this process lives.
private enum ChildReaper {
    static func await(_ child: pid_t) {
        var thread = pthread_t()
        let number = UnsafeMutableRawPointer(bitPattern: Int(child))
        let code = pthread_create(&thread, nil, { number in
            while waitpid(pid_t(Int(bitPattern: number)), nil, 0) < 0, errno == EINTR {}
            return nil
        }, number)
        if code == 0 { pthread_detach(thread) }
    }
}
