// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// An ext4 file system in a file. What that file holds at a moment is what a disk would hold if the current went away
/// then: what the file system has in memory alone is not in it.
struct DiskImage {
    private let stage: SoakStage
    private let path: String

    /// Makes an empty one.
    init(_ stage: SoakStage, named name: String, bytes: Int = 256 << 20) async throws {
        (self.stage, path) = (stage, stage.folder.file(name))
        try Data().write(to: URL(fileURLWithPath: path))
        try #require(truncate(path, off_t(bytes)) == 0)
        try await Self.run(
            stage, "/sbin/mkfs.ext4", ["-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", path])
    }

    private init(_ stage: SoakStage, at path: String) { (self.stage, self.path) = (stage, path) }

    /// What is on the disk now, as another disk.
    func copy(as name: String) async throws -> DiskImage {
        let copy = stage.folder.file(name)
        try await Self.run(stage, "/bin/cp", ["--sparse=always", path, copy])
        return DiskImage(stage, at: copy)
    }

    /// Mounts it, with a commit of its journal every second, and lays its folders over those of the stage.
    func mount(_ folders: [String]) async throws {
        let root = stage.folder.file("disk")
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try await Self.run(stage, "/bin/mount", ["-o", "loop,commit=1", path, root])
        stage.noteMount(root)
        for folder in folders {
            let inside = "\(root)/\(URL(fileURLWithPath: folder).lastPathComponent)"
            if !Files.exists(inside) {
                try FileManager.default.createDirectory(
                    atPath: inside, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            }
            try await Self.run(stage, "/bin/mount", ["--bind", inside, folder])
            stage.noteMount(folder)
        }
    }

    /// Takes the folders off again. Processes that have one for their working folder do not hold that up.
    func unmount(_ folders: [String]) throws {
        for path in folders + [stage.folder.file("disk")] {
            try #require(umount2(path, Int32(MNT_DETACH)) == 0, "umount \(path): \(String(cString: strerror(errno)))")
        }
    }

    private static func run(_ stage: SoakStage, _ program: String, _ arguments: [String]) async throws {
        let said = try await stage.start(program, arguments).end()
        try #require(said.exit == 0, "\(program): \(said)")
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test for anybody who cannot make a file into a disk.
    static var disks: Self {
        .enabled(
            if: geteuid() == 0 && Files.exists("/dev/loop-control") && Files.exists("/sbin/mkfs.ext4"),
            "needs root, loop devices and mkfs.ext4")
    }
}
