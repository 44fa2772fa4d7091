// SPDX-License-Identifier: MIT

@testable import FileServer
import HTTPTypes
@testable import TransferModel

extension FuzzTarget {
    /// What the server receives, and what it finds on its disk.
    static let received = [FuzzTarget("server", server), FuzzTarget("server-uploads", serverUploads)]

    private static func server(_ bytes: Bytes) throws {
        var reader = Reader(bytes)
        let (target, host) = (reader.line(), reader.line())
        if let target = try? RequestTarget(target), case .plain(let names, let isFolder) = target {
            try promise(
                !names.contains { $0 == "." || $0 == ".." || $0.isEmpty || $0.utf8.contains(UInt8(ascii: "/")) },
                "a path that leaves the folder: \(names)")
            try promise(!names.contains(RequestTarget.workFolderName), "the server's own folder")
            let path = "/" + names.map { PercentCoding.encode($0) }.joined(separator: "/")
            let again = try? RequestTarget(isFolder && !names.isEmpty ? path + "/" : path)
            // Three times as long when every byte is encoded.
            try promise(path.utf8.count >= RequestTarget.maximumBytes || again == target, "the path changes: \(path)")
        }
        if let host = RequestHost(host) {
            try promise(!host.name.isEmpty && host.name == host.name.lowercased(), "no name: \(host.name)")
            try promise((0...65_535).contains(host.port ?? 0), "port \(host.port ?? 0)")
        }
        let method = HTTPRequest.Method(reader.line()) ?? .get
        var request = HTTPRequest(method: method, scheme: "http", authority: nil, path: "/")
        request.headerFields = fields(&reader)
        if let framing = try? RequestFraming(request.headerFields) {
            try promise(framing.length ?? 0 >= 0, "a body of \(framing.length ?? 0) bytes")
        }
        let conditions = Preconditions(request)
        let resource = Preconditions.Resource(entityTag: "\"1\"", modified: 784_111_777)
        let isReading = method == .get || method == .head
        try promise(isReading || conditions.outcome(for: resource) != .notModified, "304 to a request that changes")
        _ = (conditions.outcome(for: .init()), conditions.allowsRange(of: resource), conditions.demandsAbsence)
        if let dialect = try? UploadDialect(request), let append = try? dialect.append(from: request, contentLength: 5)
        {
            try promise(append.offset >= 0 && append.length ?? 0 >= 0, "appends at \(append.offset)")
        }
        if let creation = try? UploadCreation(request, isPlain: true) {
            try promise(creation.append.offset == 0, "a creation at \(creation.append.offset)")
            let algorithms = creation.representation.map(\.algorithm)
            try promise(Set(algorithms).isSubset(of: [.sha256, .sha512]), "digests of other algorithms")
        }
    }

    private static func fields(_ reader: inout Reader) -> HTTPFields {
        var fields = HTTPFields()
        while !reader.isAtEnd, fields.count < 64 {
            let line = reader.line()
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                continue
            }
            fields.append(HTTPField(name: name, value: String(line[line.index(after: colon)...])))
        }
        return fields
    }

    /// Clients that append anything, and connections that break: what is vouched for never decreases, never exceeds
    /// the length, and no upload is complete while bytes are missing. Then the record of an upload on the disk.
    private static func serverUploads(_ bytes: Bytes) throws {
        if let (state, mark) = UploadState.parse(bytes.array) {
            let again = UploadState.parse(try state.bytes(mark))
            try promise(again?.0 == state && again?.1 == mark, "the record of an upload changes")
        }
        var reader = Reader(bytes)
        let limits = UploadResource.Limits(
            maximumSize: [nil, 1000, 100_000][reader.number(below: 3)],
            maximumAppend: [nil, 500][reader.number(below: 2)], minimumAppend: [nil, 10][reader.number(below: 2)])
        var upload = UploadResource(
            length: [nil, 0, 900, 2000][reader.number(below: 4)], expires: 1000, limits: limits)
        while !reader.isAtEnd {
            let before = upload.offset
            try step(&upload, &reader)
            try promise(upload.offset >= before, "\(upload.offset) bytes after \(before)")
            try promise(upload.written >= upload.offset, "vouches for bytes that are not written")
            if let length = upload.length, upload.phase != .failed {
                try promise(upload.written <= length, "\(upload.written) of \(length) bytes")
            }
            if let most = limits.maximumSize { try promise(upload.written <= most, "\(upload.written) bytes") }
        }
    }

    private static func step(_ upload: inout UploadResource, _ reader: inout Reader) throws {
        let offsets = [upload.offset, upload.offset, upload.offset, 0, upload.offset + 1]
        let append = UploadResource.Append(
            offset: offsets[reader.number(below: offsets.count)],
            length: [nil, nil, 900, 2000, .max, 0][reader.number(below: 6)],
            contentLength: [nil, 0, 100, 900, .max][reader.number(below: 5)],
            end: [.atLength, .stated(true), .stated(false)][reader.number(below: 3)])
        if let size = try? upload.size(after: append) { try promise(size >= 0, "an upload of \(size) bytes") }
        let isVerified = reader.byte() & 1 == 0
        let before = upload
        do throws(UploadFault) { try upload.begin(append, isVerified: isVerified, now: 0) } catch {
            return try promise(upload == before, "a refused append changes the upload: \(error)")
        }
        var received: Int64 = 0
        for _ in 0..<reader.number(below: 4) {
            var count = Int64(reader.number(below: 600))
            if let content = append.contentLength { count = min(count, content - received) }
            do throws(UploadFault) { try upload.admit(count) } catch {
                return try promise(upload.phase == .failed, "continues after \(error)")
            }
            upload.wrote(count)
            received += count
        }
        if reader.byte() & 3 == 0 || append.contentLength.map({ received < $0 }) ?? false {
            let size = upload.abandon()
            return try promise(size == upload.offset && upload.written == size, "keeps bytes that do not count")
        }
        guard (try? upload.end(append)) == true else { return }
        try promise(upload.isWhole, "complete with \(upload.offset) of \(upload.length ?? -1) bytes")
        upload.completed()
    }
}
