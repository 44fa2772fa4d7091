// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct ContentDispositionTests {
    @Test(
        arguments: [
            ("attachment", nil), ("attachment; filename=a.txt", "a.txt"),
            ("attachment; filename=\"a b.txt\"", "a b.txt"),
            ("ATTACHMENT; FileName = \"a\\\"b.txt\" ; size=3", "a\"b.txt"),
            ("attachment; filename=\"x\"; filename*=UTF-8''%E5%86%99%E7%9C%9F.jpg", "写真.jpg"),
            ("attachment; filename*=UTF-8'ja'%E5%86%99; filename=x", "写"),
            ("attachment; filename*=iso-8859-1'en'%A3%20rates", "£ rates"),
            ("attachment; filename*=utf-16''%00; filename=x", "x"),
            ("attachment; filename*=UTF-8''%ff; filename=x", "x"),
            ("attachment; filename=\"写真.jpg\"", "写真.jpg"), ("attachment; filename=%E5%86%99.jpg", "%E5%86%99.jpg"),
            ("attachment; filename=\"a%20b.txt\"", "a%20b.txt"),
            // RFC 2047: base64 and quoted-printable, several words, a character split between two, and what is none.
            ("attachment; filename=\"=?UTF-8?B?5YaZ55yfLmpwZw==?=\"", "写真.jpg"),
            ("attachment; filename==?utf-8?q?caf=C3=A9_1.txt?=", "café 1.txt"),
            ("attachment; filename=\"=?UTF-8?B?5YaZ?= =?UTF-8?B?55yf?=.jpg\"", "写真.jpg"),
            ("attachment; filename=\"=?UTF-8?B?5Q==?= =?UTF-8?B?hpk=?=\"", "写"),
            ("attachment; filename=\"=?ISO-2022-JP?B?GyRCPEw/PxsoQi5qcGc=?=\"", "写真.jpg"),
            ("attachment; filename=\"a =?x?= b\"", "a =?x?= b"),
            ("attachment; filename=\"=?nowhere?B?5YaZ?=\"", "=?nowhere?B?5YaZ?="),
            ("attachment; filename=\"=?UTF-8?B?/w==?=\"", "=?UTF-8?B?/w==?="),
            ("attachment; filename*=Shift_JIS''%8E%CA%90%5E.jpg", "写真.jpg"),
            ("attachment; filename=\"100%.txt\"", "100%.txt"), ("attachment; filename=\"a;b.txt\"; x=y", "a;b.txt"),
            ("attachment; filename=\"open", "open"), ("attachment; filename=", ""),
            ("inline;;filename=a b.txt;", "a b.txt"),
            ("filename=foo.zip", "foo.zip"), ("filename=\"a;b.zip\"; size=3", "a;b.zip"),
            ("attachment; foo; filename=a", "a"), ("attachment; filename=a; filename=b", "a"),
        ] as [(String, String?)])
    func reads(text: String, expected: String?) throws {
        let disposition = try #require(ContentDisposition(parsing: text))
        #expect(disposition.fileName == expected)
        #expect(["attachment", "inline"].contains(disposition.type))
    }

    @Test(arguments: ["", ";", "size=3", "   "])
    func refuses(text: String) { #expect(ContentDisposition(parsing: text) == nil) }

    @Test func invalidUTF8IsLatin1() {
        let bytes = Array("attachment; filename=\"caf".utf8) + [0xE9] + Array(".txt\"".utf8)
        #expect(ContentDisposition(bytes: bytes)?.fileName == "café.txt")
    }

    /// `写真`, `表紙` (whose first character ends in a backslash), `あいう` and `日本` in older charsets, and accented Latin
    /// names.
    @Test(
        arguments: [
            ([0x8E, 0xCA, 0x90, 0x5E], "写真"), ([0x95, 0x5C, 0x8E, 0x86], "表紙"), ([0x95, 0x5C], "表"),
            ([0xBC, 0xCC, 0xBF, 0xBF], "写真"),
            ([0xA4, 0xA2, 0xA4, 0xA4, 0xA4, 0xA6], "あいう"), ([0x93, 0xFA, 0x96, 0x7B], "日本"),
            ([0x63, 0x72, 0xE9, 0x65, 0x72], "créer"),
            ([0x72, 0xE9, 0x73, 0x75, 0x6D, 0xE9], "résumé"), ([0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72], "Müller"),
            ([0x80], "€"),
            ([0xC5, 0x73, 0x6D, 0x75, 0x6E, 0x64], "Åsmund"),
        ] as [([UInt8], String)]) func bytesThatAreNoUTF8AreWhatTheyAreValidAs(name: [UInt8], expected: String)
    {
        for (open, close) in [("\"", "\""), ("", "")] {
            let bytes = Array("attachment; filename=\(open)".utf8) + name + Array(".txt\(close); size=3".utf8)
            #expect(ContentDisposition(bytes: bytes)?.fileName == expected + ".txt")
        }
    }

    @Test(arguments: [
        ("a b.txt", "attachment; filename=\"a b.txt\""),
        ("写.jpg", "attachment; filename=\"_.jpg\"; filename*=UTF-8''%E5%86%99.jpg"),
        ("=?utf-8?Q?a?=", "attachment; filename=\"=?utf-8?Q?a?=\"; filename*=UTF-8''%3D%3Futf-8%3FQ%3Fa%3F%3D"),
        ("a\"b%41", "attachment; filename=\"a_b_41\"; filename*=UTF-8''a%22b%2541"),
    ])
    func printsWhatItReads(name: String, text: String) {
        #expect(ContentDisposition(fileName: name).description == text)
        #expect(ContentDisposition(parsing: text)?.fileName == name)
    }
}
