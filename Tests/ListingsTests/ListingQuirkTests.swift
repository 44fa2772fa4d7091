// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import Listings

/// What servers are known to do.
@Suite struct ListingQuirkTests {
    private func multistatus(_ responses: String, at url: String = "http://h/dav/a/") throws -> ListingPage? {
        let text = "<D:multistatus xmlns:D=\"DAV:\" xmlns:oc=\"http://owncloud.org/ns\">\(responses)</D:multistatus>"
        return MultistatusListing.read(Array(text.utf8), at: try TransferURL(url))
    }

    private func response(_ href: String, _ properties: String, status: String? = "HTTP/1.1 200 OK") -> String {
        let status = status.map { "<D:status>\($0)</D:status>" } ?? ""
        return "<D:response><D:href>\(href)</D:href><D:propstat><D:prop>\(properties)</D:prop>\(status)</D:propstat>"
            + "</D:response>"
    }

    private static let folder = "<D:resourcetype><D:collection/></D:resourcetype>"
    private static let file = "<D:resourcetype/><D:getcontentlength>7</D:getcontentlength>"

    @Test(arguments: ["/dav/a/x", "http://h/dav/a/x", "https://other.test:1/dav/a/x", "/%64av/a/x/", " /dav/a/x\n"])
    func hrefsAreOfTheFolder(_ href: String) throws {
        let page = try #require(try multistatus(response("/dav/a/", Self.folder) + response(href, Self.file)))
        #expect(page.entries == [ListingEntry("x", .file, size: 7)])
    }

    @Test(arguments: ["HTTP/1.1 200 OK", "HTTP/1.1 200", "HTTP/2 204", nil])
    func statesOfPropertiesMayBeShortOrMissing(_ status: String?) throws {
        let page = try #require(try multistatus(response("/dav/a/x", Self.file, status: status)))
        #expect(page.entries == [ListingEntry("x", .file, size: 7)])
    }

    @Test func propertiesThatAreMissingDoNotCount() throws {
        let missing =
            "<D:propstat><D:prop><D:getcontentlength>0</D:getcontentlength><D:getetag/></D:prop>"
            + "<D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>"
        let page = try #require(
            try multistatus(
                "<D:response><D:href>/dav/a/x</D:href>\(missing)<D:propstat><D:prop>\(Self.file)</D:prop>"
                    + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
                    + "<D:response><D:href>/dav/a/y</D:href><D:status>HTTP/1.1 403 Forbidden</D:status></D:response>"))
        #expect(page.entries == [ListingEntry("x", .file, size: 7)])
    }

    @Test func foldersAreMarkedInDifferentWays() throws {
        let page = try #require(
            try multistatus(
                response("/dav/a", Self.folder) + response("/dav/a/b", Self.folder) + response("/dav/a/c/", "")
                    + response("/dav/a/d", "<D:iscollection>1</D:iscollection>") + response("/dav/a/e/", Self.file)))
        #expect(page.entries.map(\.name) == ["b", "c", "d", "e"])
        #expect(page.entries.map(\.kind) == [.folder, .folder, .folder, .file])
    }

    @Test func digestsAndTagsAreRead() throws {
        let page = try #require(
            try multistatus(
                response(
                    "/dav/a/x",
                    Self.file + "<D:getetag>\"t\"</D:getetag><oc:checksums><oc:checksum>"
                        + "MD5:00112233445566778899aabbccddeeff SHA1:00112233445566778899aabbccddeeff00112233 ADLER32:0"
                        + "</oc:checksum></oc:checksums>")))
        #expect(page.entries.first?.etag == "\"t\"")
        #expect(page.entries.first?.digest?.description == "sha1:00112233445566778899aabbccddeeff00112233")
    }

    @Test func filesAndOtherDocumentsAreNoFolders() throws {
        #expect(try multistatus(response("/dav/a/", Self.file)) == nil)
        #expect(try multistatus(response("/elsewhere/x", Self.file)) == nil)
        #expect(try multistatus(response("/dav/a/", Self.folder))?.entries.isEmpty == true)
        for text in ["", "<x/>", "<!DOCTYPE x><multistatus xmlns=\"DAV:\"/>", "<multistatus xmlns=\"DAV:\">"] {
            #expect(MultistatusListing.read(Array(text.utf8), at: try TransferURL("http://h/")) == nil)
        }
    }

    @Test(arguments: [
        "Mon, 06 May 2024 07:08:09 GMT", "Mon, 06 May 2024 07:08:09 +0000", "Mon, 6 May 2024 07:08:09 GMT",
        "Mon May  6 07:08:09 2024", "Mon May  6 07:08:09 UTC 2024", "2024-05-06T07:08:09Z", "2024-05-06T07:08:09.123Z",
        "2024-05-06t09:08:09+02:00", "2024-05-06T00:38:09-06:30", " 2024-05-06T07:08:09Z ",
    ]) func datesAreReadInManyForms(_ text: String) { #expect(ListingDate.parse(text) == 1_714_979_289) }

    @Test(arguments: ["", "yesterday", "2024-05-06", "2024-13-06T07:08:09Z", "2024-05-06T07:08:09", "0"])
    func otherDatesAreUnknown(_ text: String) { #expect(ListingDate.parse(text) == nil) }

    @Test(
        arguments: [
            ("06-May-2024 07:08  10000", 10000, true), ("06-May-2024 07:08 -", nil, true),
            ("2024-05-06 07:08  9.8K  ", 10035, false), ("2024-05-06 121M Some 2024 file", 126_877_696, false),
            ("10,000 Bytes Mon, 06 May 2024 07:08:09 GMT", 10000, true), ("1 Byte 2024-05-06 07:08", 1, true),
            ("2024-May-06 07:08:09 1.5 GiB", 1_610_612_736, false), ("- 3 notes 2024-05-06 07:08", nil, true),
            ("5 comments", nil, true), ("2024-05-06 07:08 1e9999", nil, true),
            ("2024-05-06 99999999999999999999", nil, true),
        ] as [(String, Int64?, Bool)]) func columnsAreHints(_ text: String, _ size: Int64?, _ isExact: Bool)
    {
        var columns = IndexColumns()
        columns.read(Array(text.utf8)[...])
        #expect(columns.size == size && columns.isSizeExact == isExact)
    }

    @Test func pagesThatAreNoListings() throws {
        let url = try TransferURL("http://h/pub/")
        for text in [
            "", "<html><body>Welcome</body></html>", "<a href=\"../\">up</a>", "<a href=\"https://other.test/x\">x</a>",
            "<!-- <a href=\"x\"> -->", "<script>'<a href=\"x\">'</script>", "<base href=\"/q/\"><a href=\"x\">x</a>",
        ] {
            #expect(IndexPage.read(Array(text.utf8), at: url) == nil, "\(text)")
        }
        for text in ["{}", "[{}]", "[1]", #"[{"name":"x"}]"#, #"{"files":[{"name":"x","size":1}]}"#, "nonsense"] {
            #expect(JSONListing.read(Array(text.utf8), at: url) == nil, "\(text)")
        }
        for title in ["Index of /pub/", "/pub", "/pub/"] {
            let page = IndexPage.read(Array("<title>\(title)</title>".utf8), at: url)
            #expect(page?.entries.isEmpty == true, "\(title)")
        }
        #expect(IndexPage.read(Array("<title>/other</title>".utf8), at: url) == nil)
        #expect(JSONListing.read(Array("[]".utf8), at: url)?.entries.isEmpty == true)
    }

    @Test func longListsOfTheServerAreKnownToBeCut() throws {
        let text = #"{"entries":[{"name":"x","kind":"file","size":1,"modified":2}],"isTruncated":true}"#
        let page = try #require(JSONListing.read(Array(text.utf8), at: try TransferURL("http://h/")))
        #expect(page.isTruncated && page.entries == [ListingEntry("x", .file, size: 1, modified: 2)])
    }

    @Test func keysAreDecodedIfTheStoreSaysSo() throws {
        func read(_ content: String) -> ListingPage? {
            StoreListing.read(Array("<ListBucketResult>\(content)</ListBucketResult>".utf8), prefix: "p/")
        }
        let key = "<Contents><Key>p/a+%2B%41</Key><Size>1</Size></Contents>"
        #expect(read(key)?.entries.first?.name == "a+%2B%41")
        #expect(read(key + "<EncodingType>url</EncodingType>")?.entries.first?.name == "a +A")
        #expect(read("<Contents><Key>q/x</Key></Contents>")?.refused == [RefusedName("q/x", .outside)])
        #expect(read("<CommonPrefixes><Prefix>p//</Prefix></CommonPrefixes>")?.refused == [RefusedName("", .empty)])
        #expect(read("<IsTruncated>true</IsTruncated>")?.isTruncated == true)
    }
}
