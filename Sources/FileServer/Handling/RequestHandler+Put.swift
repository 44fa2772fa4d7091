// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform
import Synchronization
import TransferModel

extension RequestHandler {
    func planPut(_ components: [String], _ request: HTTPRequest) async throws -> Plan {
        let fields = request.headerFields
        try Self.refuseCodedContent(fields)
        // A missing length would replace a file by an empty one.
        guard fields[.contentLength] != nil || fields[.transferEncoding] != nil else {
            throw Refusal(.lengthRequired, "PUT needs Content-Length or Transfer-Encoding: chunked")
        }
        if let creation = try resumableCreation(request) {
            return try await planResumable(components, creation, conditions: Preconditions(request))
        }
        let reception = Reception(
            purpose: .put(components), conditions: Preconditions(request),
            expected: try UploadDialect.digests(fields, .reprDigest) + UploadDialect.digests(fields, .contentDigest))
        let length = Self.announcedLength(request)
        try await blocking {
            try self.checkSize(length)
            try Self.check(reception.conditions, self.existing(components))
        }
        return .receive(reception)
    }

    /// The content must be what is to be stored: not encoded, and not a range.
    static func refuseCodedContent(_ fields: HTTPFields) throws(Refusal) {
        guard fields[.contentRange] == nil else {
            throw Refusal(.badRequest, "Content-Range is not supported in requests")
        }
        guard fields[.contentEncoding].map({ $0.lowercased() == "identity" }) ?? true else {
            throw Refusal(.unsupportedMediaType, "Content-Encoding is not supported")
        }
    }

    /// The file to be replaced.
    func existing(_ components: [String]) throws -> FileStatus? {
        let status = try root.status(components)
        guard status.map({ $0.kind == .regular }) ?? true else {
            throw Refusal(.conflict, "the target is not a file")
        }
        return status
    }

    static func check(_ conditions: Preconditions, _ existing: FileStatus?) throws(Refusal) {
        let resource = Preconditions.Resource(entityTag: existing?.entityTag, modified: existing?.modified)
        guard conditions.outcome(for: resource) == .proceed else {
            throw Refusal(.preconditionFailed, "the target does not match the request's conditions")
        }
    }

    /// Blocks.
    func placePlain(
        _ partial: PartialFile, at components: [String], _ conditions: Preconditions,
        _ digest: Checksum?
    ) throws -> Answer {
        try partial.complete(modified: nil, syncing: configuration.syncs)
        // No folders for what is not stored.
        try Self.check(conditions, existing(components))
        let folder = try root.makeSubfolder(components.dropLast(), syncing: configuration.syncs)
        let (wasThere, status) = try placing.withLock { _ in
            let existing = try existing(components)
            try Self.check(conditions, existing)
            let name = components[components.count - 1]
            do throws(SystemError) {
                let replaces = !conditions.demandsAbsence
                return (existing != nil, try partial.place(in: folder, as: name, replacing: replaces))
            } catch {
                guard error.errno == EEXIST else { throw error }
                throw Refusal(.preconditionFailed, "the target does not match the request's conditions")
            }
        }
        if configuration.syncs { try folder.sync() }
        var headers: HTTPFields = [.eTag: status.entityTag]
        headers[.reprDigest] = digest.map { ReprDigest($0).description }
        guard !wasThere else { return Answer(.noContent, headers: headers) }
        headers[.location] = "/" + components.map { PercentCoding.encode($0) }.joined(separator: "/")
        return Answer(.created, headers: headers, text: "stored")
    }
}
