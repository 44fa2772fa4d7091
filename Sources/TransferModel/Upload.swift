// SPDX-License-Identifier: MIT

/// The source of an upload, and the form in which it is sent.
package struct Upload: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        /// A regular file; its size is known and it can be sent again.
        case file(path: String)
        /// A descriptor read once, to its end, length unknown (chunked).
        case stream(descriptor: Int32, name: String)
    }

    package enum Form: Sendable, Hashable {
        /// `PUT` of the bytes to the URL.
        case put
        /// `POST` with metadata in cookies; see ``FileQUpload``.
        case fileQ(FileQUpload)
        /// An object of an S3 store; see ``S3Upload``.
        case s3(S3Upload)
    }

    package var source: Source
    package var form: Form
    /// The checksum the source must have; a file whose checksum differs is not reported as sent.
    @Text package var checksum: Checksum?
    /// Whether a `PUT` that fails because a folder is missing creates it by `MKCOL` (RFC 4918), with its parents, and
    /// is sent once more.
    @Default<Usual.False> package var createsFolders: Bool
    /// The protocol by which an interrupted upload may continue.
    @Default<Usual.Resumption> package var resumption: UploadResumption
    /// The name of a source without a name of its own, such as standard input.
    package var name: String?

    package init(
        source: Source, form: Form = .put, checksum: Checksum? = nil, createsFolders: Bool = false,
        resumption: UploadResumption = .never
    ) {
        self.source = source
        self.form = form
        self.checksum = checksum
        self.createsFolders = createsFolders
        self.resumption = resumption
    }
}

/// `file`, and `fileq` for a FileQ upload or `s3`; what has its usual value is left out.
extension Upload: Codable {
    private enum Key: CodingKey { case file, fileq, s3, checksum, createsFolders, resumable }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        source = .file(path: try container.decode(String.self, forKey: .file))
        let s3 = try container.decodeIfPresent(S3Upload.self, forKey: .s3)
        form =
            try container.decodeIfPresent(FileQUpload.self, forKey: .fileq).map { .fileQ($0) } ?? s3.map { .s3($0) }
            ?? .put
        _checksum = try container.decode(Text<Checksum>.self, forKey: .checksum)
        _createsFolders = try container.decode(Default<Usual.False>.self, forKey: .createsFolders)
        _resumption = try container.decode(Default<Usual.Resumption>.self, forKey: .resumable)
    }

    /// - Throws: code `usage` for a stream, whose descriptor ends with the process.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        guard case .file(let path) = source else {
            throw TransferError(.specStreamedUpload)
        }
        try container.encode(path, forKey: .file)
        switch form {
        case .put: break
        case .fileQ(let upload): try container.encode(upload, forKey: .fileq)
        case .s3(let upload): try container.encode(upload, forKey: .s3)
        }
        try container.encode(_checksum, forKey: .checksum)
        try container.encode(_createsFolders, forKey: .createsFolders)
        try container.encode(_resumption, forKey: .resumable)
    }
}
