// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// A program to start with posix_spawn(3). The child gets only the descriptors listed here, and default signal handling
/// with an empty mask.
package struct Spawn: Sendable {
    /// The source of a child's descriptor.
    package enum Stream: Sendable {
        /// `/dev/null`
        case null
        /// Opened with these flags of open(2); a new file has mode 0600.
        case file(String, flags: Int32)
        /// A copy of an open descriptor of this process.
        case descriptor(Descriptor)
    }

    package enum Group: Sendable {
        /// Inherited from this process.
        case inherited
        /// A new process group, which the terminal's Ctrl-C does not reach.
        case own
        /// A new session, detached from any terminal.
        case session
    }

    /// The program and its arguments. A program without a slash is looked up in this process's `PATH`.
    package var words: [String]
    /// `NAME=VALUE`; `nil`: inherited.
    package var environment: [String]?
    /// The child's descriptors from 0 on.
    package var streams: [Stream]
    package var group: Group

    package init(
        _ words: [String], environment: [String]? = nil, streams: [Stream] = [.null, .null, .null],
        group: Group = .inherited
    ) {
        self.words = words
        self.environment = environment
        self.streams = streams
        self.group = group
    }

    /// Starts it. Copied descriptors stay open here.
    package func start() throws(SystemError) -> Child {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Duplicates sources with low numbers first, before an earlier action overwrites them.
        var copies: [Descriptor] = []
        var code: Int32 = 0
        for (index, stream) in streams.enumerated() where code == 0 {
            let number = Int32(index)
            switch stream {
            case .null:
                code = posix_spawn_file_actions_addopen(
                    &actions, number, "/dev/null", index == 0 ? O_RDONLY : O_WRONLY, 0)
            case .file(let path, let flags):
                code = posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
            case .descriptor(let descriptor):
                var source = descriptor.number
                if source < streams.count {
                    source = fcntl(source, F_DUPFD_CLOEXEC, Int32(streams.count))
                    guard source >= 0 else { throw SystemError("fcntl", errno: errno) }
                    copies.append(Descriptor(owning: source))
                }
                code = posix_spawn_file_actions_adddup2(&actions, source, number)
            }
        }
        if code == 0 { code = clinux_spawn_close_from(&actions, Int32(streams.count)) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let flags: Int16 =
            switch group {
            case .inherited: 0
            case .own: Int16(POSIX_SPAWN_SETPGROUP)
            case .session: clinux_spawn_new_session()
            }
        if code == 0 { code = clinux_spawn_reset_signals(&attributes, flags) }

        var arguments = words.map { strdup($0) } + [nil]
        var variables = (environment ?? []).map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        guard let program = arguments.first ?? nil else { throw SystemError("posix_spawn", errno: ENOENT) }
        var child: pid_t = 0
        if code == 0 {
            code =
                environment == nil
                ? posix_spawnp(&child, program, &actions, &attributes, &arguments, environ)
                : posix_spawnp(&child, program, &actions, &attributes, &arguments, &variables)
        }
        withExtendedLifetime((streams, copies)) {}
        guard code == 0 else { throw SystemError("posix_spawn", path: words.first, errno: code) }
        return Child(pid: child)
    }
}
