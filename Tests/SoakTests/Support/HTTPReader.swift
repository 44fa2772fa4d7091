// SPDX-License-Identifier: MIT

/// The head of a message of HTTP/1.1.
struct HTTPHead: Sendable {
    /// Of the first line.
    let words: [String]
    /// Names in lower case.
    let fields: [String: String]

    init(_ text: String) {
        let lines = text.split(separator: "\r\n")
        words = lines.first?.split(separator: " ").map(String.init) ?? []
        fields = Dictionary(
            lines.dropFirst().compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                return (parts[0].lowercased(), String(parts[1].drop { $0 == " " }))
            }, uniquingKeysWith: { first, _ in first })
    }

    func number(_ name: String) -> Int64? { fields[name].flatMap { Int64($0) } }

    /// What the draft's field for completeness states, in all of its versions.
    var isComplete: Bool? {
        fields["upload-complete"].map { $0 == "?1" } ?? fields["upload-incomplete"].map { $0 == "?0" }
    }
}

/// One direction of a connection: heads, and the content that follows each.
struct HTTPReader: Sendable {
    enum Event {
        case head(HTTPHead)
        case content(ArraySlice<UInt8>)
    }

    private var head: [UInt8] = []
    private var content: Int64 = 0

    /// The next event of `bytes`, which loses what it takes; `nil`: more is needed.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) -> Event? {
        guard !bytes.isEmpty else { return nil }
        if content > 0 {
            let piece = bytes.prefix(Int(min(content, Int64(bytes.count))))
            content -= Int64(piece.count)
            bytes = bytes.dropFirst(piece.count)
            return .content(piece)
        }
        while let byte = bytes.popFirst() {
            head.append(byte)
            guard byte == 0x0a, head.suffix(4) == [0x0d, 0x0a, 0x0d, 0x0a] else { continue }
            defer { head = [] }
            return .head(HTTPHead(String(decoding: head, as: UTF8.self)))
        }
        return nil
    }

    /// Bytes that follow the last head.
    mutating func expect(_ count: Int64) { content = count }
}
