// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import HTTPTypes
import Platform
import TransferModel

/// An accepted append, of a new upload or an existing one.
struct UploadAppend: Sendable {
    enum Subject: Sendable {
        case creation(UploadCreation, target: UploadState.Target, StoredUpload)
        case existing(UploadEntry)
    }

    var subject: Subject
    var dialect: UploadDialect
    var append: UploadResource.Append
    /// The checksum of the content.
    var content: Checksum?
}

extension RequestHandler {
    /// `nil` if the request is a plain upload.
    func resumableCreation(_ request: HTTPRequest) throws(Refusal) -> UploadCreation? {
        try UploadCreation(request, isPlain: true)
    }

    /// A FileQ upload. Repeats of a stored one get the same response.
    func planResumable(_ upload: StoredUpload, _ creation: UploadCreation, _ cookies: FileQCookies) async throws -> Plan
    {
        var creation = creation
        if let size = cookies.size {
            guard creation.append.length ?? size == size else {
                throw Refusal(.badRequest, "Upload-Length and fileq-size differ")
            }
            creation.append.length = size
        }
        if let checksum = cookies.checksum { creation.representation.insert(checksum, at: 0) }
        if let key = upload.key, let repeated = try await repeated(key) { return .answer(repeated) }
        return plan(creation, target: .stored, upload)
    }

    /// The response to a repeat of a stored upload. Ends an unfinished one: the client does not know its URL.
    private func repeated(_ key: UploadRecord.Key) async throws -> Answer? {
        if let earlier = resumables.first(where: { state, phase in state.key == key && phase == .open }),
            let lease = await earlier.access.acquire(atMost: patience, end: {})
        {
            try? await blocking { if earlier.resource.phase == .open { self.resumables.remove(earlier) } }
            earlier.access.release(lease)
        }
        guard var answer = try await claim(key) else {
            uploads.release(key)
            return nil
        }
        answer.headers[.uploadComplete] = "?1"
        return answer
    }

    /// A plain file, as `PUT` stores it.
    func planResumable(
        _ components: [String], _ creation: UploadCreation, conditions: Preconditions
    ) async throws
        -> Plan
    {
        try await blocking { try Self.check(conditions, self.existing(components)) }
        return plan(creation, target: .path(components), StoredUpload(name: components[components.count - 1]))
    }

    /// POST to `/files`, and to a folder: the client proposes the name, and existing files are kept.
    func planPost(to folder: [String]?, _ request: HTTPRequest) async throws -> Plan {
        try Self.refuseForms(request.headerFields)
        guard var creation = try UploadCreation(request, isPlain: false) else {
            throw Refusal(
                .badRequest,
                "POST here begins a resumable upload, with Upload-Complete or Tus-Resumable; PUT stores a file")
        }
        if let concatenation = creation.concatenation {
            if case .final(let urls) = concatenation {
                return .answer(try await concatenate(urls, creation, in: folder))
            }
            return plan(creation, target: .none, StoredUpload(name: "part"))
        }
        let (target, stored) = try await placement(&creation, in: folder)
        return plan(creation, target: target, stored)
    }

    /// Where the upload of a POST goes.
    func placement(
        _ creation: inout UploadCreation, in folder: [String]?
    ) async throws
        -> (UploadState.Target, StoredUpload)
    {
        let proposed = creation.name.flatMap { SafeFileName.sanitize($0, allowsHidden: false) }
        guard let folder else {
            return (.stored, StoredUpload(name: proposed ?? "upload", metadata: creation.metadata))
        }
        // Not `upload`, which the server uses itself.
        let name = proposed ?? "unnamed"
        let components = folder + [name]
        let path = "/" + components.map { PercentCoding.encode($0) }.joined(separator: "/")
        guard try RequestTarget(path) == .plain(components, isFolder: false) else {
            throw Refusal(.conflict, "the server uses this name itself")
        }
        // Only a version that the client names is replaced.
        let version = creation.conditions[HTTPField.Name.ifMatch.rawName].flatMap { $0 == "*" ? nil : $0 }
        let field = version == nil ? HTTPField.Name.ifNoneMatch : .ifMatch
        creation.conditions = [field.rawName: version ?? "*"]
        var asked = HTTPRequest(method: .put, scheme: nil, authority: nil, path: path)
        asked.headerFields[field] = version ?? "*"
        let conditions = Preconditions(asked)
        // Missing folders are made when the file is stored, as for PUT.
        try await blocking {
            let existing = try self.root.status(components)
            guard version != nil || existing == nil else {
                throw Refusal(.preconditionFailed, "a file of this name exists")
            }
            try Self.check(conditions, existing)
        }
        return (.path(components), StoredUpload(name: name))
    }

    private func plan(_ creation: UploadCreation, target: UploadState.Target, _ stored: StoredUpload) -> Plan {
        .append(
            UploadAppend(
                subject: .creation(creation, target: target, stored), dialect: creation.dialect,
                append: creation.append, content: creation.content))
    }

    /// Requests to `/files/ID`.
    func planUploadResource(_ id: String, _ request: HTTPRequest) async throws -> Plan {
        let dialect = try UploadDialect(request)
        guard let entry = resumables[id] else { throw Refusal(.notFound, "no such upload") }
        let fields = request.headerFields
        switch request.method {
        case .patch:
            if case .final? = entry.state.tusConcat.flatMap({ Tus.Concatenation(parsing: $0) }), dialect.isTus {
                throw Refusal(.forbidden, "a concatenated upload takes no content")
            }
            try Self.refuseCodedContent(fields)
            let append = try dialect.append(from: request, contentLength: try UploadCreation.contentLength(fields))
            return .append(
                UploadAppend(
                    subject: .existing(entry), dialect: dialect, append: append,
                    content: try dialect.contentChecksum(fields)))
        case .delete:
            try dialect.checkQuery(fields)
            return .answer(try await cancel(entry, dialect))
        default:
            try dialect.checkQuery(fields)
            return .answer(try await retrieve(entry, dialect))
        }
    }

    /// How long a request waits for an earlier one to end.
    var patience: Duration { .seconds(min(30, configuration.limits.idleSeconds)) }

    static let locked = Refusal(
        HTTPResponse.Status(code: 423, reasonPhrase: "Locked"), "an earlier request to this upload is still ending",
        headers: [.retryAfter: "1"])

    /// HEAD. Ends the request in progress: the offset in the response must be that of the next append.
    private func retrieve(_ entry: UploadEntry, _ dialect: UploadDialect) async throws -> Answer {
        guard let lease = await entry.access.acquire(atMost: patience, end: {}) else { throw Self.locked }
        defer { entry.access.release(lease) }
        let answers = UploadAnswers(dialect: dialect, path: entry.path, now: UploadStore.now())
        do { try entry.resource.checkActive(now: answers.now) } catch { return answers.refused(error, entry.resource) }
        // For tus, an upload with all bytes is complete, even if the server was killed before it could place them.
        if dialect.isTus, entry.resource.phase == .open, entry.resource.isWhole {
            do { _ = try await finish(entry) } catch let failure as FinalRefusal {
                return answers.refused(failure.refusal, entry.resource, isFinal: true)
            }
        }
        return answers.state(entry.resource, entry.state)
    }

    /// DELETE. Of a finished upload, only tus removes the file, and only where `DELETE` of the file does.
    private func cancel(_ entry: UploadEntry, _ dialect: UploadDialect) async throws -> Answer {
        guard let lease = await entry.access.acquire(atMost: patience, end: {}) else { throw Self.locked }
        defer { entry.access.release(lease) }
        if dialect.isTus, entry.resource.phase == .complete, entry.state.target == .stored,
            let record = uploads.record(id: entry.id)
        {
            do { _ = try await delete(record) } catch let refusal as Refusal where refusal == .notFound {}
        }
        try await blocking { self.resumables.remove(entry) }
        return Answer(.noContent)
    }

    /// Removes expired uploads and links from time to time, until the task is cancelled.
    func sweepUploads() async {
        while (try? await Task.sleep(for: .seconds(600))) != nil {
            try? await blocking {
                self.resumables.sweep(now: UploadStore.now())
                self.shares.sweep(at: UploadStore.now())
            }
        }
    }

    /// `Upload-Limit`, before an upload is created.
    func announcedLimits(for version: UploadInterop?) -> String? {
        let limits = configuration.limits
        let announced = UploadLimits(
            maximumSize: limits.uploadBytes, maximumAppend: limits.appendBytes,
            lifetime: Int64(limits.uploadLifetimeSeconds))
        return version.flatMap { announced.field(for: $0) } ?? announced.field(for: .newest)
    }

    /// OPTIONS: what the server accepts.
    func options(
        for target: RequestTarget, _ allowed: [HTTPRequest.Method], _ asked: HTTPFields
    ) throws(Refusal) -> Answer {
        var headers: HTTPFields = [.allow: allowed.map(\.rawValue).joined(separator: ", ")]
        let limits = configuration.limits
        if target.acceptsUploads {
            let version = UploadFields.version(of: asked)
            guard version != nil || asked[.uploadInterop] == nil else { throw UploadDialect.unknownVersion }
            headers[.uploadInterop] = version?.field
            headers[.uploadLimit] = announcedLimits(for: version)
            headers[.tusResumable] = Tus.version
            headers[.tusVersion] = Tus.version
            headers[.tusExtension] = UploadAnswers.tusExtensions
            headers[.tusChecksumAlgorithm] = Tus.checksumAlgorithms.map(\.rawValue).joined(separator: ",")
            headers[.tusMaximumSize] = limits.uploadBytes.map { String($0) }
        }
        if case .upload = target { headers[.acceptPatch] = "\(UploadFields.partialType), \(Tus.appendType)" }
        return Answer(.noContent, headers: headers)
    }
}
