// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import fileq

@Suite struct ChecksumListTests {
    private static let a = String(repeating: "a1", count: 32)
    private static let b = String(repeating: "b2", count: 32)
    private static let long = String(repeating: "c3", count: 64)
    private static let sha1 = String(repeating: "d4", count: 20)
    private static let md5 = String(repeating: "e5", count: 16)

    private func sum(_ text: String, _ url: String = "http://h/pub/disk.iso", _ local: String? = nil) throws -> String {
        try ChecksumList(parsing: text, named: "SUMS").checksum(for: TransferURL(url), savedAs: local).description
    }

    @Test(arguments: [
        ("\(a)  disk.iso\n", "sha256:\(a)"), ("\(a) *disk.iso\r\n", "sha256:\(a)"),
        ("\(a.uppercased())  ./disk.iso", "sha256:\(a)"), ("\u{FEFF}\(a)  disk.iso\n", "sha256:\(a)"),
        ("\u{FEFF}SHA256 (disk.iso) = \(a)\n", "sha256:\(a)"),
        ("# comment\n\n\(b)  other.iso\n\(a)  disk.iso\n", "sha256:\(a)"),
        ("SHA256 (disk.iso) = \(a)\n", "sha256:\(a)"),
        ("SHA512 (disk.iso) = \(long)\n", "sha512:\(long)"), ("\(long)  disk.iso\n", "sha512:\(long)"),
        ("\(sha1)  disk.iso\n", "sha1:\(sha1)"), ("MD5 (disk.iso) = \(md5)\n", "md5:\(md5)"),
        ("\(md5)  disk.iso", "md5:\(md5)"),
        ("SHA256(disk.iso)= \(a)\n", "sha256:\(a)"), ("SHA2-512(disk.iso)= \(long)\n", "sha512:\(long)"),
        // Without a name.
        ("\(a)\n", "sha256:\(a)"), (a, "sha256:\(a)"), ("\(a)  -\n", "sha256:\(a)"),
        ("\(md5)\n\(a)\n", "sha256:\(a)"), ("\(b)\n\(a)  disk.iso\n", "sha256:\(a)"),
        // The strongest.
        ("\(md5)  disk.iso\n\(a)  disk.iso\n\(sha1)  disk.iso\n", "sha256:\(a)"),
        // The longest path that fits.
        ("\(b)  old/disk.iso\n\(a)  pub/disk.iso\n", "sha256:\(a)"), ("\(a)  somewhere/else/disk.iso\n", "sha256:\(a)"),
        (
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n\(a)  disk.iso\n-----BEGIN PGP SIGNATURE-----\nabc\n",
            "sha256:\(a)"
        ),
    ]) func parsesListFormats(text: String, expected: String) throws {
        #expect(try sum(text) == expected)
    }

    @Test func prefersTheNameInTheURL() throws {
        #expect(try sum("\(Self.a)  a b.iso\n", "http://h/a%20b.iso?x=1") == "sha256:\(Self.a)")
        #expect(try sum("\\\(Self.a)  a\\\\b\\nc\n", "http://h/a%5Cb%0Ac") == "sha256:\(Self.a)")
        #expect(try sum("\(Self.a)  mine.iso\n", "http://h/latest", "mine.iso") == "sha256:\(Self.a)")
        #expect(
            try sum("\(Self.b)  mine.iso\n\(Self.a)  disk.iso\n", "http://h/disk.iso", "mine.iso") == "sha256:\(Self.a)"
        )
        #expect(try sum("SHA256 (a (1) = b.iso) = \(Self.a)\n", "http://h/a%20(1)%20=%20b.iso") == "sha256:\(Self.a)")
    }

    @Test(arguments: [
        ("", "contains no checksums"), ("hello\n", "contains no checksums"),
        ("\(a)  other.iso\n", "no checksum for 'disk.iso'"),
        ("\(a)  x/disk.iso\n\(b)  y/disk.iso\n", "different checksums"),
        ("\(a)\n\(b)\n", "different checksums for 'disk.iso'"),
        ("\(a.dropLast())  disk.iso\n", "contains no checksums"),
    ]) func reportsMismatches(text: String, part: String) {
        let error = #expect(throws: TransferError.self) { try sum(text) }
        #expect(error?.code == .usage && error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func linesThatAreNotUTF8AreIgnored() throws {
        let folder = try Folder()
        let text = "# é\r\n\(Self.b)  é\r\n\(Self.a)  a\nSHA256 (é) = \(Self.b)\n"
        // Latin-1.
        try folder.write(text.unicodeScalars.map { UInt8($0.value) }, to: Array("SUMS".utf8))
        let listener = Listener()
        let words = ["get", "--checksum-file", "\(folder.path)/SUMS", "http://h/a"]
        let made = try plan(words, listener.surroundings())
        #expect(try made.descriptions[0].requireDownload().checksum?.description == "sha256:\(Self.a)")
        #expect(listener.warnings.count == 1)
        #expect(
            listener.warnings.first?.hasPrefix("'\(folder.path)/SUMS', line 2 and 1 more: ignored: not UTF-8") == true,
            "\(listener.warnings)")
    }

    @Test func assignsChecksumsByName() throws {
        let folder = try Folder()
        let list = try folder.write("\(Self.a)  a\n\(Self.md5)  b\n", to: "SUMS")
        let listener = Listener()
        let made = try plan(["get", "--checksum-file", list, "http://h/a", "http://h/b"], listener.surroundings())
        let sums = made.descriptions.map { description -> String? in
            guard case .download(let download) = description.operation else { return nil }
            return download.checksum?.description
        }
        #expect(sums == ["sha256:\(Self.a)", "md5:\(Self.md5)"])
        #expect(listener.warnings.count == 1 && listener.warnings[0].contains("MD5"))
        for words in [["http://h/c"], ["http://h/a", "--checksum", "sha256:\(Self.a)"]] {
            let error = #expect(throws: TransferError.self) { try plan(["get", "--checksum-file", list] + words) }
            #expect(error?.code == .usage)
        }
    }
}
