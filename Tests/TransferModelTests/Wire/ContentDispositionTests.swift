// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct ContentDispositionTests {
    @Test(arguments: [
        ("attachment", nil), ("attachment; filename=a.txt", "a.txt"), ("attachment; filename=\"a b.txt\"", "a b.txt"),
        ("ATTACHMENT; FileName = \"a\\\"b.txt\" ; size=3", "a\"b.txt"),
        ("attachment; filename=\"x\"; filename*=UTF-8''%E5%86%99%E7%9C%9F.jpg", "写真.jpg"),
        ("attachment; filename*=UTF-8'ja'%E5%86%99; filename=x", "写"),
        ("attachment; filename*=iso-8859-1'en'%A3%20rates", "£ rates"),
        ("attachment; filename*=utf-16''%00; filename=x", "x"), ("attachment; filename*=UTF-8''%ff; filename=x", "x"),
        ("attachment; filename=\"写真.jpg\"", "写真.jpg"), ("attachment; filename=%E5%86%99.jpg", "写.jpg"),
        ("attachment; filename=\"100%.txt\"", "100%.txt"), ("attachment; filename=\"a;b.txt\"; x=y", "a;b.txt"),
        ("attachment; filename=\"open", "open"), ("attachment; filename=", ""), ("inline;;filename=a b.txt;", "a b.txt"),
        ("attachment; foo; filename=a", "a"), ("attachment; filename=a; filename=b", "a"),
    ] as [(String, String?)])
    func reads(text: String, expected: String?) throws {
        let disposition = try #require(ContentDisposition(parsing: text))
        #expect(disposition.fileName == expected)
        #expect(["attachment", "inline"].contains(disposition.type))
    }

    @Test(arguments: ["", ";", "filename=x", "   "])
    func refuses(text: String) { #expect(ContentDisposition(parsing: text) == nil) }

    @Test func bytesThatAreNoUTF8AreLatin1() {
        let bytes = Array("attachment; filename=\"caf".utf8) + [0xE9] + Array(".txt\"".utf8)
        #expect(ContentDisposition(bytes: bytes)?.fileName == "café.txt")
    }

    @Test(arguments: [
        ("a b.txt", "attachment; filename=\"a b.txt\""),
        ("写.jpg", "attachment; filename=\"_.jpg\"; filename*=UTF-8''%E5%86%99.jpg"),
        ("a\"b%41", "attachment; filename=\"a_b_41\"; filename*=UTF-8''a%22b%2541"),
    ])
    func printsWhatItReads(name: String, text: String) {
        #expect(ContentDisposition(fileName: name).description == text)
        #expect(ContentDisposition(parsing: text)?.fileName == name)
    }
}
