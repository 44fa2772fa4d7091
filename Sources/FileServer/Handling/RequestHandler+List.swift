// SPDX-License-Identifier: MIT

import HTTPTypes
import Platform
import TransferModel

/// The response to `GET` of a folder.
struct FolderListing: Codable, Sendable, Equatable {
    struct Entry: Codable, Sendable, Equatable {
        enum Kind: String, Codable { case file, folder }

        var name: String
        var kind: Kind
        /// Bytes; files only.
        var size: Int64?
        /// Seconds since 1970.
        var modified: Int64
    }

    /// The entries in order of their names; other file types are omitted.
    var entries: [Entry]
    /// The folder has more entries than the response.
    var isTruncated: Bool

    static let maximumEntries = 10_000
}

extension RequestHandler {
    func list(_ components: [String], for request: HTTPRequest) async throws -> Answer {
        let reader = pageReader(of: request)
        let (root, listsHidden, canDelete) = (root, configuration.listsHidden, configuration.allowsDelete)
        return try await listing(for: request) {
            let folder: FolderDescriptor
            do throws(SystemError) { folder = try root.subfolder(components) } catch {
                throw error.meansAbsent ? Refusal.notFound : error.refusal
            }
            var names = try folder.names().sorted()
            if !listsHidden { names.removeAll { $0.utf8.first == UInt8(ascii: ".") } }
            names.removeAll(where: RequestTarget.isWorkFolder)
            let entries = names.prefix(FolderListing.maximumEntries).compactMap { name -> FolderListing.Entry? in
                guard let status = try? folder.status(name), status.kind != .other else { return nil }
                let isFile = status.kind == .regular
                return .init(
                    name: name, kind: isFile ? .file : .folder, size: isFile ? status.size : nil,
                    modified: status.modified)
            }
            let listing = FolderListing(entries: entries, isTruncated: names.count > FolderListing.maximumEntries)
            if let reader {
                return ListingPage(listing, of: components, canDelete: canDelete, for: reader).answer()
            }
            return try Answer(.ok, headers: [.cacheControl: "no-cache", .vary: "Accept"], json: listing)
        }
    }
}

extension RequestHandler {
    /// `nil` for a client that gets JSON.
    func pageReader(of request: HTTPRequest) -> ListingPage.Reader? {
        guard Page.isPreferred(by: request) else { return nil }
        let hasLogin = logins != nil && request.headerFields[.authorization] == nil
        return .init(language: PageLanguage(of: request), hasLogin: hasLogin)
    }
}

extension ListingPage {
    init(_ listing: FolderListing, of components: [String], canDelete: Bool, for reader: Reader) {
        let rows = listing.entries.map { entry in
            let suffix = entry.kind == .folder ? "/" : ""
            return Row(
                // Without "./", a name with a colon would be a scheme.
                reference: "./" + PercentCoding.encode(entry.name) + suffix, name: entry.name, size: entry.size,
                modified: entry.modified)
        }
        self.init(
            reader: reader, folders: components, isFolder: true, canDelete: canDelete,
            rows: rows.filter { $0.size == nil } + rows.filter { $0.size != nil }, isTruncated: listing.isTruncated)
    }

    /// FileQ uploads.
    init(_ page: UploadPage, canDelete: Bool, for reader: Reader) {
        let rows = page.records.map { record in
            Row(
                reference: record.location, name: record.name, size: record.size,
                modified: record.modified ?? Int64(record.received))
        }
        self.init(
            reader: reader, folders: [], isFolder: false, canDelete: canDelete, rows: rows, next: page.reference)
    }
}
