// SPDX-License-Identifier: MIT

@testable import CurlTransport
import Testing

@Suite struct PlainHeadTests {
    private func head(
        _ lines: [String], isSecure: Bool = false, isOfUpload: Bool = false, knownPolicy: [UInt8]? = nil
    ) -> PlainHead {
        var head = PlainHead()
        head.begin(isSecure: isSecure, isOfUpload: isOfUpload, knownPolicy: knownPolicy)
        for line in lines { _ = Array((line + "\r\n").utf8).withUnsafeBytes { head.take($0) } }
        return head
    }

    @Test(
        arguments: [
            (["HTTP/1.1 200 OK", "Content-Length: 5", ""], .plain(length: 5)),
            (["HTTP/2 200", "content-length:  0  ", ""], .plain(length: 0)),
            (["HTTP/1.1 200", "Content-Length: 65536", "X: y", ""], .plain(length: 65_536)),
            (["HTTP/1.1 200 OK", "Content-Length: 5"], .incomplete),
            (["HTTP/1.1 200 OK", "Content-Length: 65537", ""], .other),
            (["HTTP/1.1 200 OK", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 5", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: +5", ""], .other),
            (["HTTP/1.1 200 OK", "Content\rLength: 5", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: 5\u{1}", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: chunked", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: 5", "CONTENT-ENCODING: gzip", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: 5", "Content-Disposition: attachment", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: 5", "Content-Type: text/xml", ""], .plain(length: 5)),
            (["HTTP/1.1 200 OK", "Content-Length: 5", "Content-Type: application/metalink4", ""], .plain(length: 5)),
            (["HTTP/1.1 200 OK", "Content-Length: 5", "content-type:Application/Metalink4+XML; x=y", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: 5", "Location: /x", "Location: /y", ""], .plain(length: 5)),
            (["HTTP/1.1 200 OK", "Content-Length: 5", " folded", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: 5", "no colon", ""], .other),
            (["HTTP/1.1 2000", "Content-Length: 5", ""], .other),
            (["http/1.1 200 OK", "Content-Length: 5", ""], .other),
            (["HTTP/1.1 206 Partial Content", "Content-Length: 5", ""], .other),
            (["HTTP/1.1 304 Not Modified", ""], .other),
            (["HTTP/1.1 103 Early Hints", "", "HTTP/1.1 200 OK", "Content-Length: 5", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: 5", "", "Trailer: x"], .other),
        ] as [([String], PlainHead.Verdict)]) func decidesWhoNeedsATask(_ lines: [String], _ verdict: PlainHead.Verdict)
    {
        #expect(head(lines).verdict == verdict)
    }

    @Test(
        arguments: [
            (["HTTP/1.1 201 Created", "Content-Length: 0", "Location: /x", ""], .plain(length: 0)),
            (["HTTP/1.1 201 Created", "Content-Length: 7", "Content-Encoding: gzip", ""], .plain(length: 7)),
            (
                ["HTTP/1.1 201 Created", "Content-Length: 0", "Content-Type: application/metalink4+xml", ""],
                .plain(length: 0)
            ),
            (["HTTP/1.1 201 Created", "Content-Length: 0", "Location: /x", "location: /y", ""], .other),
            (["HTTP/1.1 201 Created", "Content-Length: 0", "Location: /\u{e9}", ""], .other),
            (["HTTP/1.1 200 OK", "Content-Length: 65536", ""], .plain(length: 65_536)),
            (["HTTP/2 202", "content-length: 1", ""], .plain(length: 1)),
            (["HTTP/1.1 204 No Content", ""], .plain(length: 0)),
            (["HTTP/1.1 204 No Content", "Content-Length: 5", ""], .other),
            (["HTTP/1.1 201 Created", ""], .other),
            (["HTTP/1.1 201 Created", "Transfer-Encoding: chunked", ""], .other),
            (["HTTP/1.1 100 Continue", ""], .other),
            (["HTTP/1.1 206 Partial Content", "Content-Length: 0", ""], .other),
            (["HTTP/1.1 307 Temporary Redirect", "Content-Length: 0", ""], .other),
            (["HTTP/1.1 401 Unauthorized", "Content-Length: 0", ""], .other),
            (["HTTP/1.1 503 Service Unavailable", "Content-Length: 0", ""], .other),
        ] as [([String], PlainHead.Verdict)]) func decidesWhichUploadsNeedATask(
            _ lines: [String], _ verdict: PlainHead.Verdict
        )
    {
        #expect(head(lines, isOfUpload: true).verdict == verdict)
    }

    @Test func keepsTheHeadAsItCame() {
        let lines = ["HTTP/1.1 302 Found", "Location: /x", ""]
        #expect(head(lines).bytes == Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("soon", nil),
        ] as [(String, Int64?)]) func readsTheTime(_ text: String, _ seconds: Int64?)
    {
        let found = head(["HTTP/1.1 200 OK", "last-modified: \(text)", "Content-Length: 1", ""])
        #expect(found.modified == seconds)
        #expect(found.verdict == .plain(length: 1))
    }

    @Test func statesWhereAnUploadIs() {
        let lines = ["HTTP/1.1 201 Created", "LOCATION:  /files/1 ", "Content-Length: 0", ""]
        let created = head(lines, isOfUpload: true)
        #expect(created.location == "/files/1" && created.verdict == .plain(length: 0))
        #expect(head(lines).location == nil)
        var next = created
        next.begin(isSecure: false, isOfUpload: true)
        #expect(next.location == nil)
    }

    @Test func aPolicyOfTheServerIsNotedOnce() {
        let lines = ["HTTP/1.1 200 OK", "Content-Length: 1", "Strict-Transport-Security: max-age=9", ""]
        #expect(head(lines).verdict == .plain(length: 1))
        let first = head(lines, isSecure: true)
        #expect(first.verdict == .other)
        #expect(head(lines, isSecure: true, knownPolicy: first.newPolicy).verdict == .plain(length: 1))
        #expect(
            head(["HTTP/1.1 200 OK", "Alt-Svc: h3=\":1\"", "Content-Length: 1", ""], isSecure: true).verdict == .other)
    }

    @Test func tooManyLinesNeedATask() {
        let many = (0..<1001).map { "A: \($0)" }
        #expect(head(["HTTP/1.1 200 OK", "Content-Length: 1"] + many + [""]).verdict == .other)
    }

    @Test func aNewHeadForgetsTheOneBefore() {
        var head = head(["HTTP/1.1 404 Not Found", "Content-Length: 1", ""])
        head.begin(isSecure: false)
        for line in ["HTTP/1.1 200 OK", "Content-Length: 2", ""] {
            _ = Array((line + "\r\n").utf8).withUnsafeBytes { head.take($0) }
        }
        #expect(head.verdict == .plain(length: 2))
        #expect(head.modified == nil)
    }
}
