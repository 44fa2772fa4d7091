// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes
import TransferModel

extension RequestHandler {
    /// Identifies sender and upload. A repeat of an upload in progress waits for it to end: then it gets the response
    /// of a repeat, or takes over.
    func planUpload(_ request: HTTPRequest) async throws -> Plan {
        try Self.refuseForms(request.headerFields)
        let cookies = try FileQCookies(parsing: request.headerFields[values: .cookie].joined(separator: "; "))
        guard let sid = cookies.sid else {
            throw Refusal(.badRequest, "the fileuploadSID cookie is missing; POST /session issues one")
        }
        guard sessions.isValid(sid) else {
            throw Refusal(.forbidden, "unknown fileuploadSID; POST /session issues one")
        }
        let length = Self.announcedLength(request)
        if let length, let size = cookies.size, length != size, !UploadFields.mentionsCompleteness(request.headerFields)
        {
            throw Refusal(.badRequest, "Content-Length is \(length), fileq-size is \(size)")
        }
        try await blocking { try self.checkSize(cookies.size ?? length) }
        let upload = StoredUpload(
            name: cookies.name.flatMap { SafeFileName.sanitize($0) } ?? "upload",
            key: cookies.upload.map { UploadRecord.Key(owner: Hex.encode(Secret.digest(sid)), upload: $0) },
            modified: cookies.modified, metadata: cookies.metadata)
        if let creation = try resumableCreation(request) {
            return try await planResumable(upload, creation, cookies)
        }
        if let key = upload.key, let repeated = try await claim(key) { return .answer(repeated) }
        return .receive(
            Reception(
                purpose: .fileQ(upload), conditions: Preconditions(request),
                expected: cookies.checksum.map { [$0] } ?? [], expectedSize: cookies.size))
    }

    /// A form has the file within an envelope, which would become part of the stored file.
    static func refuseForms(_ fields: HTTPFields) throws(Refusal) {
        guard MediaType.essence(fields[.contentType])?.hasPrefix("multipart/") == true else { return }
        throw Refusal(
            .unsupportedMediaType,
            "send the file itself as the request body, with Content-Type: application/octet-stream, not a form")
    }

    /// `nil`: this request receives the upload. Else the response to a repeat.
    func claim(_ key: UploadRecord.Key) async throws -> Answer? {
        let patience = Duration.seconds(configuration.limits.idleSeconds)
        let deadline = ContinuousClock.now + patience
        while true {
            switch uploads.claim(key) {
            case .granted: return nil
            case .existing(let record):
                if let answer = try await responseToRepeat(of: record) { return answer }
                uploads.remove(record)
            case .busy:
                guard ContinuousClock.now < deadline else {
                    throw Refusal(
                        .conflict, "this upload is being received on another connection",
                        headers: [.retryAfter: "5"])
                }
                await uploads.waitForRelease(of: key, atMost: deadline - .now)
                try Task.checkCancellation()
            }
        }
    }

    /// `nil` if the file was removed from outside.
    private func responseToRepeat(of record: UploadRecord) async throws -> Answer? {
        let root = root
        guard let status = try await blocking({ try root.status(record.path) }), status.kind == .regular else {
            return nil
        }
        var answer = Answer(.ok, headers: Self.fields(of: record, entityTag: status.entityTag), text: "already stored")
        answer.readsWholeBody = true
        return answer
    }

    private static func fields(of record: UploadRecord, entityTag: String) -> HTTPFields {
        var headers: HTTPFields = [.location: record.location, .eTag: entityTag]
        headers[.reprDigest] = record.reprDigest(entityTag: entityTag)?.description
        return headers
    }

    /// First the bytes, then the record, then the name: records without a file are dropped at the next start, so the
    /// upload is stored or not, whenever the server is killed. Blocks.
    func placeUpload(_ partial: PartialFile, _ upload: StoredUpload, digest: Checksum?) throws -> Answer {
        try partial.complete(modified: upload.modified, syncing: configuration.syncs)
        let status = try partial.status()
        let record = UploadRecord(
            id: upload.id, key: upload.key, name: upload.name, size: partial.size,
            sha256: digest?.hex ?? "", modified: upload.modified,
            received: Date().timeIntervalSince1970, metadata: upload.metadata,
            entityTag: status.entityTag)
        try uploads.persist(record)
        do {
            let folder = try root.makeSubfolder(["files", record.id], syncing: configuration.syncs)
            _ = try partial.place(in: folder, as: record.name, replacing: true)
            if configuration.syncs { try folder.sync() }
        } catch {
            uploads.remove(record)
            try? root.subfolder(["files"]).removeFolder(record.id)
            throw error
        }
        uploads.add(record)
        return Answer(.created, headers: Self.fields(of: record, entityTag: status.entityTag), text: "stored")
    }
}

/// The metadata of an upload that is stored at `files/ID/NAME`.
struct StoredUpload: Sendable {
    var id = UniqueName.make()
    /// Sanitized.
    var name: String
    var key: UploadRecord.Key?
    var modified: Int64?
    var metadata: [FileQUpload.Metadata] = []
}
