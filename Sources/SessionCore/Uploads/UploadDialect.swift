// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The requests and responses of one protocol for resumable uploads. Values without state or I/O.
protocol UploadDialect: Sendable {
    var carrier: UploadCarrier { get }
    /// Whether the creation has the file, or only makes the upload resource.
    func creation(of subject: UploadSubject, withBody: Bool) throws(TransferError) -> UploadExchange
    func query(_ url: TransferURL) -> UploadExchange
    /// - Parameters:
    ///   - range: may be empty.
    ///   - size: of all; `nil` as long as it is unknown.
    ///   - declaresLength: the server does not know the size yet.
    func append(
        _ range: Range<Int64>, of size: Int64?, to url: TransferURL, declaresLength: Bool
    ) -> UploadExchange
    func cancellation(_ url: TransferURL) -> UploadExchange
    /// What a response states about the upload.
    /// - Parameter size: as the server knows it; `nil`: it does not.
    func reading(_ head: HTTPResponse, size: Int64?) -> UploadReading
    /// When the upload resource expires, as a response has it: seconds since 1970 on the clock of `now`.
    func expiry(_ head: HTTPResponse, now: Double) -> Double?
    /// Whether an informational response belongs to this protocol.
    func understands(interim head: HTTPResponse) -> Bool
    /// Whether the last append may be repeated without content to get the target's response again.
    var replaysFinalResponse: Bool { get }
    /// Statuses that mean: there is no such upload any more.
    var goneStatuses: Set<Int> { get }
}

/// The state of an upload as a response has it; absent and malformed fields are `nil`.
struct UploadReading: Equatable {
    var offset: Int64?
    var length: Int64?
    /// Explicitly, or with tus by the offset.
    var isComplete: Bool?
    var limits: UploadLimits?
    /// The `Location` field; `nil` if it is empty.
    var location: String?
    /// The server wants requests to state this digest of their content (RFC 9530, `Want-Content-Digest`).
    var wantedDigest: Checksum.Algorithm?
}

extension HTTPResponse {
    /// An empty reference would make the target of the upload its resource.
    fileprivate var location: String? { headerFields[.location].flatMap { $0.isEmpty ? nil : $0 } }
}

/// "Resumable Uploads for HTTP", in one version.
struct IETFUpload: UploadDialect {
    let version: UploadInterop

    var carrier: UploadCarrier { .ietf(version) }
    var replaysFinalResponse: Bool { version.traits.replaysFinalResponse }
    var goneStatuses: Set<Int> { [404, 410] }

    func creation(of subject: UploadSubject, withBody: Bool) -> UploadExchange {
        var fields = fields(UploadFields(length: subject.size, isComplete: withBody || subject.size == 0))
        if let digest = subject.digest, digest.algorithm == .sha256 || digest.algorithm == .sha512 {
            fields[.reprDigest] = ReprDigest(digest).description
        }
        let body = withBody ? 0..<(subject.size ?? 0) : 0..<0
        if !body.isEmpty { fields[.incremental] = "?1" }
        return UploadExchange(.creation, subject.target, subject.method, fields, body: body)
    }

    func query(_ url: TransferURL) -> UploadExchange { UploadExchange(.query, url, .head, fields(UploadFields())) }

    func append(
        _ range: Range<Int64>, of size: Int64?, to url: TransferURL, declaresLength: Bool
    ) -> UploadExchange {
        var fields = fields(UploadFields(offset: range.lowerBound, isComplete: range.upperBound == size))
        fields[.contentType] = version.traits.appendType ?? "application/octet-stream"
        // A proxy forwards the content while it arrives: if the request breaks, the server has what was sent.
        if !range.isEmpty { fields[.incremental] = "?1" }
        return UploadExchange(.append, url, .patch, fields, body: range)
    }

    func cancellation(_ url: TransferURL) -> UploadExchange {
        UploadExchange(.cancellation, url, .delete, fields(UploadFields()))
    }

    func reading(_ head: HTTPResponse, size: Int64?) -> UploadReading {
        let stated = UploadFields(head.headerFields, version: version)
        return UploadReading(
            offset: stated.offset, length: stated.length, isComplete: stated.isComplete,
            limits: stated.limits.flatMap { $0.isContradictory ? nil : $0 }, location: head.location,
            wantedDigest: head.headerFields[.wantContentDigest].flatMap { ReprDigest.algorithm(wantedBy: $0) })
    }

    func expiry(_ head: HTTPResponse, now: Double) -> Double? {
        UploadFields(head.headerFields, version: version).limits?.lifetime.map { now + Double($0) }
    }

    func understands(interim head: HTTPResponse) -> Bool {
        head.status.code == 104
            && (version.field == nil
                ? head.headerFields[.uploadInterop] == nil : UploadFields.version(of: head.headerFields) == version)
    }

    private func fields(_ stated: UploadFields) -> HTTPFields {
        var fields: HTTPFields = [:]
        fields[.uploadInterop] = version.field
        stated.write(to: &fields, version: version)
        return fields
    }
}

/// tus 1.0.0.
struct TusUpload: UploadDialect {
    /// The target creates uploads, although its name may be that of the file.
    var createsAtTarget = false
    var carrier: UploadCarrier { .tus }
    var replaysFinalResponse: Bool { false }
    /// 403 is what some servers say of an upload that was removed (core protocol, HEAD).
    var goneStatuses: Set<Int> { [403, 404, 410] }

    /// A file is created in the folder that its address names; any other address is that of the server's creation.
    func creation(of subject: UploadSubject, withBody: Bool) throws(TransferError) -> UploadExchange {
        let isNamed = subject.target.lastPathSegment == subject.name && !createsAtTarget
        let url = isNamed ? try subject.target.resolving("./") : subject.target
        // Some servers require a type.
        let metadata = Tus.Metadata([
            .init(key: "filename", value: Array(subject.name.utf8)),
            .init(key: "filetype", value: Array("application/octet-stream".utf8)),
        ])
        var fields: HTTPFields = [.tusResumable: Tus.version]
        if let size = subject.size { fields[.uploadLength] = String(size) } else { fields[.uploadDeferLength] = "1" }
        fields[.uploadMetadata] = metadata.description
        guard withBody, let size = subject.size, size > 0 else {
            return UploadExchange(.creation, url, .post, fields, body: 0..<0)
        }
        fields[.contentType] = Tus.appendType
        return UploadExchange(.creation, url, .post, fields, body: 0..<size)
    }

    func query(_ url: TransferURL) -> UploadExchange {
        UploadExchange(.query, url, .head, [.tusResumable: Tus.version])
    }

    func append(
        _ range: Range<Int64>, of size: Int64?, to url: TransferURL, declaresLength: Bool
    ) -> UploadExchange {
        var fields: HTTPFields = [
            .tusResumable: Tus.version, .uploadOffset: String(range.lowerBound), .contentType: Tus.appendType,
        ]
        if declaresLength, let size, range.upperBound == size { fields[.uploadLength] = String(size) }
        return UploadExchange(.append, url, .patch, fields, body: range)
    }

    func cancellation(_ url: TransferURL) -> UploadExchange {
        UploadExchange(.cancellation, url, .delete, [.tusResumable: Tus.version])
    }

    func reading(_ head: HTTPResponse, size: Int64?) -> UploadReading {
        let offset = head.headerFields[.uploadOffset].flatMap { Tus.number($0) }
        return UploadReading(
            offset: offset, length: head.headerFields[.uploadLength].flatMap { Tus.number($0) },
            isComplete: size.flatMap { size in offset.map { $0 == size } }, location: head.location)
    }

    /// The clocks may differ: the server's own date counts, if it states one.
    func expiry(_ head: HTTPResponse, now: Double) -> Double? {
        func date(_ name: HTTPField.Name) -> Double? {
            head.headerFields[name].flatMap { HTTPDate.parse($0, now: Int64(now)) }.map { Double($0) }
        }
        return date(.uploadExpires).map { now + $0 - (date(.date) ?? now) }
    }

    func understands(interim head: HTTPResponse) -> Bool { false }
}
