// SPDX-License-Identifier: MIT

import CLinux

/// The messages in one `recv` of a netlink socket (netlink(7)). Lengths are validated; a message longer than the data,
/// or shorter than its header, ends the reading and sets ``isDamaged``.
struct NetlinkReader {
    struct Message {
        var type: UInt16
        var flags: UInt16
        /// The payload, without padding.
        var body: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>
    private(set) var isDamaged = false

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func next() -> Message? {
        guard !rest.isEmpty else { return nil }
        guard let head = rest.load(nlmsghdr.self), case let length = Int(head.nlmsg_len),
            length >= MemoryLayout<nlmsghdr>.size, length <= rest.count
        else {
            isDamaged = true
            rest = []
            return nil
        }
        let body = rest.prefix(length).dropFirst(MemoryLayout<nlmsghdr>.size)
        rest = rest.dropFirst(aligned(length))
        return Message(type: head.nlmsg_type, flags: head.nlmsg_flags, body: body)
    }
}

/// The attributes of a message (rtnetlink(7)), up to the first invalid one.
struct NetlinkAttributes: Sequence, IteratorProtocol {
    struct Attribute {
        var type: Int
        var value: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func next() -> Attribute? {
        guard let head = rest.load(rtattr.self), case let length = Int(head.rta_len),
            length >= MemoryLayout<rtattr>.size, length <= rest.count
        else { return nil }
        let value = rest.prefix(length).dropFirst(MemoryLayout<rtattr>.size)
        rest = rest.dropFirst(aligned(length))
        return Attribute(type: Int(clinux_attribute_type(head.rta_type)), value: value)
    }
}

/// Netlink pads to four bytes.
private func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

extension ArraySlice<UInt8> {
    /// The C value at the beginning, in native byte order; `nil` if there are too few bytes.
    func load<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
        guard count >= MemoryLayout<Value>.size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }

    /// As text up to the first NUL.
    var cText: String { String(decoding: prefix { $0 != 0 }, as: UTF8.self) }
}
