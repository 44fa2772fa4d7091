// SPDX-License-Identifier: MIT

/// What a relay sees of uploads: which bytes the server has confirmed, and which ones come again. A value without I/O.
struct UploadLedger: Sendable {
    /// A request of which content or the response is under way.
    struct Request: Sendable {
        let method: String
        /// The upload resource, or the target.
        var path: String
        var offset: Int64?
        /// Of the whole upload, stated at creation, or that of a creation with all content.
        var length: Int64?
        /// By a protocol for resuming.
        var isResumable = false
        /// ``path`` is that of the upload resource.
        var hasResource = false
        /// Bytes of content so far.
        var content: Int64 = 0
        /// Confirmed when it began.
        var floor: Int64 = 0
    }

    /// The highest offset that the server has stated, by upload resource.
    private(set) var stated: [String: Int64] = [:]
    /// What a client has stored as confirmed before it was killed.
    private(set) var recorded: [String: Int64] = [:]
    private var lengths: [String: Int64] = [:]
    /// Upload resources, targets of plain uploads, and files of plain FileQ uploads, if the server has every byte.
    private(set) var completed: Set<String> = []
    /// Bytes of content.
    private(set) var sent: Int64 = 0
    /// Those of them that had been confirmed before.
    private(set) var sentAgain: Int64 = 0
    /// Requests with content of resumable uploads.
    private(set) var appends = 0
    private(set) var violations: [String] = []

    mutating func begins(_ head: HTTPHead) -> Request {
        var request = Request(
            method: head.words.first ?? "", path: Self.path(head.words.dropFirst().first ?? ""),
            offset: head.number("upload-offset"), length: head.number("upload-length"))
        request.isResumable = request.length != nil || head.isComplete != nil
        if request.method == "PUT" || request.method == "POST", let content = head.number("content-length") {
            if request.isResumable, content > 0 { appends += 1 }
            if head.isComplete == true { request.length = content }
        }
        guard request.method == "PATCH", let offset = request.offset else { return request }
        request.floor = max(stated[request.path] ?? 0, recorded[request.path] ?? 0)
        appends += 1
        if offset < request.floor {
            violations.append("PATCH \(request.path) begins at \(offset), and \(request.floor) bytes were confirmed")
        }
        return request
    }

    mutating func carries(_ count: Int, of request: inout Request) {
        sent += Int64(count)
        if let offset = request.offset {
            let start = offset + request.content
            sentAgain += max(0, min(start + Int64(count), request.floor) - start)
        }
        request.content += Int64(count)
    }

    /// - Returns: whether the response is final.
    mutating func responds(_ head: HTTPHead, to request: inout Request) -> Bool {
        guard head.words.count > 1, let status = Int(head.words[1]) else { return true }
        let isSuccess = (200..<300).contains(status)
        if request.method == "PUT" || request.method == "POST" {
            let location = head.fields["location"].map { Self.path($0) }
            // The first one: that of the last response may be the target.
            if request.isResumable, !request.hasResource, status == 104 || status == 201, let location {
                request.path = location
                request.hasResource = true
                lengths[location] = request.length
            }
            // Without content it is for a session.
            if isSuccess, !request.isResumable, request.content > 0 {
                completed.insert(request.method == "POST" ? location ?? request.path : request.path)
            }
        }
        if let offset = head.number("upload-offset"), isSuccess || status == 104 || status == 409 {
            stated[request.path] = max(offset, stated[request.path] ?? 0)
        }
        // If the response to the last bytes was lost, the offset alone shows with tus that they arrived.
        let start: Int64? = request.offset ?? (request.hasResource ? 0 : nil)
        let end = request.method == "HEAD" ? stated[request.path] : start.map { $0 + request.content }
        if isSuccess, let length = lengths[request.path], end == length {
            stated[request.path] = length
            completed.insert(request.path)
        }
        return status >= 200
    }

    /// A client that was killed had stored `offset`.
    mutating func finds(recorded offset: Int64, of url: String) {
        let path = Self.path(url)
        recorded[path] = max(offset, recorded[path] ?? 0)
        guard offset > stated[path] ?? 0 else { return }
        violations.append("\(path): \(offset) bytes are recorded as confirmed, the server stated \(stated[path] ?? 0)")
    }

    private static func path(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        return url[scheme.upperBound...].firstIndex(of: "/").map { String(url[$0...]) } ?? "/"
    }
}

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
        case content(Int)
    }

    private var head: [UInt8] = []
    private var content: Int64 = 0

    /// The next event of `bytes`, which loses what it takes; `nil`: more is needed.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) -> Event? {
        guard !bytes.isEmpty else { return nil }
        if content > 0 {
            let count = Int(min(content, Int64(bytes.count)))
            content -= Int64(count)
            bytes = bytes.dropFirst(count)
            return .content(count)
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
