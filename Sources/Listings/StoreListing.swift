// SPDX-License-Identifier: MIT

import Markup
import TransferModel

/// Reads the response to `ListObjectsV2` of S3.
final class StoreListing {
    private var builder = ListingBuilder()
    private var root = ""
    private var path: [String] = []
    private var texts: [String: String] = [:]
    private var object: [String: String] = [:]
    /// Keys are encoded only if the document says so, which may stand behind them.
    private var objects: [(key: String, fields: [String: String]?)] = []

    /// - Parameter prefix: of the keys that were asked for; the names are what follows it.
    /// - Returns: `nil` for another document.
    static func read(_ bytes: [UInt8], prefix: String) -> ListingPage? {
        let reader = StoreListing()
        do throws(TransferError) {
            try XMLEvents(
                begin: { element throws(TransferError) in reader.begin(element.name) },
                end: { name, text throws(TransferError) in reader.end(name, text) }
            ).parse(bytes)
        } catch { return nil }
        return reader.root == "ListBucketResult" ? reader.page(below: prefix) : nil
    }

    /// Stores differ in whether and which namespace they state.
    private func begin(_ name: String) {
        let name = name.split(separator: " ").last.map(String.init) ?? name
        if path.isEmpty { root = name }
        path.append(name)
        if path.count == 2 { object = [:] }
    }

    private func end(_ name: String, _ text: String) {
        defer { path.removeLast() }
        guard path.count < 4, objects.count <= ListingPage.maximumEntries else { return }
        switch path.count {
        case 2 where path[1] == "Contents": if let key = object["Key"] { objects.append((key, object)) }
        case 2 where path[1] == "CommonPrefixes": if let key = object["Prefix"] { objects.append((key, nil)) }
        case 2: texts[path[1]] = text
        case 3: object[path[2]] = text
        default: break
        }
    }

    private func page(below prefix: String) -> ListingPage {
        let isEncoded = texts["EncodingType"]?.lowercased() == "url"
        for (key, fields) in objects {
            guard let decoded = isEncoded ? Self.decoded(key) : key else {
                builder.refuse(key, .encoding)
                continue
            }
            guard decoded.utf8.starts(with: prefix.utf8) else {
                builder.refuse(decoded, .outside)
                continue
            }
            add(String(decoding: decoded.utf8.dropFirst(prefix.utf8.count), as: UTF8.self), fields)
        }
        if texts["IsTruncated"]?.lowercased() == "true" {
            if let token = texts["NextContinuationToken"], !token.isEmpty {
                builder.continueAt(token)
            } else {
                builder.truncate()
            }
        }
        return builder.finished()
    }

    /// - Parameter fields: `nil` for a common prefix.
    private func add(_ name: String, _ fields: [String: String]?) {
        let size = fields?["Size"].flatMap { ContentRange.number($0) }
        // The marker of the folder itself.
        if name.isEmpty, fields == nil || size == 0 { return }
        let isFolder = name.endsWithSlash && (fields == nil || size == 0)
        let path = isFolder ? String(decoding: name.utf8.dropLast(), as: UTF8.self) : name
        var entry = ListingEntry(path, isFolder ? .folder : .file, size: isFolder ? nil : size)
        entry.modified = fields?["LastModified"].flatMap(ListingDate.parse)
        entry.etag = fields?["ETag"].flatMap { $0.isEmpty || $0.utf8.count > 1024 ? nil : $0 }
        builder.add(entry, isPath: true)
    }

    /// As a form encodes.
    private static func decoded(_ key: String) -> String? { PercentCoding.decode(key.replacing("+", with: " ")) }
}
