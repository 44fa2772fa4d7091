// SPDX-License-Identifier: MIT

import Markup
package import TransferModel

/// A Metalink 4 document (RFC 5854): files with their addresses and digests. Signatures, meta-addresses (torrents) and
/// what describes the files for people are left out.
package struct Metalink: Equatable, Sendable {
    package struct File: Equatable, Sendable {
        /// One component of a path, safe to create.
        package var name: String
        /// In the order of their priorities; http and https only.
        package var addresses: [FileMirror] = []
        /// Bytes.
        package var size: Int64?
        /// The strongest that fileq computes.
        package var checksum: Checksum?
        package var pieces: PieceDigests?

        /// The addresses that a download may ask: of a document over https, those without need a strong checksum.
        func addresses(isSecure: Bool, allowsDowngrade: Bool) -> [FileMirror] {
            let isProven = checksum.map { !$0.algorithm.isWeak } ?? false
            return addresses.filter { !isSecure || isProven || allowsDowngrade || $0.url.isSecure }
        }
    }

    package static let maximumBytes = 8 << 20
    package static let maximumFiles = 10_000
    package static let maximumNotes = 100
    package static let mediaType = "application/metalink4+xml"
    package static let ending = ".meta4"

    package var files: [File]
    /// What was left out, as sentences; the first ``maximumNotes``.
    package var notes: [String] = []

    /// - Throws: code `usage` for what is no such document, or describes no file that can be downloaded;
    ///   `malformedURL` for an address of http or https that is none.
    package init(parsing bytes: [UInt8]) throws(TransferError) {
        guard bytes.count <= Self.maximumBytes else {
            throw TransferError(.documentSize, Self.maximumBytes)
        }
        let builder = MetalinkBuilder()
        try XMLEvents(
            begin: { element throws(TransferError) in try builder.begin(element) },
            end: { name, text throws(TransferError) in try builder.end(name, text) }
        ).parse(bytes)
        (files, notes) = (builder.files, builder.notes)
        guard !files.isEmpty else {
            throw notes.first.map { TransferError(.documentNoUsableFile, $0) } ?? TransferError(.documentNoFile)
        }
    }

    /// Whether `argument` is the name or address of such a document.
    package static func isNamed(_ argument: String) -> Bool {
        let path = argument.prefix { $0 != "?" && $0 != "#" }
        return path.lowercased().hasSuffix(ending)
    }
}

/// Collects what the elements of a document say.
private final class MetalinkBuilder {
    private(set) var files: [Metalink.File] = []
    private(set) var notes: [String] = []
    /// Local names of the open elements; other namespaces' are empty.
    private var path: [String] = []
    private var attributes: [[String: String]] = []
    private var file: Metalink.File?
    /// Kinds of its digests that are not supported.
    private var otherDigests: [String] = []
    private var digests: [Checksum.Algorithm: [UInt8]] = [:]
    private var pieces: (algorithm: Checksum.Algorithm, length: Int64, bytes: [UInt8])?
    private static let namespace = "urn:ietf:params:xml:ns:metalink "

    func begin(_ element: XMLEvents.Element) throws(TransferError) {
        let name = element.name.hasPrefix(Self.namespace) ? String(element.name.dropFirst(Self.namespace.count)) : ""
        guard !path.isEmpty || name == "metalink" else {
            throw TransferError(.documentNotMetalink)
        }
        path.append(name)
        attributes.append(element.attributes)
        switch path {
        case ["metalink", "file"]:
            guard files.count < Metalink.maximumFiles else {
                throw TransferError(.documentFiles, Metalink.maximumFiles)
            }
            file = Metalink.File(name: element.attributes["name"] ?? "")
            (otherDigests, digests) = ([], [:])
        case ["metalink", "file", "pieces"]: try beginPieces(element.attributes)
        default: break
        }
    }

    func end(_ name: String, _ text: String) throws(TransferError) {
        let text = Self.trimmed(text)
        let attributes = attributes.popLast() ?? [:]
        defer { path.removeLast() }
        switch path {
        case ["metalink", "file"]: endFile()
        case ["metalink", "file", "size"]:
            guard let size = Int64(text), size >= 0, text.utf8.first != UInt8(ascii: "+") else {
                throw TransferError(.documentFileSize)
            }
            guard file?.size ?? size == size else { throw TransferError(.documentContradiction, path[2]) }
            file?.size = size
        case ["metalink", "file", "hash"]: try addHash(attributes["type"], text)
        case ["metalink", "file", "pieces", "hash"]: try addPiece(text)
        case ["metalink", "file", "pieces"]: try endPieces()
        case ["metalink", "file", "url"]: try addAddress(text, attributes)
        default: break
        }
    }

    private static func algorithm(_ type: String?) -> Checksum.Algorithm? {
        switch type?.lowercased() {
        case "sha-256": .sha256
        case "sha-512": .sha512
        case "sha-1": .sha1
        case "md5": .md5
        default: nil
        }
    }

    private func addHash(_ type: String?, _ text: String) throws(TransferError) {
        guard let algorithm = Self.algorithm(type) else {
            // The first few show what a document with very many has.
            if otherDigests.count < 4 { otherDigests.append(TextLine.first(of: type ?? "?")) }
            return
        }
        guard let bytes = Hex.decode(text), bytes.count == algorithm.byteCount else {
            throw TransferError(.documentDigest, algorithm)
        }
        guard digests.updateValue(bytes, forKey: algorithm) ?? bytes == bytes else {
            throw TransferError(.documentContradiction, algorithm.rawValue)
        }
        let strength: [Checksum.Algorithm] = [.md5, .sha1, .sha256, .sha512]
        if let known = file?.checksum?.algorithm, let mine = strength.firstIndex(of: algorithm),
            let theirs = strength.firstIndex(of: known), mine <= theirs
        {
            return
        }
        file?.checksum = Checksum(algorithm: algorithm, bytes: bytes)
    }

    private func beginPieces(_ attributes: [String: String]) throws(TransferError) {
        guard let algorithm = Self.algorithm(attributes["type"]), file?.pieces == nil else { return }
        guard let length = attributes["length"].flatMap({ Int64($0) }), length > 0 else {
            throw TransferError(.documentPieceLength)
        }
        pieces = (algorithm, length, [])
    }

    private func addPiece(_ text: String) throws(TransferError) {
        guard let algorithm = pieces?.algorithm else { return }
        guard let bytes = Hex.decode(text), bytes.count == algorithm.byteCount else {
            throw TransferError(.documentDigest, algorithm)
        }
        pieces?.bytes += bytes
    }

    private func endPieces() throws(TransferError) {
        guard let found = pieces else { return }
        pieces = nil
        guard found.bytes.count / found.algorithm.byteCount <= PieceDigests.maximumCount else {
            return note("has more than \(PieceDigests.maximumCount) pieces, whose digests are left out")
        }
        file?.pieces = try PieceDigests(algorithm: found.algorithm, length: found.length, bytes: found.bytes)
    }

    private func addAddress(_ text: String, _ attributes: [String: String]) throws(TransferError) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else {
            return note("has an address that begins with '\(TextLine.first(of: scheme))', which is left out")
        }
        let url = try TransferURL(text)
        let priority = attributes["priority"].flatMap { Int($0) }
        file?.addresses.append(
            FileMirror(
                url: url, priority: priority.flatMap { FileMirror.priorities.contains($0) ? $0 : nil },
                location: FileMirror.country(attributes["location"])))
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    private func note(_ text: String) {
        guard notes.count < Metalink.maximumNotes else { return }
        let note = "'\(TextLine.first(of: file?.name ?? ""))' \(text)"
        if !notes.contains(note) { notes.append(note) }
    }

    /// A file without a usable name or address is left out: the others are not less good.
    private func endFile() {
        guard var found = file else { return }
        if let size = found.size, let pieces = found.pieces, !pieces.fits(size) {
            note("has pieces that do not fit its size; their digests are left out")
            found.pieces = nil
        }
        defer { file = nil }
        // A name may be a path of folders below the one of the downloads; its last component is used.
        guard let name = SafeFileName.sanitize(found.name, allowsHidden: false) else {
            return note("is not a name for a file; it is left out")
        }
        guard !found.addresses.isEmpty else { return note("has no http or https address; it is left out") }
        if found.checksum == nil, found.pieces == nil, !otherDigests.isEmpty {
            let kinds = otherDigests.joined(separator: ", ")
            note("has digests only of kinds that are not supported (\(kinds)): nothing verifies it")
        }
        let last = FileMirror.priorities.upperBound + 1
        let order = found.addresses.enumerated().sorted {
            ($0.element.priority ?? last, $0.offset) < ($1.element.priority ?? last, $1.offset)
        }
        // The preferred ones, of which each counts once.
        var seen: Set<TransferURL> = []
        found.addresses = Array(
            order.map(\.element).filter { seen.insert($0.url).inserted }.prefix(FileMirror.maximumCount + 1))
        found.name = name
        files.append(found)
    }
}
