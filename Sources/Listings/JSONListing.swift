// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// Reads listings in JSON: of nginx (`autoindex_format json`), caddy, dufs (`?json`), copyparty (`?ls`) and this
/// package's own server.
enum JSONListing {
    /// - Parameter url: of the response, after redirects.
    /// - Returns: `nil` for JSON of another kind.
    static func read(_ bytes: [UInt8], at url: TransferURL) -> ListingPage? {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else { return nil }
        let base = ListingBase(url)
        var builder = ListingBuilder()
        for item in document.items { item.add(to: &builder, below: base) }
        if document.isTruncated { builder.truncate() }
        return builder.finished()
    }

    /// An array of items, or an object with one or two.
    private struct Document: Decodable {
        var items: [Item]
        var isTruncated = false

        private enum Key: String, CodingKey { case entries, paths, dirs, files, isTruncated }

        init(from decoder: any Decoder) throws {
            if let array = try? decoder.unkeyedContainer(), array.count != nil {
                items = try [Item](from: decoder)
                return
            }
            let object = try decoder.container(keyedBy: Key.self)
            if object.contains(.entries) {
                items = try object.decode([Item].self, forKey: .entries)
                isTruncated = try object.decodeIfPresent(Bool.self, forKey: .isTruncated) ?? false
            } else if object.contains(.paths) {
                items = try object.decode([Item].self, forKey: .paths)
            } else {
                items = try object.decode([Link].self, forKey: .dirs).map { $0.item(.folder) }
                items += try object.decode([Link].self, forKey: .files).map { $0.item(.file) }
            }
        }
    }

    private struct Item: Decodable {
        var name: String
        /// Percent-encoded, in place of ``name``.
        var isReference = false
        var kind: ListingEntry.Kind
        var size: Int64?
        var modified: Int64?

        private enum Key: String, CodingKey {
            case name, type, kind, size, modified, mtime
            case pathType = "path_type"
            case isFolder = "is_dir"
            case time = "mod_time"
        }

        init(_ reference: String, _ kind: ListingEntry.Kind, size: Int64?, modified: Int64?) {
            (name, self.kind, self.size, self.modified) = (reference, kind, size, modified)
            isReference = true
        }

        /// - Throws: for an item without name or kind, which other documents have.
        init(from decoder: any Decoder) throws {
            let item = try decoder.container(keyedBy: Key.self)
            name = try item.decode(String.self, forKey: .name)
            if let isFolder = try item.decodeIfPresent(Bool.self, forKey: .isFolder) {
                kind = isFolder ? .folder : .file
                // Caddy marks folders in the name, too.
                if isFolder, name.endsWithSlash { name = String(decoding: name.utf8.dropLast(), as: UTF8.self) }
            } else {
                let word =
                    try item.decodeIfPresent(String.self, forKey: .type)
                    ?? item.decodeIfPresent(String.self, forKey: .kind)
                    ?? item.decode(String.self, forKey: .pathType)
                kind =
                    switch word {
                    case "directory", "folder", "Dir", "SymlinkDir": .folder
                    case "file", "File", "SymlinkFile": .file
                    default: .unknown
                    }
            }
            // Some state a size of folders, which is that of none of their files.
            if kind != .folder { size = try? item.decodeIfPresent(Int64.self, forKey: .size) }
            if let seconds = try item.decodeIfPresent(Int64.self, forKey: .modified) {
                modified = seconds
            } else if let text = try item.decodeIfPresent(String.self, forKey: .time) {
                modified = ListingDate.parse(text)
            } else if let milliseconds = try? item.decodeIfPresent(Int64.self, forKey: .mtime) {
                modified = milliseconds / 1000
            } else if let text = try item.decodeIfPresent(String.self, forKey: .mtime) {
                modified = ListingDate.parse(text)
            }
        }

        func add(to builder: inout ListingBuilder, below base: ListingBase) {
            guard isReference else {
                return builder.add(
                    ListingEntry(name, kind, size: size.flatMap(Self.bytes), modified: modified.flatMap(Self.moment)))
            }
            // What follows a question mark is a key to the file, which is no part of its name.
            let path = Array(name.utf8.prefix { $0 != UInt8(ascii: "?") })
            guard case .below(let segment, _) = base.place(of: path[...]) else {
                return builder.refuse(name, .outside)
            }
            builder.add(encoded: segment) {
                ListingEntry($0, kind, size: size.flatMap(Self.bytes), modified: modified.flatMap(Self.moment))
            }
        }

        private static func bytes(_ value: Int64) -> Int64? { value >= 0 ? value : nil }

        /// Of years with four digits.
        private static func moment(_ seconds: Int64) -> Int64? {
            (0..<253_402_300_800).contains(seconds) ? seconds : nil
        }
    }

    /// An item of copyparty.
    private struct Link: Decodable {
        var href: String
        var sz: Int64?
        var ts: Int64?

        func item(_ kind: ListingEntry.Kind) -> Item { Item(href, kind, size: kind == .file ? sz : nil, modified: ts) }
    }
}
