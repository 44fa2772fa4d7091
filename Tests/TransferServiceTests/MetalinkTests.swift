// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TransferService

@Suite struct MetalinkTests {
    private static let sum = String(repeating: "ab", count: 32)
    private static let address = "<url>http://h/a</url>"

    private static func document(_ content: String, head: String = #"<?xml version="1.0" encoding="UTF-8"?>"#) -> String
    {
        #"\#(head)<metalink xmlns="urn:ietf:params:xml:ns:metalink">\#(content)</metalink>"#
    }

    private static func read(_ text: String) throws -> Metalink { try Metalink(parsing: Array(text.utf8)) }

    private static func file(_ content: String, name: String = "a") -> String {
        document(#"<file name="\#(name)">\#(content)</file>"#)
    }

    /// The example of RFC 5854, section 1.1, with pieces.
    @Test func readsWhatADownloadNeeds() throws {
        let text = Self.document(
            """
              <published>2009-05-15T12:23:23Z</published>
              <file name="example.ext">
                <size>600</size>
                <identity>Example</identity>
                <hash type="md5">\(String(repeating: "00", count: 16))</hash>
                <hash type="sha-256">
                  \(Self.sum)
                </hash>
                <hash type="sha-512-of-the-future">00</hash>
                <pieces length="512" type="sha-1">
                  <hash>\(String(repeating: "01", count: 20))</hash>
                  <hash>\(String(repeating: "02", count: 20))</hash>
                </pieces>
                <url priority="7">http://late.test/example.ext</url>
                <url location="DE" priority="1">https://de.test/example.ext</url>
                <url>http://last.test/?a=1&amp;b=2</url>
                <url priority="0">http://odd.test/</url>
                <url priority="1">ftp://ftp.test/example.ext</url>
                <metaurl mediatype="torrent">http://h/example.torrent</metaurl>
              </file>
              <file name="名前.iso">\(Self.address)</file>
            """)
        let found = try Self.read(text)
        #expect(found.files.map(\.name) == ["example.ext", "名前.iso"])
        let file = found.files[0]
        #expect(file.size == 600)
        #expect(file.checksum?.description == "sha256:\(Self.sum)")
        #expect(file.pieces?.count == 2)
        #expect(file.pieces?.length == 512)
        #expect(file.pieces.map { Array($0[1]) } == Array(repeating: 2, count: 20))
        #expect(
            file.addresses.map(\.url.string) == [
                "https://de.test/example.ext", "http://late.test/example.ext", "http://last.test/?a=1&b=2",
                "http://odd.test/",
            ])
        #expect(file.addresses.map(\.priority) == [1, 7, nil, nil])
        #expect(file.addresses.map(\.location) == ["de", nil, nil, nil])
        #expect(found.notes == ["'example.ext' has an address that begins with 'ftp', which is left out"])
    }

    @Test(arguments: [
        ("a/b/c.iso", "c.iso"), ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), ("a&#x9;b", "a_b"),
        (".hidden", "_hidden"), ("-rf", "_-rf"), ("日本語 ファイル.txt", "日本語 ファイル.txt"),
        ("a.fileq-part", "a.fileq-part_"), ("a\u{202e}b", "ab"),
    ]) func namesAreSafe(_ name: String, _ expected: String) throws {
        #expect(try Self.read(Self.file(Self.address, name: name)).files.map(\.name) == [expected])
    }

    /// Files that cannot be used are left out; the others stay.
    @Test(arguments: [
        ("", "'' is not a name for a file; it is left out"),
        ("a/..", "'a/..' is not a name for a file; it is left out"),
    ]) func filesWithoutANameAreLeftOut(_ name: String, _ note: String) throws {
        let found = try Self.read(
            Self.document(#"<file name="\#(name)">\#(Self.address)</file><file name="b">\#(Self.address)</file>"#))
        #expect(found.files.map(\.name) == ["b"])
        #expect(found.notes == [note])
    }

    @Test func filesWithoutAnAddressAreLeftOut() throws {
        let found = try Self.read(
            Self.document(#"<file name="a"><url>rsync://h/a</url></file><file name="b">\#(Self.address)</file>"#))
        #expect(found.files.map(\.name) == ["b"])
        #expect(found.notes.count == 2)
    }

    @Test func digestsOfAnotherSizeAreLeftOut() throws {
        let digest = "<hash>\(Self.sum)</hash>"
        let found = try Self.read(
            Self.file("<size>1000</size><pieces type='sha-256' length='100'>\(digest)</pieces>\(Self.address)"))
        #expect(found.files[0].pieces == nil)
        #expect(found.notes.count == 1)
    }

    /// The file is downloaded, and nothing would say that it is not verified.
    @Test func otherDigestsAreReported() throws {
        let other = "<hash type='sha-384'>00</hash>"
        let note = "'a' has digests only of kinds that are not supported (sha-384): nothing verifies it"
        #expect(try Self.read(Self.file(other + Self.address)).notes == [note])
        let known = "<hash type='sha-256'>\(Self.sum)</hash>"
        #expect(try Self.read(Self.file(other + known + Self.address)).notes.isEmpty)
    }

    @Test func thePreferredAddressesCountOnceEach() throws {
        let repeated = (0..<200).map { _ in "<url priority='9'>http://h/</url>" }.joined()
        let others = (0..<80).map { "<url priority='2'>http://h\($0)/</url>" }.joined()
        let found = try Self.read(Self.file("\(repeated)\(others)<url priority='1'>http://best/</url>")).files[0]
        #expect(found.addresses.first?.url.string == "http://best/")
        #expect(found.addresses.count == FileMirror.maximumCount + 1)
        #expect(try Self.read(Self.file(repeated)).files[0].addresses.count == 1)
    }

    private static let (ones, twos) = (String(repeating: "01", count: 20), String(repeating: "02", count: 20))

    @Test func digestsMayBeRepeated() throws {
        let sha1 = "<hash type='sha-1'>\(Self.ones)</hash>"
        let sha256 = "<hash type='sha-256'>\(Self.sum)</hash>"
        let found = try Self.read(Self.file(sha1 + sha256 + sha1 + sha256 + Self.address))
        #expect(found.files[0].checksum?.algorithm == .sha256)
    }

    /// Of other namespaces nothing is read, and nothing in the wrong place.
    @Test func unknownElementsAreLeftOut() throws {
        let found = try Self.read(
            Self.file(
                """
                <x:url xmlns:x="urn:x">http://x.test/</x:url><a><url>http://y.test/</url><size>5</size></a>
                \(Self.address)
                """))
        #expect(found.files[0].addresses.map(\.url.string) == ["http://h/a"])
        #expect(found.files[0].size == nil)
    }

    @Test(arguments: [
        ("", "no element found"), ("nonsense", "syntax error"), ("<metalink/>", "not a Metalink 4 document"),
        ("<html/>", "not a Metalink 4 document"),
        // Metalink 3.
        (#"<metalink version="3.0" xmlns="http://www.metalinker.org/"/>"#, "not a Metalink 4 document"),
        (document(""), "describes no file"), (file(""), "has no http or https address"),
        ("<metalink xmlns='urn:ietf:params:xml:ns:metalink'><file>", "no element found"),
        (file("<size>-1</size>\(address)"), "'size' is no number"), (file("<size>+1</size>\(address)"), "'size'"),
        (file("<size>99999999999999999999</size>\(address)"), "'size'"),
        (file("<hash type='sha-256'>00</hash>\(address)"), "has 64 digits"),
        (file("<hash type='sha-256'>\(String(repeating: "zz", count: 32))</hash>\(address)"), "has 64 digits"),
        (
            file("<hash type='sha-1'>\(ones)</hash><hash type='sha-1'>\(twos)</hash>\(address)"),
            "two values of 'sha1' that differ"
        ),
        (file("<size>1</size><size>2</size>\(address)"), "two values of 'size' that differ"),
        (file("<pieces type='sha-256' length='0'></pieces>\(address)"), "no length above 0"),
        (file("<pieces type='sha-256' length='5'></pieces>\(address)"), "pieces"),
        (file("<url>http://</url>"), "no valid host"),
        // Entities: of the document, of a file, without an end.
        (document(address, head: "<!DOCTYPE metalink>"), "declares a document type"),
        (document("&x;", head: #"<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>"#), "declares a document type"),
        (
            document("&c;", head: #"<!DOCTYPE a [<!ENTITY b "xxxx"><!ENTITY c "&b;&b;&b;">]>"#),
            "declares a document type"
        ),
        (document("&unknown;"), "undefined entity"),
        (document(String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40)), "32 elements"),
        (document("\u{0}"), "not well-formed"),
    ]) func refusesWhatIsNoSuchDocument(_ text: String, _ reason: String) {
        let error = #expect(throws: TransferError.self) { try Self.read(text) }
        #expect(error?.code == (reason == "no valid host" ? .malformedURL : .usage))
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func sizeAndNumberHaveLimits() throws {
        let long = Self.document("<!--" + String(repeating: " ", count: 10 << 20) + "-->")
        let error = #expect(throws: TransferError.self) { try Self.read(long) }
        #expect(error?.message == "larger than 8 MiB")
        let digests = String(repeating: "<hash>\(String(repeating: "0", count: 32))</hash>", count: 16_385)
        let many = try Self.read(Self.file("<pieces type='md5' length='5'>\(digests)</pieces>\(Self.address)"))
        #expect(many.files[0].pieces == nil)
        #expect(many.notes.count == 1)
        let addresses = (0..<200).map { "<url>http://h\($0)/</url>" }.joined()
        #expect(try Self.read(Self.file(addresses)).files[0].addresses.count == FileMirror.maximumCount + 1)
        // Each is another note, and they are compared with each other.
        let others = (0..<200_000).map { "<url>s\($0):</url>" }.joined()
        #expect(try Self.read(Self.file(others + Self.address)).notes.count == Metalink.maximumNotes)
    }

    /// UTF-16, which XML processors must read.
    @Test func readsOtherEncodings() throws {
        let text = Self.document(
            #"<file name="日">\#(Self.address)</file>"#, head: #"<?xml version="1.0" encoding="UTF-16"?>"#)
        let bytes: [UInt8] =
            [0xff, 0xfe] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
        #expect(try Metalink(parsing: bytes).files.map(\.name) == ["日"])
    }

    @Test(arguments: [
        ("a.meta4", true), ("http://h/a.META4", true), ("http://h/a.meta4?x=1", true), ("http://h/a", false),
        ("http://h/?a.meta4", false), ("a.metalink", false),
    ]) func documentsAreKnownByTheirEnding(_ argument: String, _ isNamed: Bool) {
        #expect(Metalink.isNamed(argument) == isNamed)
    }
}
