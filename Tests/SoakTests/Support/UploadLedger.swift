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
        /// tus: what it creates is a part of the file.
        var isPart = false
        /// tus: the parts that it joins.
        var joined: String?
        /// Bytes of content so far.
        var content: Int64 = 0
        /// Confirmed when it began.
        var floor: Int64 = 0
    }

    /// The highest offset that the server has stated, by upload resource; of S3, the bytes of each part that it has.
    private(set) var stated: [String: Int64] = [:]
    /// What a client has stored as confirmed before it was killed.
    private(set) var recorded: [String: Int64] = [:]
    private var lengths: [String: Int64] = [:]
    /// Upload resources of tus and the draft.
    var created: Int { lengths.count }
    /// Upload resources of tus that are parts of a file.
    private var parts: Set<String> = []
    /// Upload resources to which content was sent after their creation.
    private(set) var resources: Set<String> = []
    /// Upload resources, targets of plain uploads, files of plain FileQ uploads, and joined parts, if the server has
    /// every byte.
    private(set) var completed: Set<String> = []
    /// Parts of S3: those that the store has confirmed, and those of them that a list has named.
    private(set) var confirmedParts: Set<String> = []
    private(set) var listedParts: Set<String> = []
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
        let concatenation = head.fields["upload-concat"]
        request.isPart = concatenation == "partial"
        if !request.isPart { request.joined = concatenation }
        let isPartOfS3 = request.method == "PUT" && Self.multipartUpload(in: request.path) != nil
        // It is sent as a whole.
        if isPartOfS3 { (request.isResumable, request.offset) = (true, 0) }
        if request.method == "PUT" || request.method == "POST", let content = head.number("content-length") {
            if request.isResumable, content > 0 { appends += 1 }
            if head.isComplete == true { request.length = content }
        }
        guard isPartOfS3 || request.method == "PATCH", let offset = request.offset else { return request }
        resources.insert(Self.multipartUpload(in: request.path) ?? request.path)
        request.floor = max(stated[request.path] ?? 0, recorded[request.path] ?? 0)
        if request.method == "PATCH" { appends += 1 }
        if offset < request.floor {
            violations.append(
                "\(request.method) \(request.path) begins at \(offset), and \(request.floor) bytes were confirmed")
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

    /// - Parameter isRead: the client has not closed the connection.
    /// - Returns: whether the response is final.
    mutating func responds(_ head: HTTPHead, to request: inout Request, isRead: Bool) -> Bool {
        guard head.words.count > 1, let status = Int(head.words[1]) else { return true }
        let isSuccess = (200..<300).contains(status)
        if request.method == "PUT" || request.method == "POST" {
            let location = head.fields["location"].map { Self.path($0, from: request.path) }
            // The first one: that of the last response may be the target.
            if request.isResumable, !request.hasResource, status == 104 || status == 201, let location {
                request.path = location
                request.hasResource = true
                lengths[location] = request.length
                if request.isPart { parts.insert(location) }
            }
            if isSuccess, let joined = request.joined { completed.insert(joined) }
            // What a killed client had sent may be complete after the next one has asked for the parts.
            if isSuccess, isRead, request.method == "PUT", Self.multipartUpload(in: request.path) != nil {
                confirms(request.path, request.content)
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
            if !parts.contains(request.path) { completed.insert(request.path) }
        }
        return status >= 200
    }

    /// S3: a list of parts, or what has come of it.
    mutating func lists(_ text: String, in path: String) {
        guard let upload = Self.multipartUpload(in: path) else { return }
        for part in text.split(separator: "<Part>").dropFirst() {
            guard let number = Self.text(of: "PartNumber", in: part),
                let size = Self.text(of: "Size", in: part).flatMap({ Int64($0) })
            else { continue }
            confirms("\(upload)&partNumber=\(number)", size)
            listedParts.insert("\(upload)&partNumber=\(number)")
        }
    }

    private mutating func confirms(_ part: String, _ size: Int64) {
        stated[part] = size
        confirmedParts.insert(part)
    }

    /// A client that was killed had stored `offset`.
    mutating func finds(recorded offset: Int64, of url: String) {
        let path = Self.path(url)
        var known = stated[path] ?? 0
        if Self.multipartUpload(in: path) == path {
            // The sum of its parts.
            known = stated.reduce(0) { $1.key.hasPrefix(path + "&") ? $0 + $1.value : $0 }
        } else {
            recorded[path] = max(offset, recorded[path] ?? 0)
        }
        guard offset > known else { return }
        violations.append("\(path): \(offset) bytes are recorded as confirmed, the server stated \(known)")
    }

    private static func path(_ url: String, from base: String = "/") -> String {
        // Of `fileq serve`: `./files/ID`, `../../files/ID`.
        if url.hasPrefix(".") {
            let path = base.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
            let folders = path.dropLast(1 + url.ranges(of: "../").count)
            return folders.joined(separator: "/") + "/" + String(url.drop { $0 == "." || $0 == "/" })
        }
        guard let scheme = url.firstRange(of: "://") else { return url }
        return url[scheme.upperBound...].firstIndex(of: "/").map { String(url[$0...]) } ?? "/"
    }

    /// S3: the path of an upload, which is that of its parts without their number.
    private static func multipartUpload(in path: String) -> String? {
        path.contains("?uploadId=") ? String(path.prefix { $0 != "&" }) : nil
    }

    private static func text(of name: String, in part: Substring) -> Substring? {
        guard let start = part.firstRange(of: "<\(name)>"), let end = part.firstRange(of: "</\(name)>"),
            start.upperBound <= end.lowerBound
        else { return nil }
        return part[start.upperBound..<end.lowerBound]
    }
}
