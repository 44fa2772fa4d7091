// SPDX-License-Identifier: MIT

import ArgumentParser
import HTTPTypes
import Listings
import Synchronization
import Testing
import TransferModel
import TransferService

@testable import fileq

@Suite struct ListingRunTests {
    private final class Log: Sendable {
        private let text = Mutex("")
        var lines: [String] { text.withLock { $0.split(separator: "\n").map(String.init) } }
        var output: FileOutput { FileOutput { [self] piece in add(piece) } }

        func add(_ piece: String) { text.withLock { $0 += piece } }
    }

    private struct Outcome {
        var lines: [String]
        var reports: [String]
        var requests: [String]
        /// `nil`: the folder itself failed.
        var status: Int32?
        var error: TransferError?
    }

    private static func plan(_ words: [String], _ variables: [String: String] = [:]) throws -> ListingPlan {
        let surroundings = Listener().surroundings(environment: variables.merging(["HOME": "/nowhere"]) { $1 })
        return try LsCommand.parse(words).plan(surroundings)
    }

    /// - Parameter pages: the content of each path: of an index page, of JSON, or a status.
    private static func run(_ words: [String], _ pages: [String: String]) async throws -> Outcome {
        let command = try LsCommand.parse(words)
        let (written, reports, requests) = (Log(), Log(), Log())
        let lines = ListingLines(
            isLong: command.long, isJSON: command.json, hasPaths: command.recursive, isTerminal: false,
            localTime: .utc)
        var run = ListingRun(
            try plan(words), lines, ResultOutput(written.output),
            report: { reports.add($0 + "\n") }
        ) { request, _ async throws(TransferError) in
            requests.add(request.url.path + "\n")
            let content = pages[request.url.path] ?? "404"
            var head = HTTPResponse(status: .init(code: Int(content) ?? 200))
            head.headerFields[.contentType] = content.utf8.first == UInt8(ascii: "[") ? "application/json" : "text/html"
            return ListingRequests.Response(request.url, head, Array(content.utf8))
        }
        var (status, error): (Int32?, TransferError?) = (nil, nil)
        do { status = try await run.run() } catch let failure as TransferError { error = failure }
        return Outcome(
            lines: written.lines, reports: reports.lines, requests: requests.lines, status: status, error: error)
    }

    private static func index(_ rows: String...) -> String {
        "<title>Index of /</title><a href=\"../\">../</a><pre>" + rows.joined(separator: "\n") + "</pre>"
    }

    private static let url = "http://host.test/pub/"

    @Test func printsNamesAsNumbersSort() async throws {
        let page = Self.index("<a href='b/'>b</a>", "<a href='file10'>x</a>", "<a href='file2'>x</a>", "<a href='%09'>")
        let outcome = try await Self.run([Self.url], ["/pub/": page])
        #expect(outcome.lines == ["b/", "file2", "file10"])
        #expect(outcome.status == 23 && outcome.reports == [#"'\t' is left out: it contains a control character"#])
        #expect(outcome.requests == ["/pub/"])
    }

    @Test func longLinesHaveSizeAndTime() async throws {
        let page = Self.index(
            "<a href='a'>a</a> 06-May-2024 07:08  10000", "<a href='b'>b</a> 2024-05-06 07:08:09 9.8K",
            "<a href='c/'>c</a> 06-May-2024 07:08 -", "<a href='d'>d</a>")
        let outcome = try await Self.run(["-l", Self.url], ["/pub/": page])
        let blanks = String(repeating: " ", count: 20)
        let expected = [
            " 10000  2024-05-06 07:08     a", "~9.80K  2024-05-06 07:08:09  b", "     -  2024-05-06 07:08     c/",
            "     -  -\(blanks)d",
        ]
        #expect(outcome.lines == expected)
        #expect(outcome.status == 0)
    }

    @Test func objectsHaveWhatIsKnown() async throws {
        let page =
            #"[{"name":"a b","type":"file","size":5,"mtime":"Mon, 06 May 2024 07:08:09 GMT"},"#
            + #"{"name":"c","type":"directory"}]"#
        let outcome = try await Self.run(["--json", Self.url], ["/pub/": page])
        #expect(
            outcome.lines == [
                #"{"name":"a b","kind":"file","size":5,"modified":"2024-05-06T07:08:09.000Z","#
                    + #""url":"http://host.test/pub/a%20b"}"#,
                #"{"name":"c","kind":"folder","url":"http://host.test/pub/c/"}"#,
            ])
        let tree = try await Self.run(
            ["-R", "--json", Self.url], ["/pub/": page, "/pub/c/": Self.index("<a href=d>")])
        #expect(tree.lines.last?.contains(#""name":"d","path":"c/d","kind":"file""#) == true)
    }

    @Test func treesAreListedFolderByFolder() async throws {
        let pages = [
            "/pub/": Self.index("<a href='b/'>", "<a href='a/'>", "<a href='z'>"),
            "/pub/a/": Self.index("<a href='c/'>"),
            "/pub/a/c/": Self.index("<a href='d'>"), "/pub/b/": Self.index(),
        ]
        let outcome = try await Self.run(["-R", Self.url], pages)
        #expect(outcome.lines == ["a/", "b/", "z", "a/c/", "a/c/d"])
        #expect(outcome.requests == ["/pub/", "/pub/a/", "/pub/a/c/", "/pub/b/"] && outcome.status == 0)
        let level = try await Self.run(["-R", "--depth", "2", Self.url], pages)
        #expect(level.lines == ["a/", "b/", "z", "a/c/"] && level.status == 0)
    }

    @Test func foldersThatFailAreReportedAndTheOthersListed() async throws {
        let outcome = try await Self.run(
            ["-R", Self.url],
            [
                "/pub/": Self.index("<a href='a/'>", "<a href='b/'>"), "/pub/a/": "403",
                "/pub/b/": Self.index("<a href='c'>"),
            ])
        #expect(outcome.lines == ["a/", "b/", "b/c"] && outcome.status == 22)
        #expect(outcome.reports.count == 1 && outcome.reports[0].hasPrefix("a/: "))
    }

    @Test func loopsEnd() async throws {
        let page = Self.index("<a href='up/'>u</a> 06-May-2024 07:08 -", "<a href='x'>x</a> 06-May-2024 07:08 1")
        let outcome = try await Self.run(["-R", Self.url], ["/pub/": page, "/pub/up/": page])
        #expect(outcome.lines == ["up/", "x", "up/up/", "up/x"] && outcome.status == 1)
        #expect(outcome.reports == ["up/: lists the same as a folder above; the loop is not entered"])
        let endless = Dictionary(
            uniqueKeysWithValues: (0...40).map { level in
                (
                    "/pub/" + String(repeating: "d/", count: level),
                    Self.index("<a href='d/'>d</a>", "<a href='\(level)'>")
                )
            })
        let deep = try await Self.run(["-R", Self.url], endless)
        #expect(deep.requests.count == 32 && deep.status == 1)
    }

    @Test func aPageThatIsNoListingIsSaidToBeNone() async throws {
        let outcome = try await Self.run([Self.url], ["/pub/": "<p>Welcome</p>"])
        #expect(outcome.error?.code == .httpStatus && outcome.status == nil && outcome.lines.isEmpty)
        #expect(
            outcome.error?.message
                == "http://host.test/pub/: is no listing of a folder; 'fileq get' downloads it")
        let refused = try await Self.run([Self.url], ["/pub/": "403"])
        #expect(refused.error?.fields.status == 403)
    }

    // MARK: Plans

    @Test func optionsAreChecked() throws {
        for words in [["--depth", "2", Self.url], ["-R", "--depth", "0", Self.url], ["-X", "PUT", Self.url]] {
            #expect(throws: TransferError.self) { try Self.plan(words) }
        }
        #expect(throws: TransferError.self) { try Self.plan(["ftp://host.test/"]) }
        #expect(try Self.plan([Self.url]).levels == 1 && Self.plan(["-R", Self.url]).levels == 32)
    }

    @Test func storesAreListedByTheirPrefix() throws {
        let keys = [
            "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "planted",
            "AWS_ENDPOINT_URL": "http://127.0.0.1:9000",
        ]
        for (address, prefix) in [
            ("s3://bucket", ""), ("s3://bucket/", ""), ("s3://bucket/a b", "a b/"), ("s3://bucket/a/b/", "a/b/"),
        ] {
            let plan = try Self.plan([address], keys)
            #expect(plan.url.string == "http://127.0.0.1:9000/bucket/" && plan.bucket?.prefix == prefix)
            #expect(plan.start.form == .store(prefix: prefix, isDeep: false))
            #expect(plan.signature?.credential.accessKey == "AKID")
        }
        #expect(try Self.plan(["-R", "s3://bucket/"], keys).start.form == .store(prefix: "", isDeep: true))
        #expect(throws: TransferError.self) { try Self.plan(["s3://bucket/"]) }
    }
}
