// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A network namespace of a test, with `lo` only, removed with everything in it at the end.
package final class NetworkNamespace: Sendable {
    private static let ip = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].first(
        where: FileManager.default.isExecutableFile)

    /// Whether one can be created: needs root, iproute2 and kernel support.
    package static let isAvailable: Bool = {
        guard ip != nil, geteuid() == 0, let probe = try? NetworkNamespace() else { return false }
        return (try? probe.set("link add p0 type veth peer name p1")) != nil
    }()

    package struct Refusal: Error { package let words: String }

    package let name = "fileq-test-\(UUID().uuidString.prefix(13))"

    package init() throws { try Self.run(["netns", "add", name]) }

    deinit { try? Self.run(["netns", "delete", name]) }

    /// Runs one `ip` command inside.
    package func set(_ command: String) throws {
        try Self.run(["-n", name] + command.split(separator: " ").map(String.init))
    }

    /// Runs many, in one process.
    package func set(_ commands: some Sequence<String>) throws {
        try Self.run(["-n", name, "-batch", "-"], input: commands.joined(separator: "\n") + "\n")
    }

    /// The command prefix to run a program inside; it execs the program.
    package func words(for program: String, _ arguments: [String]) -> [String] {
        [Self.ip ?? "ip", "netns", "exec", name, program] + arguments
    }

    private static func run(_ words: [String], input: String? = nil) throws {
        let process = try ChildProcess(ip ?? "/usr/sbin/ip", words, input: input == nil ? .null : .pipe)
        if let input { try process.write(input) }
        process.closeInput()
        guard process.wait() == 0 else { throw Refusal(words: words.joined(separator: " ")) }
    }
}
