// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The protocol of a request to an upload.
enum UploadDialect: Sendable, Equatable {
    /// - Parameter announces: 104 is allowed: the request has this version.
    case ietf(UploadInterop, announces: Bool)
    case tus

    /// The dialect of a request to an upload resource.
    /// - Throws: 412 for a missing or unknown version of tus, 400 for an unknown one of the draft.
    init(_ request: HTTPRequest) throws(Refusal) {
        let fields = request.headerFields
        if fields[.tusResumable] != nil || MediaType.essence(fields[.contentType]) == Tus.appendType {
            try Self.checkTus(fields)
            self = .tus
            return
        }
        guard fields[.uploadInterop] != nil else {
            self = .ietf(fields[.uploadIncomplete] == nil ? .newest : .v3, announces: false)
            return
        }
        guard let version = UploadFields.version(of: fields) else { throw Self.unknownVersion }
        self = .ietf(version, announces: true)
    }

    static func checkTus(_ fields: HTTPFields) throws(Refusal) {
        guard fields[.tusResumable] == Tus.version else {
            throw Refusal(
                .preconditionFailed, "Tus-Resumable must be \(Tus.version)", headers: [.tusVersion: Tus.version])
        }
    }

    static var unknownVersion: Refusal {
        let versions = UploadInterop.preferred.map { String($0.rawValue) }.joined(separator: ", ")
        // Clients offer that one next.
        return Refusal(
            .badRequest, "Upload-Draft-Interop-Version must be one of \(versions)",
            headers: [.uploadInterop: UploadInterop.newest.field ?? ""])
    }

    var isTus: Bool { self == .tus }

    /// tus completes an upload when its offset reaches its length, IETF when a request states it.
    func append(from request: HTTPRequest, contentLength: Int64?) throws(Refusal) -> UploadResource.Append {
        let fields = request.headerFields
        let type = MediaType.essence(fields[.contentType])
        switch self {
        case .tus:
            guard type == Tus.appendType else {
                throw Refusal(.unsupportedMediaType, "an append needs Content-Type: \(Tus.appendType)")
            }
            guard let offset = fields[.uploadOffset].flatMap({ Tus.number($0) }) else {
                throw Refusal(.badRequest, "Upload-Offset is missing or not a number of bytes")
            }
            return .init(
                offset: offset, length: try Self.tusLength(fields), contentLength: contentLength, end: .atLength)
        case .ietf(let version, _):
            if let needed = version.traits.appendType, type != needed {
                throw Refusal(
                    .unsupportedMediaType, "an append needs Content-Type: \(needed)", headers: [.acceptPatch: needed])
            }
            let stated = UploadFields(fields, version: version)
            guard let offset = stated.offset else {
                throw Refusal(.badRequest, "Upload-Offset is missing or not a number of bytes")
            }
            let isMalformed = stated.isComplete == nil && UploadFields.mentionsCompleteness(fields)
            guard !isMalformed, stated.isComplete != nil || !version.traits.appendStatesCompleteness else {
                throw Refusal(.badRequest, "Upload-Complete must be ?0 or ?1")
            }
            return .init(
                offset: offset, length: stated.length, contentLength: contentLength,
                end: .stated(stated.isComplete ?? true))
        }
    }

    /// HEAD and DELETE state nothing of the upload.
    func checkQuery(_ fields: HTTPFields) throws(Refusal) {
        guard !isTus else { return }
        guard fields[.uploadOffset] == nil, !UploadFields.mentionsCompleteness(fields) else {
            throw Refusal(.badRequest, "this request must not state offset or completeness")
        }
    }

    static func tusLength(_ fields: HTTPFields) throws(Refusal) -> Int64? {
        guard let text = fields[.uploadLength] else { return nil }
        guard let length = Tus.number(text) else {
            throw Refusal(.badRequest, "Upload-Length is not a number of bytes")
        }
        return length
    }

    /// The checksum of the content of an append.
    func contentChecksum(_ fields: HTTPFields) throws(Refusal) -> Checksum? {
        switch self {
        case .tus:
            switch fields[.uploadChecksum].map({ Tus.ChecksumField(parsing: $0) }) {
            case nil: return nil
            case .checksum(let checksum): return checksum
            case .unsupported: throw Refusal(.badRequest, "the algorithm of Upload-Checksum is not supported")
            case .malformed: throw Refusal(.badRequest, "Upload-Checksum is malformed")
            }
        case .ietf:
            return try Self.digests(fields, .contentDigest).first
        }
    }

    /// SHA-256 and SHA-512 of a digest field, in this order.
    static func digests(_ fields: HTTPFields, _ name: HTTPField.Name) throws(Refusal) -> [Checksum] {
        guard let text = fields[name] else { return [] }
        guard let digest = ReprDigest(parsing: text) else {
            throw Refusal(.badRequest, "\(name.rawName) is malformed")
        }
        return digest.checksums
    }
}

extension HTTPField.Name {
    static let acceptPatch = HTTPField.Name("Accept-Patch")!
}

extension MediaType {
    /// `TYPE/SUBTYPE` of a `Content-Type` in lower case, without parameters.
    static func essence(_ field: String?) -> String? {
        field.map { text in
            text.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
    }
}
