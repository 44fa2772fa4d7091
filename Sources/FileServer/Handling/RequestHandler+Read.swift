// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform
import TransferModel

extension RequestHandler {
    /// GET and HEAD of a file: conditions, range, bytes. A small file needs one hop to the thread pool.
    func read(_ components: [String], for request: HTTPRequest, as record: UploadRecord?) async throws -> Answer {
        let conditions = Preconditions(request)
        // At most a small file: these bytes stay in memory until sent.
        let chunk = min(Pace(rate: configuration.rate).chunk, 64 * 1024)
        let root = root
        return try await blocking {
            let file = try Self.open(components, in: root)
            let resource = Preconditions.Resource(entityTag: file.status.entityTag, modified: file.status.modified)
            var headers = Self.fields(of: file, name: components[components.count - 1], record: record)
            switch conditions.outcome(for: resource) {
            case .failed: throw Refusal(.preconditionFailed, "the file does not match the request's conditions")
            case .notModified:
                headers[.contentType] = nil
                return Answer(.notModified, headers: headers)
            case .proceed: break
            }
            let size = file.status.size
            var range = 0..<size
            var status = HTTPResponse.Status.ok
            if let asked = request.headerFields[.range].flatMap({ ByteRangeRequest(parsing: $0) }),
                conditions.allowsRange(of: resource)
            {
                guard let resolved = asked.resolved(size: size) else {
                    throw Refusal(
                        .rangeNotSatisfiable, "the file has \(size) bytes; the requested range is outside",
                        headers: [
                            .contentRange: ContentRange.unsatisfied(total: size).description,
                            .eTag: file.status.entityTag,
                        ])
                }
                range = resolved
                status = .partialContent
                headers[.contentRange] = ContentRange.satisfied(range, total: size).description
            }
            let first = range.lowerBound..<min(range.upperBound, range.lowerBound.clampedSum(Int64(chunk)))
            if first.count < range.count { file.adviseSequentialReading() }
            // The final response to the upload of this file named it.
            if request.method == .head, record != nil {
                UploadFields(offset: size, isComplete: true).write(to: &headers, version: .newest)
            }
            let bytes = try file.read(request.method == .head ? 0..<0 : first)
            return Answer(status, headers: headers, body: .file(file, range, first: bytes))
        }
    }

    private static func open(_ components: [String], in root: RootFolder) throws -> OpenFile {
        do throws(SystemError) { return try root.openFile(components) } catch {
            throw error.meansAbsent ? Refusal.notFound : error.refusal
        }
    }

    private static func fields(of file: OpenFile, name: String, record: UploadRecord?) -> HTTPFields {
        let type = MediaType.of(name)
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .eTag: file.status.entityTag,
            .lastModified: HTTPDate.format(file.status.modified), .contentType: type,
        ]
        // An uploaded page or image runs no script and sees no other file of this server. Sound and video run none, and
        // browsers load them again from a page of their own, which would be of another site.
        if !type.hasPrefix("audio/"), !type.hasPrefix("video/") { headers[.contentSecurityPolicy] = "sandbox" }
        if let record {
            headers[.reprDigest] = record.reprDigest(entityTag: file.status.entityTag)?.description
            headers[.contentDisposition] = ContentDisposition(fileName: record.name).description
        }
        return headers
    }

    func record(id: String, name: String) throws(Refusal) -> UploadRecord {
        // On bytes: names that differ only in normalization are different names.
        guard let record = uploads.record(id: id), record.name.utf8.elementsEqual(name.utf8) else { throw .notFound }
        return record
    }

    func delete(_ record: UploadRecord) async throws -> Answer {
        let (root, uploads) = (root, uploads)
        return try await blocking {
            do throws(SystemError) {
                let files = try root.subfolder(["files"])
                let folder = try files.folder(record.id)
                try folder.remove(record.name)
                // If another file was put there, the folder stays.
                try? files.removeFolder(record.id)
            } catch {
                guard error.errno == ENOENT else { throw error }
                uploads.remove(record)
                throw Refusal.notFound
            }
            uploads.remove(record)
            return Answer(.noContent)
        }
    }
}
