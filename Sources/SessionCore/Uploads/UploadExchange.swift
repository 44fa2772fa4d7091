// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

/// What a resumable upload sends, and where to.
package struct UploadSubject: Sendable, Hashable {
    /// The resource that the upload is meant for.
    package var target: TransferURL
    package var method: HTTPRequest.Method
    /// Of the file, without folders.
    package var name: String
    /// Bytes of the file; `nil`: a stream, whose length its end shows.
    package var size: Int64?
    /// Its digest, if it is known before anything is sent.
    package var digest: Checksum?
    /// The creation must be a request to the target: tus, which creates in a collection, cannot carry it.
    package var needsTarget: Bool
    /// ``name`` is that of the target, which may be the address that creates uploads.
    package var isNameless = false
    /// Who sends the requests computes what ``UploadExchange/checksum`` names.
    package var statesDigests: Bool

    package init(
        target: TransferURL, method: HTTPRequest.Method, name: String, size: Int64?, digest: Checksum? = nil,
        needsTarget: Bool = false, statesDigests: Bool = false
    ) {
        (self.target, self.method, self.name) = (target, method, name)
        (self.size, self.digest, self.needsTarget) = (size, digest, needsTarget)
        self.statesDigests = statesDigests
    }
}

extension UploadSubject {
    /// Whether the upload may be at an address: as with redirects at another origin, but not in clear text.
    func admits(_ place: TransferURL) -> Bool { place.isSecure || !target.isSecure }
}

/// One request of a resumable upload.
package struct UploadExchange: Sendable, Equatable {
    package enum Purpose: Sendable, Equatable {
        /// Which protocols the server announces.
        case discovery
        case creation
        /// Creates the resource of a part.
        case part
        /// Where the upload stands.
        case query
        case append
        /// Makes the target from the parts; without content of the file.
        case completion
        case cancellation
    }

    package var purpose: Purpose
    package var url: TransferURL
    package var method: HTTPRequest.Method
    /// In addition to those of the transfer, or instead of them.
    package var fields: HTTPFields
    /// Positions in the file of what is sent; `nil`: a request without content.
    package var body: Range<Int64>?
    /// The request states this checksum of its content: ``stating(_:)`` adds it.
    package var checksum: Checksum.Algorithm?
    /// Content that is not of the file; instead of ``body``.
    package var content: [UInt8]?
    /// `nil`: it is not signed.
    package var signature: S3Signature?
    /// It is about one of several parts: those that other tasks send stay on their way.
    package var isOfPart = false

    package init(
        _ purpose: Purpose, _ url: TransferURL, _ method: HTTPRequest.Method, _ fields: HTTPFields = [:],
        body: Range<Int64>? = nil
    ) {
        (self.purpose, self.url, self.method) = (purpose, url, method)
        (self.fields, self.body) = (fields, body)
    }

    /// The request with the checksum of its content, in the field of its protocol.
    package func stating(_ checksum: Checksum) -> UploadExchange {
        var exchange = self
        exchange.checksum = nil
        if fields[.tusResumable] != nil {
            exchange.fields[.uploadChecksum] = Tus.ChecksumField.text(of: checksum)
        } else {
            exchange.fields[.contentDigest] = ReprDigest(checksum).description
        }
        return exchange
    }

    /// tus: with the user's own `Upload-Metadata`, whose keys take the place of those that are usual.
    package func stating(metadata own: [String]) -> UploadExchange {
        guard !own.isEmpty, let usual = fields[.uploadMetadata] else { return self }
        let given = own.joined(separator: ",")
        let rest = Tus.Metadata(parsing: given).map { known in
            Tus.Metadata((Tus.Metadata(parsing: usual)?.pairs ?? []).filter { known[$0.key] == nil })
        }
        var exchange = self
        // A malformed field is for the server to refuse.
        exchange.fields[.uploadMetadata] = [given, rest?.description ?? ""].filter { !$0.isEmpty }
            .joined(separator: ",")
        return exchange
    }

    /// Whether the fields of the transfer that describe its content belong to this request.
    package var carriesSubject: Bool { purpose == .creation || purpose == .completion }

    /// Whether it is about the upload's own address, which the server has chosen: a redirect to another origin is none.
    package var staysAtOrigin: Bool { [.query, .append, .cancellation].contains(purpose) }

    /// Whether a field that the user gave belongs to this request.
    package func carries(_ name: HTTPField.Name) -> Bool {
        if let signature { return signature.carries(name, in: self) }
        // It is that of the file, and so of no other content.
        if name == .contentDigest { return purpose == .creation && body?.isEmpty == false }
        return carriesSubject || !Self.namesOfSubject.contains(name)
    }

    /// Fields that belong to the file and its target, not to requests about the upload.
    package static let namesOfSubject: Set<HTTPField.Name> = [
        .contentType, .contentEncoding, .contentLanguage, .contentDisposition, .contentRange, .ifMatch, .ifNoneMatch,
        .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range, .expect, .reprDigest,
        .uploadMetadata,
    ]

    /// Seconds for a response to the question what the server announces. Some servers read no request of that method,
    /// or nothing more on its connection: the upload has one of its own.
    package static let patience = 10.0
}

/// How an exchange of a resumable upload ended.
package struct UploadReply: Sendable {
    /// The final response; `nil` if none came.
    package var head: HTTPResponse?
    /// Why the exchange failed below HTTP.
    package var error: TransferError?
    /// The failure that the status means; `nil` for 2xx.
    package var refusal: TransferError?
    /// The address that responded, after redirects.
    package var url: TransferURL
    /// The response came before the server had the whole content.
    package var isEarly = false
    /// Bytes of the content that were sent at most; `nil`: all.
    package var sent: Int64?
    /// Seconds since 1970; `nil`: not known.
    package var receivedAt: Double?
    /// The content of the response, of an exchange that was signed.
    package var answer: S3Answer?
    /// The SHA-256 of what was sent, likewise.
    package var digest: [UInt8]?

    package init(
        _ head: HTTPResponse?, from url: TransferURL, error: TransferError? = nil, refusal: TransferError? = nil,
        isEarly: Bool = false
    ) {
        (self.head, self.url, self.error) = (head, url, error)
        (self.refusal, self.isEarly) = (refusal, isEarly)
    }
}

/// What a server announces about resumable uploads.
package enum UploadSupport: Sendable, Hashable {
    case none
    /// - Parameter tus: the server speaks both.
    case ietf(UploadInterop, UploadLimits, tus: TusSupport? = nil)
    case tus(TusSupport)

    /// Reads the response to OPTIONS. The IETF draft is preferred.
    /// - Parameter version: that of the request.
    package init(announcedBy head: HTTPResponse?, asked version: UploadInterop = .newest) {
        self = .none
        guard let head, head.status.kind == .successful else { return }
        let fields = head.headerFields
        let tus = TusSupport(announcedBy: fields)
        if let text = fields[.uploadLimit], let limits = UploadLimits(parsing: text), !limits.isContradictory {
            // The key of the lifetime changed with version 8.
            let isOld = text.contains("expires=") && !text.contains("max-age=")
            self = .ietf(UploadFields.version(of: fields) ?? (isOld ? .v6 : version), limits, tus: tus)
        } else if let tus {
            self = .tus(tus)
        }
    }

    /// The support that an address beside the target announces: tus alone.
    var onlyTus: UploadSupport {
        switch self {
        case .ietf(_, _, let tus): tus.map { .tus($0) } ?? .none
        case .none, .tus: self
        }
    }

    /// What counts for an upload by tus alone: a server that announces nothing may take it all the same.
    var byTus: UploadSupport {
        switch self {
        case .none: .tus(TusSupport())
        case .ietf(_, _, let tus): .tus(tus ?? TusSupport())
        case .tus: self
        }
    }
}

/// What a tus server announces; as initialized, what is assumed of one that was not asked.
package struct TusSupport: Sendable, Hashable {
    /// Bytes.
    package var maximumSize: Int64?
    /// Uploads of unknown length are created.
    package var defersLength = true
    /// The creation may have content.
    package var createsWithContent = false
    /// For the content of a request; `nil`: none that both sides know.
    package var checksum: Checksum.Algorithm?
    /// Uploads of parts are joined.
    package var concatenates = false

    package init(
        maximumSize: Int64? = nil, defersLength: Bool = true, createsWithContent: Bool = false,
        checksum: Checksum.Algorithm? = nil, concatenates: Bool = false
    ) {
        (self.maximumSize, self.defersLength) = (maximumSize, defersLength)
        (self.createsWithContent, self.checksum) = (createsWithContent, checksum)
        self.concatenates = concatenates
    }

    /// `nil` without version 1.0.0 and the extension `creation`.
    init?(announcedBy fields: HTTPFields) {
        func words(_ name: HTTPField.Name) -> [Substring] { Tus.words(fields[name]) }
        let (versions, extensions) = (words(.tusVersion) + words(.tusResumable), words(.tusExtension))
        guard versions.contains(where: { $0 == Tus.version }), extensions.contains("creation") else { return nil }
        maximumSize = fields[.tusMaximumSize].flatMap { Tus.number($0) }
        defersLength = extensions.contains("creation-defer-length")
        createsWithContent = extensions.contains("creation-with-upload")
        concatenates = extensions.contains("concatenation")
        guard extensions.contains("checksum") else { return }
        let algorithms = words(.tusChecksumAlgorithm)
        checksum = [.sha256, .sha1].first { known in algorithms.contains { $0 == known.rawValue } }
    }
}
