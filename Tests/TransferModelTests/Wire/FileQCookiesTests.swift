// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct FileQCookiesTests {
    static let uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"

    @Test func theWholeFormat() throws {
        let cookies = FileQCookies(
            sid: "abc", upload: Self.uuid, name: "写真 1.jpg", size: 42, modified: 1_700_000_000,
            checksum: Checksum(algorithm: .sha256, bytes: Array(repeating: 0xab, count: 32)),
            metadata: [.init(name: "album", value: "夏; 2024"), .init(name: "題", value: "")])
        let field = try CookieHeader.print(cookies.cookies())
        #expect(
            field == "fileuploadSID=abc; fileq-upload=\(Self.uuid); fileq-name=%E5%86%99%E7%9C%9F%201.jpg; "
                + "fileq-size=42; fileq-mtime=1700000000; fileq-sha256=\(String(repeating: "ab", count: 32)); "
                + "fileq-meta-album=%E5%A4%8F%3B%202024; fileq-meta-%E9%A1%8C=")
        #expect(try FileQCookies(parsing: field) == cookies)
        #expect(try FileQCookies(parsing: "other=1; \(field); junk; theme=dark") == cookies)
    }

    @Test(arguments: [
        FileQCookies(sid: "a;b"), FileQCookies(sid: "a\nb"), FileQCookies(sid: "写"), FileQCookies(name: "a\nb"),
        FileQCookies(name: "a\u{85}b"), FileQCookies(name: String(repeating: "写", count: 500)),
        FileQCookies(metadata: [.init(name: "", value: "x")]),
        FileQCookies(metadata: [.init(name: "a\tb", value: "x")]),
        FileQCookies(metadata: [.init(name: "a", value: "x\u{1B}[0m")]),
        FileQCookies(metadata: [.init(name: "a", value: "x"), .init(name: "a", value: "y")]),
        FileQCookies(metadata: [.init(name: "a", value: String(repeating: "x", count: 4097))]),
        FileQCookies(metadata: (0..<3).map { .init(name: "m\($0)", value: String(repeating: "x", count: 3000)) }),
        FileQCookies(checksum: Checksum(algorithm: .sha512, bytes: Array(repeating: 0, count: 64))),
    ])
    func refusesToSend(cookies: FileQCookies) {
        let error = #expect(throws: TransferError.self) { try cookies.cookies() }
        #expect(error?.code == .usage)
        #expect(error.map { !$0.message.contains("\n") && $0.message.utf8.count < 200 } == true)
    }

    @Test(arguments: [
        "fileq-size=-1", "fileq-size=1x", "fileq-size=", "fileq-size=99999999999999999999", "fileq-upload=x",
        "fileq-upload=0f8fad5bd9cb469fa16570867728950e", "fileq-name=%", "fileq-name=%ff", "fileq-name=a%00b",
        "fileq-name=a%0Ab", "fileq-sha256=abcd", "fileq-mtime=soon", "fileq-meta-=x", "fileq-meta-a=%0d",
        "fileq-name=a; fileq-name=b", "fileuploadSID=a; fileuploadSID=a", "fileq-meta-a=1; fileq-meta-%61=2",
    ])
    func refusesToReceive(field: String) {
        #expect(throws: TransferError.self) { try FileQCookies(parsing: field) }
    }

    @Test func toleratesHarmlessErrors() throws {
        #expect(try FileQCookies(parsing: "").sid == nil)
        #expect(try FileQCookies(parsing: "fileq-later=x; fileq-name=\"a\" ;fileuploadSID = s").name == "a")
        #expect(try FileQCookies(parsing: "fileq-upload=\(Self.uuid.uppercased())").upload == Self.uuid)
        #expect(try FileQCookies(parsing: "fileq-mtime=-5").modified == -5)
    }

    @Test func cookieHeaderKeepsOrderAndBounds() throws {
        #expect(CookieHeader.parse("a=1; =x; b; c=d=e;; f=").map(\.name) == ["a", "c", "f"])
        #expect(CookieHeader.parse("c=d=e").first?.value == "d=e")
        let large = try (0..<3).map { try Cookie(name: "n\($0)", value: String(repeating: "v", count: 2800)) }
        #expect(throws: TransferError.self) { try CookieHeader.print(large) }
        #expect(try CookieHeader.print(Array(large.prefix(2))).utf8.count == 2 * 2803 + 2)
    }
}
