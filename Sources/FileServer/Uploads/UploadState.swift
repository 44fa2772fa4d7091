// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes
import Platform
import TransferModel

/// The state file of an upload. It begins with a ``Mark``, which is overwritten in place; the rest is JSON and is
/// replaced as a whole.
struct UploadState: Codable, Sendable, Equatable {
    /// Where the representation goes.
    enum Target: Codable, Sendable, Equatable {
        /// A plain file at this path.
        case path([String])
        /// `files/ID/NAME`, with a record in the index.
        case stored
        /// Part of a tus concatenation: never placed.
        case none
    }

    /// The response of the target, repeated when it was lost.
    struct Outcome: Codable, Sendable, Equatable {
        var status: Int
        var location: String?
        var entityTag: String?
        var reprDigest: String?
    }

    enum Phase: Codable, Sendable, Equatable {
        case open
        /// About to be renamed; `outcome` applies if the bytes are no longer in the work folder.
        case placing(Outcome)
        case complete(Outcome)
        case failed
    }

    static let currentVersion = 1

    var version = UploadState.currentVersion
    var target: Target
    var phase = Phase.open
    var length: Int64?
    /// The sanitized name, for ``Target/stored``.
    var name: String
    var isTus: Bool
    /// Identifies a FileQ upload.
    var key: UploadRecord.Key?
    var modified: Int64?
    var metadata: [FileQUpload.Metadata] = []
    /// `Upload-Metadata` and `Upload-Concat` as received.
    var tusMetadata: String?
    var tusConcat: String?
    /// The digests of the representation.
    var sha256: String?
    var sha512: String?
    /// `If-Match`, `If-None-Match` and `If-Unmodified-Since` of the creation.
    var conditions: [String: String] = [:]
    /// The boot during which the bytes beyond the mark were written: they survive a killed server, not a power cut.
    var bootID: String

    /// The expected digests; of several with the same algorithm, the first.
    var expected: [Checksum] {
        get {
            [(Checksum.Algorithm.sha256, sha256), (.sha512, sha512)].compactMap { algorithm, digits in
                digits.flatMap { Hex.decode($0) }.map { Checksum(algorithm: algorithm, bytes: $0) }
            }
        }
        set {
            sha256 = newValue.first { $0.algorithm == .sha256 }?.hex
            sha512 = newValue.first { $0.algorithm == .sha512 }?.hex
        }
    }

    /// The algorithms of the digests that the end of the upload needs. SHA-256, which a record has, comes first.
    var algorithms: [Checksum.Algorithm] {
        let needed = expected.map(\.algorithm)
        return target == .stored && !needed.contains(.sha256) ? [.sha256] + needed : needed
    }

    var preconditions: Preconditions {
        var fields: HTTPFields = [:]
        for (name, value) in conditions {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return Preconditions(
            HTTPRequest(method: .put, scheme: nil, authority: nil, path: nil, headerFields: fields))
    }

    static let conditionNames: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifUnmodifiedSince]

    /// The first line: how many bytes are synced, and whether later ones count after a crash of the server.
    struct Mark: Sendable, Equatable {
        var synced: Int64
        /// Bytes beyond ``synced`` belong to an append that is verified at its end.
        var isTentative: Bool

        static let byteCount = 23

        init(synced: Int64, isTentative: Bool) {
            self.synced = synced
            self.isTentative = isTentative
        }

        /// `nil` if `bytes` do not begin with a mark.
        init?(parsing bytes: some Collection<UInt8>) {
            let line = Array(bytes.prefix(Self.byteCount))
            guard line.count == Self.byteCount, line.last == UInt8(ascii: "\n"), line[20] == UInt8(ascii: " "),
                let synced = Tus.number(String(decoding: line[..<20], as: UTF8.self)),
                line[21] == UInt8(ascii: "+") || line[21] == UInt8(ascii: "-")
            else { return nil }
            self.init(synced: synced, isTentative: line[21] == UInt8(ascii: "-"))
        }

        var bytes: [UInt8] {
            let digits = String(synced)
            let line = String(repeating: "0", count: 20 - digits.count) + digits + (isTentative ? " -\n" : " +\n")
            return Array(line.utf8)
        }
    }

    init(target: Target, name: String, isTus: Bool, length: Int64?, bootID: String) {
        self.target = target
        self.name = name
        self.isTus = isTus
        self.length = length
        self.bootID = bootID
    }

    /// `nil` if the file is damaged or of a later version.
    static func parse(_ content: [UInt8]) -> (UploadState, Mark)? {
        guard let mark = Mark(parsing: content),
            let state = try? JSONDecoder().decode(Self.self, from: Data(content.dropFirst(Mark.byteCount))),
            state.version == currentVersion
        else { return nil }
        return (state, mark)
    }

    func bytes(_ mark: Mark) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return mark.bytes + Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// The current boot; empty if the kernel does not report it.
    static func currentBootID() -> String {
        guard let file = try? Descriptor.open("/proc/sys/kernel/random/boot_id", 0),
            let bytes = try? file.read(upTo: 64)
        else { return "" }
        return String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    }
}
