// SPDX-License-Identifier: MIT

import Markup
import TransferModel

/// Reads the response to `PROPFIND` with depth 1 (RFC 4918, section 13), as servers write it.
final class MultistatusListing {
    /// The properties that are read, and asked for: without names, some servers compute all they know.
    static let request = """
        <?xml version="1.0" encoding="utf-8"?>
        <D:propfind xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns"><D:prop><D:resourcetype/><D:getcontentlength/>\
        <D:getlastmodified/><D:getetag/><oc:checksums/></D:prop></D:propfind>
        """

    private struct Properties {
        var isFolder: Bool?
        var size: Int64?
        var modified: Int64?
        var etag: String?
        var digest: Checksum?

        /// Adds what is not known yet.
        mutating func merge(_ other: Properties) {
            isFolder = isFolder ?? other.isFolder
            size = size ?? other.size
            modified = modified ?? other.modified
            etag = etag ?? other.etag
            digest = digest ?? other.digest
        }
    }

    private let base: ListingBase
    private var builder = ListingBuilder()
    private var depth = 0
    private var isMultistatus = false
    private var href: String?
    private var status: String?
    private var properties = Properties()
    /// Of the open `propstat`, which may turn out to be of what is missing.
    private var stated = Properties()
    private var propertyStatus: String?
    /// Whether the address itself is a folder; `nil`: it is not listed.
    private var isFolder: Bool?

    private init(_ url: TransferURL) { base = ListingBase(url, ignoresOrigin: true) }

    /// - Parameter url: of the folder.
    /// - Returns: `nil` for another document, and for the properties of a file.
    static func read(_ bytes: [UInt8], at url: TransferURL) -> ListingPage? {
        let reader = MultistatusListing(url)
        do throws(TransferError) {
            try XMLEvents(
                begin: { element throws(TransferError) in reader.begin(element.name) },
                end: { name, text throws(TransferError) in reader.end(name, text) }
            ).parse(bytes)
        } catch { return nil }
        guard reader.isFolder ?? !reader.builder.isEmpty else { return nil }
        return reader.builder.finished()
    }

    /// Its own names without namespace, and those of others with it.
    private static func local(_ name: String) -> Substring {
        name.utf8.starts(with: "DAV: ".utf8) ? name.dropFirst(5) : name[...]
    }

    private func begin(_ name: String) {
        depth += 1
        switch (depth, Self.local(name)) {
        case (1, let root): isMultistatus = root == "multistatus"
        case (2, "response"): (href, status, properties) = (nil, nil, Properties())
        case (3, "propstat"): (stated, propertyStatus) = (Properties(), nil)
        case (6, "collection"): stated.isFolder = true
        default: break
        }
    }

    private func end(_ name: String, _ text: String) {
        defer { depth -= 1 }
        guard isMultistatus else { return }
        switch (depth, Self.local(name)) {
        case (2, "response"): endResponse()
        case (3, "href"): href = href ?? text
        case (3, "status"): status = text
        case (3, "propstat"): if Self.isSuccess(propertyStatus) { properties.merge(stated) }
        case (4, "status"): propertyStatus = text
        case (5, "resourcetype"): stated.isFolder = stated.isFolder ?? false
        // Microsoft's.
        case (5, "iscollection"):
            if ["1", "true"].contains(Self.trimmed(text).lowercased()) { stated.isFolder = true }
        case (5, "getcontentlength"): stated.size = ContentRange.number(Self.trimmed(text))
        case (5, "getlastmodified"): stated.modified = ListingDate.parse(text)
        case (5, "getetag"):
            let tag = Self.trimmed(text)
            if !tag.isEmpty, tag.utf8.count <= 1024 { stated.etag = tag }
        case (6, "http://owncloud.org/ns checksum"): stated.digest = Self.digest(text)
        default: break
        }
    }

    private func endResponse() {
        guard let href, Self.isSuccess(status) else { return }
        switch base.place(of: Array(href.utf8)[...]) {
        case .own: isFolder = properties.isFolder ?? true
        case .below(let segment, let hasSlash):
            let kind: ListingEntry.Kind = properties.isFolder ?? hasSlash ? .folder : .file
            builder.add(encoded: segment) { name in
                var entry = ListingEntry(
                    name, kind, size: kind == .file ? properties.size : nil, modified: properties.modified)
                (entry.etag, entry.digest) = (properties.etag, properties.digest)
                return entry
            }
        case .above, .elsewhere: break
        }
    }

    /// `HTTP/1.1 200 OK`, without its text, or nothing at all.
    private static func isSuccess(_ status: String?) -> Bool {
        guard let words = status?.split(whereSeparator: \.isWhitespace), words.count > 1 else { return true }
        return words[1].utf8.count == 3 && words[1].utf8.first == UInt8(ascii: "2")
    }

    /// `SHA1:… MD5:… ADLER32:…`
    private static func digest(_ text: String) -> Checksum? {
        let found = text.split(whereSeparator: \.isWhitespace).compactMap { Checksum(String($0)) }
        return [Checksum.Algorithm.sha512, .sha256, .sha1, .md5].lazy
            .compactMap { algorithm in found.first { $0.algorithm == algorithm } }.first
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
