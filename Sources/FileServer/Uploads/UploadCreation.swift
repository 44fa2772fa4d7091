// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// A request that creates a resumable upload.
struct UploadCreation: Sendable {
    var dialect: UploadDialect
    var append: UploadResource.Append
    /// Proposed by the client, not sanitized.
    var name: String?
    var metadata: [FileQUpload.Metadata] = []
    var tusMetadata: String?
    var concatenation: Tus.Concatenation?
    /// The digests of the representation.
    var representation: [Checksum] = []
    /// They are those of the content, which is all of it.
    var isContentDigest = false
    /// The checksum of the content of this request.
    var content: Checksum?
    var conditions: [String: String] = [:]

    /// `nil` if the request creates no resumable upload.
    /// - Parameter isPlain: without resumption, the target stores the content as well: a request with all of it that
    ///   cannot learn the URL is treated as such.
    init?(_ request: HTTPRequest, isPlain: Bool) throws(Refusal) {
        let fields = request.headerFields
        let contentLength = try Self.contentLength(fields)
        if request.method == .post, fields[.tusResumable] != nil {
            try UploadDialect.checkTus(fields)
            try self.init(tus: fields, contentLength: contentLength)
        } else {
            guard UploadFields.mentionsCompleteness(fields) else { return nil }
            let version = UploadFields.version(of: fields)
            let inferred = version ?? (fields[.uploadIncomplete] == nil ? .newest : .v3)
            let stated = UploadFields(fields, version: inferred)
            guard let isComplete = stated.isComplete else { return nil }
            if version == nil {
                if isComplete, isPlain { return nil }
                guard fields[.uploadInterop] == nil || isComplete else { throw UploadDialect.unknownVersion }
            }
            guard fields[.uploadOffset] == nil || !inferred.traits.rejectsOffsetInCreation else {
                throw Refusal(.badRequest, "a creation must not state an offset")
            }
            self.init(
                dialect: .ietf(inferred, announces: version != nil),
                append: .init(
                    offset: 0, length: stated.length, contentLength: contentLength, end: .stated(isComplete)))
            name = fields[.contentDisposition].flatMap { ContentDisposition(parsing: $0) }?.fileName
            representation = try UploadDialect.digests(fields, .reprDigest)
            let digests = try UploadDialect.digests(fields, .contentDigest)
            // All content is the representation: nothing has to be verified at its end alone.
            isContentDigest = isComplete && representation.isEmpty && !digests.isEmpty
            if isContentDigest { representation = digests } else { content = digests.first }
        }
        for name in UploadState.conditionNames {
            if let value = fields[name] { conditions[name.rawName] = value }
        }
    }

    private init(dialect: UploadDialect, append: UploadResource.Append) {
        self.dialect = dialect
        self.append = append
    }

    private init(tus fields: HTTPFields, contentLength: Int64?) throws(Refusal) {
        dialect = .tus
        let length = try UploadDialect.tusLength(fields)
        append = .init(offset: 0, length: length, contentLength: contentLength, end: .atLength)
        if let text = fields[.uploadConcat] {
            guard let parsed = Tus.Concatenation(parsing: text) else {
                throw Refusal(.badRequest, "Upload-Concat is malformed")
            }
            concatenation = parsed
        }
        if case .final = concatenation {
            guard length == nil, contentLength == 0 else {
                throw Refusal(.badRequest, "a concatenation has no Upload-Length and no content")
            }
        } else if let deferred = fields[.uploadDeferLength] {
            guard deferred == "1", length == nil else {
                throw Refusal(.badRequest, "Upload-Defer-Length must be 1, without Upload-Length")
            }
        } else if length == nil {
            throw Refusal(.badRequest, "Upload-Length or Upload-Defer-Length is missing")
        }
        if contentLength != 0 {
            guard MediaType.essence(fields[.contentType]) == Tus.appendType else {
                throw Refusal(.unsupportedMediaType, "content needs Content-Type: \(Tus.appendType)")
            }
        }
        content = try UploadDialect.tus.contentChecksum(fields)
        try readMetadata(fields)
    }

    private mutating func readMetadata(_ fields: HTTPFields) throws(Refusal) {
        guard let text = fields[.uploadMetadata] else { return }
        guard text.utf8.count <= Tus.maximumMetadataBytes else {
            throw Refusal(
                .requestHeaderFieldsTooLarge,
                "Upload-Metadata has \(text.utf8.count) bytes; at most \(Tus.maximumMetadataBytes) are allowed")
        }
        guard let parsed = Tus.Metadata(parsing: text) else {
            throw Refusal(.badRequest, "Upload-Metadata is malformed")
        }
        tusMetadata = text
        for pair in parsed.pairs {
            let isName = pair.key == "filename" || pair.key == "name"
            // Values of other keys may be any bytes; only text is listed.
            guard let value = pair.text else {
                guard !isName else {
                    throw Refusal(.badRequest, "the file name in Upload-Metadata contains control characters")
                }
                continue
            }
            if isName {
                name = pair.key == "filename" ? value : name ?? value
            } else {
                metadata.append(.init(name: pair.key, value: value))
            }
        }
    }

    /// 0 without content, `nil` for chunks.
    static func contentLength(_ fields: HTTPFields) throws(Refusal) -> Int64? {
        switch try RequestFraming(fields) {
        case .none: 0
        case .length(let length): length
        case .chunked: nil
        }
    }
}
