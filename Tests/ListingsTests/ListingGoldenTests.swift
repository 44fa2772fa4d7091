// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

@testable import Listings

/// Pages that real servers made of one folder: `Tests/listings/servers.py` has the folder, and starts the servers.
@Suite struct ListingGoldenTests {
    enum Exactness: Sendable { case exact, rounded, none }

    struct Recorded: Sendable, CustomTestStringConvertible {
        var file: String
        var sizes = Exactness.exact
        /// Of the dates; `nil`: there are none.
        var precision: ListingEntry.Precision? = .second
        var listsHidden = true
        var marksFolders = true

        init(
            _ file: String, sizes: Exactness = .exact, _ precision: ListingEntry.Precision? = .second,
            listsHidden: Bool = true, marksFolders: Bool = true
        ) {
            (self.file, self.sizes, self.precision) = (file, sizes, precision)
            (self.listsHidden, self.marksFolders) = (listsHidden, marksFolders)
        }

        var testDescription: String { file }
    }

    static let recorded: [Recorded] = [
        Recorded("nginx.html", .minute, listsHidden: false),
        Recorded("nginx-rounded.html", sizes: .rounded, .minute, listsHidden: false),
        Recorded("nginx.json", listsHidden: false),
        Recorded("apache-list.html", sizes: .none, nil), Recorded("apache-fancy.html", sizes: .rounded, .minute),
        Recorded("apache-table.html", sizes: .rounded, .minute), Recorded("apache-dav.xml"),
        Recorded("lighttpd.html", sizes: .rounded), Recorded("caddy.html"), Recorded("caddy.json"),
        Recorded("python.html", sizes: .none, nil), Recorded("h2o.html", sizes: .none, nil, marksFolders: false),
        Recorded("fileq.html"), Recorded("fileq.json"), Recorded("copyparty.json", listsHidden: false),
        Recorded("wsgidav.html"), Recorded("wsgidav.xml"), Recorded("nginx-dav.xml", listsHidden: false),
        Recorded("rclone.html"), Recorded("rclone.xml"),
    ]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Goldens")

    static func bytes(_ file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: file)))
    }

    static func read(_ file: String) throws -> ListingPage? {
        let (content, url) = (try bytes(file), try TransferURL("http://127.0.0.1:8080/"))
        return switch (file as NSString).pathExtension {
        case "json": JSONListing.read(content, at: url)
        case "xml": MultistatusListing.read(content, at: url)
        default: IndexPage.read(content, at: url)
        }
    }

    /// Names, those of folders with a `/`, and bytes.
    private static func tree() throws -> [String: Int64?] {
        try JSONDecoder().decode([String: Int64?].self, from: Data(try bytes("tree.json")))
    }

    @Test(arguments: recorded) func readsWhatServersList(_ recorded: Recorded) throws {
        let page = try #require(try Self.read(recorded.file))
        #expect(page.refused.isEmpty && page.refusedCount == 0 && !page.isTruncated && page.next == nil)
        let expected = try Self.tree().filter { recorded.listsHidden || $0.key.utf8.first != UInt8(ascii: ".") }
        #expect(page.entries.count == expected.count)
        for entry in page.entries {
            let isFolder = expected.keys.contains(entry.name + "/")
            let kind: ListingEntry.Kind = !recorded.marksFolders ? .unknown : isFolder ? .folder : .file
            #expect(entry.kind == kind, "\(entry.name)")
            let bytes = try #require(expected[isFolder ? entry.name + "/" : entry.name], "\(entry.name)")
            expect(entry, has: bytes, as: recorded.sizes)
            let date: Int64? = recorded.precision.map { $0 == .minute ? 1_714_979_280 : 1_714_979_289 }
            #expect(entry.modified == date, "\(entry.name)")
            if let precision = recorded.precision { #expect(entry.precision == precision, "\(entry.name)") }
        }
        #expect(page.entries == ListingPage.sorted(page.entries))
    }

    private func expect(_ entry: ListingEntry, has bytes: Int64?, as exactness: Exactness) {
        switch (exactness, bytes) {
        case (.none, _), (_, nil): #expect(entry.size == nil, "\(entry.name)")
        case (.exact, let bytes?): #expect(entry.size == bytes && entry.isSizeExact, "\(entry.name)")
        case (.rounded, let bytes?):
            guard let size = entry.size else {
                Issue.record("\(entry.name) has no size")
                return
            }
            #expect(abs(size - bytes) <= max(104, bytes / 16), "\(entry.name): \(size), not \(bytes)")
            #expect(entry.isSizeExact == (size == bytes) || size == bytes, "\(entry.name)")
        }
    }

    @Test func readsFoldersOfAStore() throws {
        let page = try #require(StoreListing.read(try Self.bytes("moto.xml"), prefix: "in/"))
        #expect(
            page.entries.map { $0.name + ($0.kind == .folder ? "/" : "") } == [
                "100%.txt", "a b&c/", "a<b.txt", "file2", "file10", "folder/", "plain.txt", "plus+sign.txt",
                "写真 夏.jpg",
            ])
        #expect(page.next == nil && !page.isTruncated && page.refused.isEmpty)
        let file = try #require(page.entries.first { $0.name == "plain.txt" })
        #expect(file.size == 0 && file.etag == "\"d41d8cd98f00b204e9800998ecf8427e\"" && file.modified != nil)
    }

    @Test func readsTreesOfAStore() throws {
        let page = try #require(StoreListing.read(try Self.bytes("moto-deep.xml"), prefix: "in/"))
        #expect(page.entries.contains { $0.name == "a b&c/deep.txt" && $0.kind == .file })
        // The marker of a folder, and a key that no path can have.
        #expect(page.entries.contains { $0.name == "folder" && $0.kind == .folder })
        #expect(page.refused == [RefusedName("folder//odd", .empty)])
        let part = try #require(StoreListing.read(try Self.bytes("moto-part.xml"), prefix: "in/"))
        #expect(part.next?.isEmpty == false && !part.isTruncated)
    }

    @Test func readsDufs() throws {
        let page = try #require(try Self.read("dufs.json"))
        #expect(page.entries.map(\.name) == ["100%.txt", "link", "写真"])
        #expect(page.entries.map(\.kind) == [.file, .folder, .folder])
        #expect(page.entries.map(\.size) == [1024, nil, nil])
        #expect(page.entries.allSatisfy { $0.modified == 1_714_979_289 })
    }
}
