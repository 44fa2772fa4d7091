// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

/// Another boot of the machine, as far as programs can see: the boot id of the kernel, in a mount namespace of theirs.
struct OtherBoot: Sendable {
    static let path = "/proc/sys/kernel/random/boot_id"

    /// Holds the id.
    let file: String

    init(_ number: Int, in folder: TemporaryFolder) throws {
        file = folder.file("boot-id-\(number)")
        let id = "00000000-0000-4000-8000-\(String(format: "%012d", number))\n"
        try Data(id.utf8).write(to: URL(fileURLWithPath: file))
    }

    /// A program of this boot, as a program with its arguments. It keeps the process ID.
    func words(_ words: [String]) -> (program: String, arguments: [String]) {
        let line = "mount --make-rprivate / && mount --bind '\(file)' \(Self.path) && exec \"$0\" \"$@\""
        return ("/usr/bin/unshare", ["-m", "/bin/bash", "-c", line] + words)
    }

    func isSeen(by pid: pid_t) -> Bool {
        let seen = FileManager.default.contents(atPath: "/proc/\(pid)/root\(Self.path)")
        return seen != nil && seen == FileManager.default.contents(atPath: file)
    }
}

extension SoakStage {
    /// Starts the service under a boot id of its own.
    func boot(_ boot: OtherBoot) async throws {
        let (program, arguments) = boot.words([Binary.path, "list", "--json"])
        let said = try await start(program, arguments).end()
        try #require(said.exit == 0, "\(said)\n\(logTail)")
        let pid = try #require(try await servicePid())
        try #require(boot.isSeen(by: pid), "the service sees another boot id")
    }

    func boot(_ number: Int) async throws { try await boot(OtherBoot(number, in: folder)) }
}
