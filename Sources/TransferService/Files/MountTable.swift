// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// The mounted file systems of this process, read from `/proc/self/mountinfo` (proc(5)). A value.
struct MountTable: Sendable {
    struct Mount: Sendable, Hashable {
        /// Absolute, without a trailing slash; `/` for the root.
        let path: String
        let type: String

        /// Whether its calls end in a bounded time. Those of a network or FUSE file system end when their server
        /// replies.
        var isLocal: Bool { MountTable.localTypes.contains(type) }
    }

    /// File systems that the kernel serves from memory or from a local device. All others may hang.
    static let localTypes: Set<String> = [
        "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "jfs", "reiserfs", "vfat", "exfat", "ntfs3",
        "iso9660", "udf", "squashfs", "erofs", "overlay", "tmpfs", "ramfs", "rootfs", "devtmpfs", "devpts", "proc",
        "sysfs", "cgroup", "cgroup2", "mqueue", "hugetlbfs",
    ]

    private var mounts: [String: Mount] = [:]

    /// - Parameter text: of mountinfo. A later line hides an earlier one of the same path.
    init(parsing text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 1, fields.count > 4 else { continue }
            let path = Self.unescaped(fields[4])
            mounts[path] = Mount(path: path, type: String(fields[dash + 1]))
        }
    }

    /// If the table cannot be read, nothing is known to be local.
    func mount(exactlyAt path: String) -> Mount? { mounts[path] }

    /// The file system that `path` leads to, without a call that could hang: links are read only in folders of local
    /// file systems.
    /// - Parameter path: absolute.
    /// - Parameter followsLast: whether a link at the end of `path` is followed.
    func mount(of path: String, followsLast: Bool) -> Mount {
        var left = path.pathParts.reversed().map(String.init)
        var (place, links) = ("", 0)
        var above = [mounts["/"] ?? Mount(path: "/", type: "")]
        while let name = left.popLast() {
            if name == "." { continue }
            if name == ".." {
                place = place.lastSlash.map { String(place[..<$0]) } ?? ""
                if above.count > 1 { above.removeLast() }
                continue
            }
            let next = "\(place)/\(name)"
            let mount = mounts[next] ?? above[above.count - 1]
            guard mount.isLocal else { return mount }
            if !left.isEmpty || followsLast, links < 40, let target = Self.target(of: next) {
                links += 1
                if target.beginsWithSlash { (place, above) = ("", [above[0]]) }
                left += target.pathParts.reversed().map(String.init)
                continue
            }
            place = next
            above.append(mount)
        }
        return above[above.count - 1]
    }

    private static func target(of link: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            let count = readlink(link, buffer.baseAddress!, buffer.count)
            return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    /// Space, tab, newline and backslash are written as `\040` and the like.
    private static func unescaped(_ field: Substring) -> String {
        guard field.contains("\\") else { return String(field) }
        var (bytes, rest) = ([UInt8](), field.utf8[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let code = UInt8(String(rest.prefix(3)) ?? "", radix: 8) {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
