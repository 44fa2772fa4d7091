// SPDX-License-Identifier: MIT

import Glibc

/// A request of the kernel: `fuse_in_header` and what follows it.
struct FuseRequest {
    static let headerSize = 40
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var opcode: UInt32 { bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) } }
    var unique: UInt64 { bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) } }
    var node: UInt64 { bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self) } }

    /// - Parameter offset: behind the header.
    func uint32(_ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: Self.headerSize + offset, as: UInt32.self) }
    }

    func int64(_ offset: Int) -> Int64 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: Self.headerSize + offset, as: Int64.self) }
    }

    func tail(_ offset: Int) -> ArraySlice<UInt8> { bytes[(Self.headerSize + offset)...] }

    /// NUL-terminated.
    func names(_ offset: Int) -> [String] {
        tail(offset).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The files of a ``StallingFileSystem``, and the replies to the kernel's requests. A value.
struct FuseFolder {
    private struct Node {
        var bytes: [UInt8] = []
        var mode: UInt32 = S_IFREG | 0o600
        var modified = Time.now
        var changed = Time.now
    }

    private struct Time {
        var seconds: Int64
        var nanoseconds: UInt32

        static var now: Time {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Time(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
        }
    }

    private struct Failure: Error { var errno: Int32 }

    private static let root: UInt64 = 1
    private var nodes: [UInt64: Node] = [:]
    private var entries: [String: UInt64] = [:]
    private var last = Self.root
    /// The error of each FLUSH, which the kernel sends when a descriptor is closed; `nil`: there is none.
    var closingError: Int32?
    /// Bytes of the longest name; then no file gets a name with a colon either, as on vfat. `nil`: any name is taken.
    var longestName: Int?

    var names: [String] { entries.keys.sorted() }
    func bytes(of name: String) -> [UInt8]? { entries[name].flatMap { nodes[$0]?.bytes } }
    mutating func put(_ bytes: [UInt8], at name: String) { nodes[make(name)]?.bytes = bytes }
    mutating func remove(_ name: String) { if let node = entries.removeValue(forKey: name) { nodes[node] = nil } }

    /// - Returns: `nil` where the kernel expects none.
    mutating func reply(to request: FuseRequest) -> [UInt8]? {
        // FORGET, INTERRUPT, BATCH_FORGET.
        if [2, 36, 42].contains(request.opcode) { return nil }
        var (body, code) = (Output(), Int32(0))
        do { try carryOut(request, &body) } catch { (body, code) = (Output(), (error as? Failure)?.errno ?? EIO) }
        var reply = Output()
        reply.add(UInt32(16 + body.bytes.count))
        reply.add(-code)
        reply.add(request.unique)
        return reply.bytes + body.bytes
    }

    private mutating func carryOut(_ request: FuseRequest, _ output: inout Output) throws {
        switch request.opcode {
        case 1:  // LOOKUP
            let name = request.names(0).first ?? ""
            guard let node = entries[name] else {
                throw Failure(errno: name.utf8.count > longestName ?? .max ? ENAMETOOLONG : ENOENT)
            }
            entry(node, &output)
        case 3: attributes(request.node, &output)  // GETATTR
        case 4: try setAttributes(request, &output)
        case 10:  // UNLINK
            guard entries.removeValue(forKey: request.names(0)[0]) != nil else { throw Failure(errno: ENOENT) }
        case 12: try rename(request.names(8), flags: 0)
        case 45: try rename(request.names(16), flags: request.uint32(8))
        case 14, 27: open(&output)  // OPEN, OPENDIR
        case 15:  // READ
            let (bytes, start) = (nodes[request.node]?.bytes ?? [], Int(request.int64(8)))
            output.bytes += bytes[min(start, bytes.count)..<min(bytes.count, start + Int(request.uint32(16)))]
        case 16: try write(request, &output)
        case 17:  // STATFS: blocks, then sizes of block, name and fragment.
            for count in [1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20] as [UInt64] { output.add(count) }
            for count in [4096, UInt32(longestName ?? 255), 4096] { output.add(count) }
            output.pad(28)
        case 18, 20, 28, 29, 30: break  // RELEASE, FSYNC, READDIR, RELEASEDIR, FSYNCDIR
        case 25 where closingError != nil: throw Failure(errno: closingError ?? 0)  // FLUSH
        case 26: greet(request, &output)
        case 35:  // CREATE
            let name = request.names(16)[0]
            try check(name)
            let node = make(name)
            nodes[node]?.mode = S_IFREG | (request.uint32(4) & 0o777)
            entry(node, &output)
            open(&output)
        default: throw Failure(errno: ENOSYS)
        }
    }

    private func check(_ name: String) throws {
        guard let longestName else { return }
        if name.utf8.count > longestName { throw Failure(errno: ENAMETOOLONG) }
        if name.utf8.contains(UInt8(ascii: ":")) { throw Failure(errno: EINVAL) }
    }

    private func greet(_ request: FuseRequest, _ output: inout Output) {
        for number in [7, 31, request.uint32(8), 1 << 5] as [UInt32] { output.add(number) }
        // No limits of background requests; 128 KiB a write.
        output.pad(4)
        output.add(UInt32(131_072))
        output.add(UInt32(1))
        output.pad(36)
    }

    private mutating func make(_ name: String) -> UInt64 {
        last += 1
        (nodes[last], entries[name]) = (Node(), last)
        return last
    }

    /// Without the page cache: each read and write is a request.
    private func open(_ output: inout Output) {
        output.pad(8)
        output.add(UInt32(1))
        output.pad(4)
    }

    private mutating func write(_ request: FuseRequest, _ output: inout Output) throws {
        let (start, count) = (Int(request.int64(8)), Int(request.uint32(16)))
        guard var node = nodes[request.node] else { throw Failure(errno: EIO) }
        nodes[request.node] = nil
        if node.bytes.count < start + count {
            node.bytes += [UInt8](repeating: 0, count: start + count - node.bytes.count)
        }
        node.bytes.replaceSubrange(start..<start + count, with: request.tail(40).prefix(count))
        (node.modified, node.changed) = (.now, .now)
        nodes[request.node] = node
        output.add(UInt32(count))
        output.pad(4)
    }

    private mutating func rename(_ names: [String], flags: UInt32) throws {
        guard let node = entries[names[0]] else { throw Failure(errno: ENOENT) }
        try check(names[1])
        guard flags & 1 == 0 || entries[names[1]] == nil else { throw Failure(errno: EEXIST) }
        entries[names[0]] = nil
        entries[names[1]] = node
        nodes[node]?.changed = .now
    }

    /// Size, mode and time of modification.
    private mutating func setAttributes(_ request: FuseRequest, _ output: inout Output) throws {
        guard var node = nodes[request.node] else { throw Failure(errno: EPERM) }
        let valid = request.uint32(0)
        if valid & 8 != 0 {
            let size = Int(request.int64(16))
            node.bytes = Array(node.bytes.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - node.bytes.count))
        }
        if valid & 1 != 0 { node.mode = S_IFREG | (request.uint32(68) & 0o7777) }
        if valid & 32 != 0 { node.modified = Time(seconds: request.int64(40), nanoseconds: request.uint32(60)) }
        if valid & 256 != 0 { node.modified = .now }
        node.changed = .now
        nodes[request.node] = node
        attributes(request.node, &output)
    }

    // MARK: Structures

    private struct Output {
        var bytes: [UInt8] = []

        mutating func add(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func pad(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }
    }

    /// `fuse_entry_out`: nothing is cached.
    private func entry(_ node: UInt64, _ output: inout Output) {
        output.add(node)
        output.pad(32)
        attribute(node, &output)
    }

    /// `fuse_attr_out`.
    private func attributes(_ node: UInt64, _ output: inout Output) {
        output.pad(16)
        attribute(node, &output)
    }

    /// `fuse_attr`.
    private func attribute(_ id: UInt64, _ output: inout Output) {
        let node = nodes[id]
        let size = UInt64(node?.bytes.count ?? 0)
        for number in [id, size, (size + 511) / 512] { output.add(number) }
        let (modified, changed) = (node?.modified ?? .now, node?.changed ?? .now)
        for time in [modified, modified, changed] { output.add(time.seconds) }
        for time in [modified, modified, changed] { output.add(time.nanoseconds) }
        let links: UInt32 = id == Self.root ? 2 : entries.values.contains(id) ? 1 : 0
        for number in [node?.mode ?? S_IFDIR | 0o700, links, getuid(), getgid(), 0, 4096, 0] as [UInt32] {
            output.add(number)
        }
    }
}
