// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@testable import Listings

/// Which requests follow which responses.
@Suite struct ListingRequestsTests {
    private static let index = "<title>Index of /pub/</title><a href=\"x\">x</a>"
    private static let members = """
        <D:multistatus xmlns:D="DAV:"><D:response><D:href>/pub/</D:href><D:propstat><D:prop><D:resourcetype>
        <D:collection/></D:resourcetype></D:prop></D:propstat></D:response><D:response><D:href>/pub/x</D:href>
        </D:response></D:multistatus>
        """

    /// A response, as `STATUS TYPE`, with the field `DAV` if it says so.
    struct Reply: Sendable {
        var status: Int
        var type: String?
        var content = ""
        var isWebDAV = false
        /// After a redirect.
        var url: String?

        init(_ status: Int, _ type: String? = nil, _ content: String = "", dav: Bool = false, at url: String? = nil) {
            (self.status, self.type, self.content, isWebDAV, self.url) = (status, type, content, dav, url)
        }
    }

    struct Course: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var url = "http://h/pub/"
        var form = ListingRequests.Form.page
        var replies: [Reply]
        /// The requests, and what came of them.
        var expected: [String]

        init(
            _ name: String, at url: String = "http://h/pub/", form: ListingRequests.Form = .page, _ replies: [Reply],
            _ expected: [String]
        ) {
            (testDescription, self.url, self.form) = (name, url, form)
            (self.replies, self.expected) = (replies, expected)
        }
    }

    private static let page = Reply(200, "text/html; charset=utf-8", index)
    private static let other = Reply(200, "text/html", "<p>Welcome</p>")

    static let courses: [Course] = [
        Course("an index page", [page], ["GET /pub/", "1 name"]),
        Course("JSON", [Reply(200, "application/json", "[]")], ["GET /pub/", "0 names"]),
        Course(
            "a redirect that adds a slash", at: "http://h/pub", [Reply(200, "text/html", index, at: "http://h/pub/")],
            ["GET /pub", "1 name"]),
        Course(
            "a folder that needs the slash", at: "http://h/pub", [Reply(404), page],
            ["GET /pub", "GET /pub/", "1 name"]),
        Course(
            "a page without slash that is one with it", at: "http://h/pub", [page, page],
            ["GET /pub", "GET /pub/", "1 name"]),
        Course(
            "a file", at: "http://h/a.iso", [Reply(200, "application/octet-stream")], ["GET /a.iso", "not a listing"]),
        Course(
            "a page that is none", at: "http://h/a.html", [other, Reply(404), Reply(405)],
            ["GET /a.html", "GET /a.html/", "OPTIONS /a.html/", "not a listing"]),
        Course("a page at a folder", [other, Reply(200)], ["GET /pub/", "OPTIONS /pub/", "not a listing"]),
        Course(
            "WebDAV that says so at once", [Reply(200, "text/html", "hi", dav: true), Reply(207, "text/xml", members)],
            ["GET /pub/", "PROPFIND /pub/", "1 name"]),
        Course(
            "WebDAV with pages", [Reply(200, "text/html", index, dav: true), Reply(207, "text/xml", members)],
            ["GET /pub/", "PROPFIND /pub/", "1 name"]),
        Course(
            "pages with a PROPFIND that is refused", [Reply(200, "text/html", index, dav: true), Reply(403)],
            ["GET /pub/", "PROPFIND /pub/", "1 name"]),
        Course(
            "WebDAV that refuses GET", [Reply(405), Reply(200, dav: true), Reply(207, "text/xml", members)],
            ["GET /pub/", "OPTIONS /pub/", "PROPFIND /pub/", "1 name"]),
        Course("neither", [Reply(403), Reply(200)], ["GET /pub/", "OPTIONS /pub/", "refused 403"]),
        Course("a login", [Reply(401)], ["GET /pub/", "refused 401"]),
        Course("a server that fails", [Reply(503)], ["GET /pub/", "refused 503"]),
        Course(
            "a folder below one of WebDAV", form: .webDAV, [Reply(207, "text/xml", members)],
            ["PROPFIND /pub/", "1 name"]),
        Course("a folder that went", form: .webDAV, [Reply(404)], ["PROPFIND /pub/", "refused 404"]),
        Course(
            "a file of WebDAV", form: .webDAV, [Reply(207, "text/xml", "<x/>")], ["PROPFIND /pub/", "not a listing"]),
        Course(
            "pages of a store", at: "http://h/bucket/", form: .store(prefix: "a b/", isDeep: false),
            [
                Reply(
                    200, "application/xml",
                    "<ListBucketResult><Contents><Key>a b/x</Key></Contents><IsTruncated>true</IsTruncated>"
                        + "<NextContinuationToken>t/1=</NextContinuationToken></ListBucketResult>"),
                Reply(200, "application/xml", "<ListBucketResult></ListBucketResult>"),
            ],
            [
                "GET /bucket/?list-type=2&encoding-type=url&prefix=a%20b%2F&delimiter=%2F", "1 name",
                "GET /bucket/?list-type=2&encoding-type=url&prefix=a%20b%2F&delimiter=%2F&continuation-token=t%2F1%3D",
                "0 names",
            ]),
        Course(
            "a store without access", at: "http://h/bucket/", form: .store(prefix: "", isDeep: true), [Reply(403)],
            ["GET /bucket/?list-type=2&encoding-type=url&prefix=", "refused 403"]),
    ]

    @Test(arguments: courses) func asksInOrder(_ course: Course) throws {
        var requests = ListingRequests(try TransferURL(course.url), course.form)
        var replies = course.replies[...]
        var log: [String] = []
        var next: ListingRequests.Request? = requests.first
        while let request = next {
            log.append("\(request.method.rawValue) \(request.url.target)")
            next = nil
            let answer = replies.popFirst()
            let reply = try #require(answer, "\(log)")
            var head = HTTPResponse(status: .init(code: reply.status))
            head.headerFields[.contentType] = reply.type
            if reply.isWebDAV { head.headerFields[try #require(HTTPField.Name("dav"))] = "1,2" }
            let url = try reply.url.map { try TransferURL($0) } ?? request.url
            switch requests.received(.init(url, head, Array(reply.content.utf8))) {
            case .send(let following): next = following
            case .page(let page, let following):
                log.append("\(page.entries.count) name\(page.entries.count == 1 ? "" : "s")")
                next = following
            case .end(.notAListing): log.append("not a listing")
            case .end(.refused(let response)): log.append("refused \(response.head.status.code)")
            }
        }
        #expect(log == course.expected)
        #expect(replies.isEmpty)
    }

    @Test func asksForPropertiesByNameAndForDepthOne() throws {
        let request = ListingRequests(try TransferURL("http://h/pub/"), .webDAV).first
        #expect(request.fields[try #require(HTTPField.Name("depth"))] == "1")
        let content = String(decoding: try #require(request.content), as: UTF8.self)
        #expect(content.contains("<D:getcontentlength/>") && !content.contains("allprop"))
    }

    @Test func foldersHaveNoQueryAndASlash() throws {
        var requests = ListingRequests(try TransferURL("http://h/a/index?ls"))
        var head = HTTPResponse(status: .ok)
        head.headerFields[.contentType] = "application/json"
        let url = requests.folder
        guard case .page = requests.received(.init(url, head, Array("[]".utf8))) else {
            Issue.record("no page")
            return
        }
        #expect(requests.folder.string == "http://h/a/")
        #expect(ListingRequests.asFolder(try TransferURL("http://h/a/b?c")).string == "http://h/a/b/")
    }

    @Test func readsOnlyWhatMayBeAListing() {
        func reads(_ status: Int, _ type: String?) -> Bool {
            var head = HTTPResponse(status: .init(code: status))
            head.headerFields[.contentType] = type
            return ListingRequests.readsContent(of: head)
        }
        #expect(reads(200, "Text/HTML ; charset=utf-8") && reads(200, "application/xml") && reads(207, nil))
        #expect(!reads(200, "application/octet-stream") && !reads(200, nil))
        #expect(reads(404, "application/octet-stream"))
    }
}
