// SPDX-License-Identifier: MIT

/// The destination of a download, and what its bytes must be.
package struct Download: Sendable, Hashable {
    package enum Destination: Sendable, Hashable {
        /// This path exactly.
        case file(path: String)
        /// A file in this folder. `name` holds until the server proposes a better one in `Content-Disposition`.
        case folder(path: String, name: String)
        /// A descriptor that takes bytes in order and cannot go back, such as standard output.
        case stream(descriptor: Int32)
    }

    package var destination: Destination
    /// Whether an existing file of the final name is replaced.
    @Default<Usual.False> package var overwrites: Bool
    /// The effect of an existing file if ``overwrites`` is `false`.
    @Default<ExistingFile.Usual> package var existing: ExistingFile
    /// The request body, for a file that is the response to a `POST`. Its type is in the options' headers. Such a
    /// download is not resumed.
    package var body: [UInt8]?
    /// The most bytes of a ``body``.
    package static let maximumBodyBytes = 256 << 10
    /// The checksum that the whole file must have.
    @Text package var checksum: Checksum?
    /// Sync the bytes before the file gets its name, and the name before the transfer counts as completed: both survive
    /// a power cut. `false` syncs nothing.
    @Default<Usual.True> package var syncs: Bool

    /// Other addresses of the same file. Bytes of several are joined only if ``checksum`` or ``pieces`` prove the
    /// result, or as RFC 6249 allows; else they are asked one after the other.
    @OrEmpty package var mirrors: [FileMirror]
    /// The size of the whole file in bytes. A server that states another size has another file. `nil`: the server's
    /// size counts.
    package var size: Int64?
    /// Digests of the parts of the file: a part with another one is requested again.
    package var pieces: PieceDigests?
    /// If the address responds with a Metalink document of one file (RFC 5854), download that file from where the
    /// document says. `false`: the document itself.
    @Default<Usual.True> package var followsMetalink: Bool

    package init(destination: Destination, overwrites: Bool = false, checksum: Checksum? = nil, syncs: Bool = true) {
        self.destination = destination
        self.overwrites = overwrites
        self.checksum = checksum
        self.syncs = syncs
    }
}

extension Download {
    /// Whether more is known of the file than one address and a checksum.
    package var hasFacts: Bool { !mirrors.isEmpty || size != nil || pieces != nil }
}

/// `file`, or `folder` and `name`; what has its usual value is left out.
extension Download: Codable {
    private enum Key: CodingKey {
        case file, folder, name, overwrites, existing, body, checksum, syncs, mirrors, size, pieces, followsMetalink
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let file = try container.decodeIfPresent(String.self, forKey: .file)
        let folder = try container.decodeIfPresent(String.self, forKey: .folder)
        switch (file, folder) {
        case (let path?, nil): destination = .file(path: path)
        case (nil, let path?): destination = .folder(path: path, name: try container.decode(String.self, forKey: .name))
        default: throw TransferError(.specDestination)
        }
        _overwrites = try container.decode(Default<Usual.False>.self, forKey: .overwrites)
        _existing = try container.decode(Default<ExistingFile.Usual>.self, forKey: .existing)
        _checksum = try container.decode(Text<Checksum>.self, forKey: .checksum)
        _syncs = try container.decode(Default<Usual.True>.self, forKey: .syncs)
        _mirrors = try container.decode(OrEmpty<FileMirror>.self, forKey: .mirrors)
        size = try container.decodeIfPresent(Int64.self, forKey: .size)
        pieces = try container.decodeIfPresent(PieceDigests.self, forKey: .pieces)
        _followsMetalink = try container.decode(Default<Usual.True>.self, forKey: .followsMetalink)
        if let text = try container.decodeIfPresent(Secret.self, forKey: .body)?.value {
            guard let bytes = Hex.decode(text) else {
                throw TransferError(.specBody, Self.maximumBodyBytes)
            }
            body = bytes
        }
    }

    /// - Throws: code `usage` for a stream, whose descriptor ends with the process.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch destination {
        case .file(let path): try container.encode(path, forKey: .file)
        case .folder(let path, let name):
            try container.encode(path, forKey: .folder)
            try container.encode(name, forKey: .name)
        case .stream:
            throw TransferError(.specStreamedDownload)
        }
        try container.encode(_overwrites, forKey: .overwrites)
        try container.encode(_existing, forKey: .existing)
        try container.encodeIfPresent(body.map { Secret(Hex.encode($0)) }, forKey: .body)
        try container.encode(_checksum, forKey: .checksum)
        try container.encode(_syncs, forKey: .syncs)
        try container.encode(_mirrors, forKey: .mirrors)
        try container.encodeIfPresent(size, forKey: .size)
        try container.encodeIfPresent(pieces, forKey: .pieces)
        try container.encode(_followsMetalink, forKey: .followsMetalink)
    }
}
