// SPDX-License-Identifier: MIT

import ArgumentParser
import HTTPTypes
import Synchronization
import Testing
import TransferModel
import TransferTesting

@testable import fileq

/// `put --share`: what the server is asked for, and what its responses mean.
@Suite struct ShareLinksTests {
    private func options(_ words: String...) throws -> ShareRequest? {
        try ShareOptions.parse(words).request()
    }

    private func links(_ answer: Result<HTTPResponse, TransferError>) -> ShareLinks {
        ShareLinks(wanted: ShareRequest(target: "", downloads: 3), writesJSON: false) { _ in answer }
    }

    private func upload(_ url: String, location: String? = nil) throws -> (Transfer, Spec) {
        var spec = Spec(
            url: try TransferURL(url), operation: .upload(Upload(source: .file(path: "/f"), resumption: .auto)))
        spec.options.headers = [
            HTTPField(name: .authorization, value: "Bearer t"), HTTPField(name: .ifNoneMatch, value: "*"),
        ]
        var transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .upload, url: url, file: "/f", status: .queued())
        transfer.location = location
        return (transfer, spec)
    }

    @Test func optionsAreChecked() throws {
        #expect(try options() == nil)
        #expect(try options("--share") == ShareRequest(target: ""))
        let full = try options("--share", "--share-expires", "7d", "--share-downloads", "2")
        #expect(full == ShareRequest(target: "", lifetime: 604_800, downloads: 2))
        for (text, seconds): (String, Int64?) in [
            ("90s", 90), ("30m", 1800), ("12h", 43_200), ("7", nil), ("d", nil), ("-1d", nil), ("1w", nil), ("", nil),
            ("99999999999999999999d", nil), ("9223372036854775807d", nil),
        ] { #expect(ShareOptions.seconds(text) == seconds, "\(text)") }
        for words in [
            ["--share-expires", "7d"], ["--share-downloads", "1"], ["--share-password-file", "/f"],
            ["--share", "--share-expires", "0s"], ["--share", "--share-expires", "9999d"],
            ["--qr"], ["--share", "--share-downloads", "0"], ["--share", "--share-password-file", "/missing/file"],
        ] {
            let error = #expect(throws: TransferError.self) { try ShareOptions.parse(words).request() }
            #expect(error?.code == .usage, "\(words)")
        }
    }

    @Test func aLinkIsAnEvent() throws {
        let (transfer, _) = try upload("http://h/in/a")
        let link = try TransferURL("http://h/files/share/1")
        let removal = try TransferURL("http://h/files/share/1?key=0a")
        func line() -> String {
            ShareLinks(wanted: ShareRequest(target: ""), writesJSON: true) { _ in
                .success(HTTPResponse(status: .created))
            }.line(.init(link: link, removal: removal), transfer, at: 1.5)
        }
        #expect(
            line()
                == #"{"time":"1970-01-01T00:00:01.500Z","event":"shared","id":1,"url":"http://h/in/a","#
                + #""file":"/f","link":"http://h/files/share/1","removal":"http://h/files/share/1?key=0a"}"#)
    }

    @Test func theFileIsNamedByItsServer() throws {
        let answer = Result<HTTPResponse, TransferError>.success(HTTPResponse(status: .created))
        for (url, location, target) in [
            ("http://h/in/a%20b.txt", nil, "/in/a%20b.txt"),
            ("http://h/upload?x=1", "/files/1/%E5%A4%8F", "/files/1/%E5%A4%8F"),
            ("http://h/in/a", "http://h/in/b", "/in/b"),
        ] as [(String, String?, String)] {
            let (transfer, spec) = try upload(url, location: location)
            let request = try #require(try links(answer).requests(for: transfer, spec).first)
            #expect(request.url.string == "http://h/files/share" && request.method == .post)
            let fields = request.options.headers
            #expect(fields.first { $0.name == .shareTarget }?.value == target)
            #expect(fields.first { $0.name == .shareLimit }?.value == "downloads=3")
            #expect(fields.contains { $0.name == .authorization } && !fields.contains { $0.name == .ifNoneMatch })
        }
        let (transfer, spec) = try upload("http://h/a", location: "http://other/a")
        #expect(throws: TransferError.self) { try links(answer).requests(for: transfer, spec) }
    }

    /// A proxy may have the server below a path of its own.
    @Test func theServerMayBeBelowAPath() async throws {
        let (transfer, spec) = try upload("http://h/up/in/a%20b", location: "http://h/up/in/c%20d")
        let asked = Mutex<[String]>([])
        let links = ShareLinks(wanted: ShareRequest(target: "/"), writesJSON: false) { request in
            let target = request.options.headers.first { $0.name == .shareTarget }?.value
            asked.withLock { $0.append("\(request.url.path) \(target ?? "")") }
            guard request.url.path.hasPrefix("/up/files") else { return .success(HTTPResponse(status: .notFound)) }
            return .success(HTTPResponse(status: .created, headerFields: [.location: "../files/share/1"]))
        }
        #expect(try await links.link(to: transfer, spec).link.string == "http://h/up/files/share/1")
        #expect(asked.withLock { $0 } == ["/files/share /up/in/c%20d", "/up/files/share /in/c%20d"])
    }

    /// Without a link, the first response is the one that explains it, unless a later one is of such a server.
    @Test(arguments: [
        ([404, 400], 404), ([405, 404, 405], 405), ([501, 404, 405], 501), ([404, 503], 503), ([404, 401], 401),
        ([400], 400),
    ])
    func theErrorIsThatOfTheServer(_ codes: [Int], _ reported: Int) async throws {
        let (transfer, spec) = try upload("http://h/a/b/c")
        let left = Mutex(codes)
        let links = ShareLinks(wanted: ShareRequest(target: "/"), writesJSON: false) { _ in
            .success(HTTPResponse(status: .init(code: left.withLock { $0.removeFirst() })))
        }
        let error = await #expect(throws: TransferError.self) { try await links.link(to: transfer, spec) }
        #expect(error?.fields.status == reported)
        #expect(left.withLock { $0.isEmpty })
    }

    @Test(
        arguments: [
            (201, "/files/share/1", "http://h/files/share/1", nil), (201, nil, nil, "returned 201"),
            (201, "http://other/1", nil, "another server"), (404, nil, nil, "only 'fileq serve' makes links"),
            (401, nil, nil, "returned 401"), (503, nil, nil, "returned 503"), (201, "", nil, "returned 201"),
            (201, "javascript:x", nil, "another server"),
        ] as [(Int, String?, String?, String?)])
    func responses(_ status: Int, _ location: String?, _ link: String?, _ words: String?) async throws {
        var head = HTTPResponse(status: .init(code: status))
        head.headerFields[.location] = location
        let (transfer, spec) = try upload("http://h/a")
        do throws(TransferError) {
            let made = try await links(.success(head)).link(to: transfer, spec)
            #expect(made.link.string == link && made.removal == nil)
        } catch {
            #expect(link == nil && error.message.contains(words ?? ""), "\(error)")
        }
    }

    /// The link alone does not contain the key.
    @Test(arguments: [("0af9", "http://h/files/share/1?key=0af9"), ("a&b", nil), ("\u{1B}[2J", nil), (nil, nil)])
    func theMakerGetsAKey(_ key: String?, _ removal: String?) async throws {
        var head = HTTPResponse(status: .created)
        head.headerFields[.location] = "/files/share/1"
        head.headerFields[.shareKey] = key
        let (transfer, spec) = try upload("http://h/a")
        let made = try await links(.success(head)).link(to: transfer, spec)
        #expect(made.removal?.string == removal && made.link.string == "http://h/files/share/1")
    }

    @Test func aFolderThatWasGivenHasALink() async throws {
        var links = links(.success(HTTPResponse(status: .created)))
        (links.base, links.folders) = ("/in%20box/", ["a b", "c"])
        for (path, folder) in [
            ("/in%20box/a%20b/x", "/in%20box/a%20b/"), ("/in%20box/a%20b/c/x", "/in%20box/a%20b/"),
            ("/in%20box/c/x", "/in%20box/c/"), ("/in%20box/c", nil), ("/in%20box/d/x", nil), ("/c/x", nil),
        ] as [(String, String?)] { #expect(links.folder(of: path) == folder, "\(path)") }
        let (transfer, spec) = try upload("http://h/in%20box/c/x")
        let targets = try links.requests(for: transfer, spec, folder: "/in%20box/c/").map { request in
            request.options.headers.first { $0.name == .shareTarget }?.value
        }
        #expect(targets == ["/in%20box/c/", "/c/"])
        links.folders = []
        #expect(links.folder(of: "/in%20box/c/x") == nil)
    }
}
