// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing
import TransferModel

@Suite struct SetCookieTests {
    struct Row: CustomTestStringConvertible {
        var line: String
        var expected: String?
        init(_ line: String, _ expected: String?) { (self.line, self.expected) = (line, expected) }
        var testDescription: String { String(line.prefix(60)) }
    }

    static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// Name and value.
    @Test(arguments: [
        Row("SID=31d4d96e407aad42", "SID|31d4d96e407aad42"), Row("a=b", "a|b"), Row("  a \t=\t b  ", "a|b"),
        Row("a=", "a|"),
        Row("a = b = c", "a|b = c"), Row("a=\"b c\"", "a|\"b c\""), Row("novalue", "|novalue"), Row("=value", "|value"),
        Row("; Path=/", nil), Row("", nil), Row("=", nil), Row("   ;a=b", nil), Row("a=b;;;; ;", "a|b"),
        Row("a=b,c=d", "a|b,c=d"),
        Row("a=日本語", "a|日本語"), Row("a=b\tc", "a|b\tc"), Row("a=b\0c", nil), Row("a=b\u{1}", nil), Row("a=b\r\nc", nil),
        Row("a=b; Path=/\u{7f}", nil), Row("a=b; X\0=1", nil), Row("a=\u{80}", "a|\u{80}"),
        Row("a=" + long(4095), "a|" + long(4095)),
        Row("a=" + long(4096), nil), Row(long(4096), "|" + long(4096)), Row(long(4097) + "=", nil),
        Row("a=b; X=" + long(60_000), "a|b"), Row("a=b; X=" + long(70_000), nil),
    ]) func readsNamesAndValues(_ row: Row) {
        #expect(SetCookie(parsing: row.line).map { "\($0.name)|\($0.value)" } == row.expected)
    }

    @Test func parsesAttributesTheLastWins() throws {
        let cookie = try #require(
            SetCookie(
                parsing:
                    "a=b; DOMAIN=.Example.COM ; path=/x;Path = /y ; secure=no; HTTPONLY; SameSite=LAX; "
                    + "samesite=Strict; unknown=1"
            ))
        var expected = cookie
        expected.domain = "example.com"
        expected.path = .given("/y")
        expected.isSecure = true
        expected.isHTTPOnly = true
        expected.sameSite = .strict
        #expect(cookie == expected)
        #expect(cookie.lifetime == .session)
    }

    @Test(arguments: [
        ("a=b", SetCookie.Path.absent), ("a=b; Path", .standard), ("a=b; Path=", .standard),
        ("a=b; Path=x/y", .standard),
        ("a=b; Path=/", .given("/")), ("a=b; Path=/x; Path=", .standard), ("a=b; Path=/x y", .given("/x y")),
        ("a=b; Path=/x; Path=/" + SetCookieTests.long(1024), .given("/x")),
        ("a=b; Path=/" + SetCookieTests.long(1023), .given("/" + SetCookieTests.long(1023))),
    ]) func pathsAreRead(_ line: String, _ expected: SetCookie.Path) {
        #expect(SetCookie(parsing: line)?.path == expected)
    }

    @Test(arguments: [
        ("a=b; Domain=x.org", "x.org"), ("a=b; Domain=.x.org", "x.org"), ("a=b; Domain=", ""), ("a=b; Domain=.", ""),
        ("a=b; Domain=x.org; Domain=", ""), ("a=b; Domain=x.org; Domain=Y.org", "y.org"),
        ("a=b; Domain=x.org; Domain=" + SetCookieTests.long(1025), "x.org"),
    ]) func domainsAreRead(_ line: String, _ expected: String) {
        #expect(SetCookie(parsing: line)?.domain == expected)
    }

    @Test(arguments: [
        ("a=b; Max-Age=60", SetCookie.Lifetime.age(60)), ("a=b; Max-Age=0", .age(0)), ("a=b; Max-Age=-5", .age(0)),
        ("a=b; Max-Age=-", .session), ("a=b; Max-Age=", .session), ("a=b; Max-Age=+5", .session),
        ("a=b; Max-Age=5.5", .session),
        ("a=b; Max-Age=\"5\"", .session), ("a=b; Max-Age=99999999999999999999999", .age(.max)),
        ("a=b; Max-Age=5; Max-Age=x", .age(5)), ("a=b; Max-Age=5; Max-Age=6", .age(6)),
        ("a=b; Expires=Sun, 06 Nov 1994 08:49:37 GMT", .until(784_111_777)),
        ("a=b; Expires=never", .session),
        ("a=b; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Expires=never", .until(784_111_777)),
        ("a=b; Max-Age=60; Expires=Sun, 06 Nov 1994 08:49:37 GMT", .age(60)),
        ("a=b; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=60", .age(60)),
    ]) func readsLifetimes(_ line: String, _ expected: SetCookie.Lifetime) {
        #expect(SetCookie(parsing: line)?.lifetime == expected)
    }

    @Test(arguments: [
        ("None", StoredCookie.SameSite.none), ("lax", .lax), ("STRICT", .strict), ("", nil), ("other", nil),
    ])
    func sameSiteIsRead(_ word: String, _ expected: StoredCookie.SameSite?) {
        #expect(SetCookie(parsing: "a=b; SameSite=\(word)")?.sameSite == expected)
    }
}

@Suite struct CookieDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "06 Nov 1994 08:49:37",
        "1994 nov 6 8:49:37", "8:49:37 6 NOVEMBER 94", "Nov/6/1994 08:49:37", "(06)Nov.1994,08:49:37",
        "08:49:37abc 6th Nov 1994x",
        "Sun, 06 Nov 1994 08:49:37 +0900", "Tue, 06 Nov 1994 08:49:37 GMT", "06 Nov 94 08:49:37 07 Dec 1995 09:00:00",
    ]) func readsOneMomentInManyForms(_ text: String) {
        #expect(CookieDate.parse(text[...]) == 784_111_777)
    }

    @Test(
        arguments: [
            ("01 Jan 1970 00:00:00", 0), ("01 Jan 70 00:00:00", 0), ("31 Dec 1969 23:59:59", -1),
            ("01 Jan 69 00:00:00", 3_124_224_000),
            ("29 Feb 2000 00:00:00", 951_782_400), ("01 Jan 1601 00:00:00", -11_644_473_600),
            ("1 Jan 038 0:0:0", 2_145_916_800),
            ("31 Dec 9999 23:59:59", 253_402_300_799),
        ] as [(String, Int64)]) func yearsAndEdges(_ text: String, _ expected: Int64)
    {
        #expect(CookieDate.parse(text[...]) == expected)
    }

    @Test(arguments: [
        "", "never", "06 Nov 1994", "08:49:37 Nov 1994", "06 Nov 08:49:37", "06 1994 08:49:37", "06 Nov 1994 24:00:00",
        "06 Nov 1994 08:60:37", "06 Nov 1994 08:49:60", "00 Nov 1994 08:49:37", "32 Nov 1994 08:49:37",
        "31 Nov 1994 08:49:37",
        "29 Feb 1900 00:00:00", "31 Dec 1600 23:59:59", "06 Nov 19945 08:49:37", "006 Nov 1994 08:49:37",
        "06 Nov 1994 08:49",
        "06 Nov 1994 008:49:37", "06 Nov 1994 08:49:370", "06 No 1994 08:49:37", "06 Nov 1 08:49:37",
        "６ Nov 1994 08:49:37",
    ]) func rejectsInvalidDates(_ text: String) {
        #expect(CookieDate.parse(text[...]) == nil)
    }
}
