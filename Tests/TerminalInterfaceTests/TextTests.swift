// SPDX-License-Identifier: MIT

import CTerminal
import Testing

@testable import TerminalInterface

struct CellWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("日本語", 6), ("ﾊﾝｶｸ", 4), ("か\u{3099}", 2), ("e\u{301}", 1), ("🎉", 2), ("👨\u{200d}👩", 4),
        ("❤\u{fe0f}", 1), ("\u{1b}[2J", 4), ("\u{202e}x", 1), ("한글", 4), ("각", 2), ("Ω", 1), ("ａ", 2), ("\u{3000}", 2),
        ("👍\u{1f3fd}", 2), ("é", 1), ("…", 1), ("█▏", 2),
    ])
    func width(_ text: String, _ columns: Int) {
        #expect(CellWidth.of(text) == columns)
        #expect(CellWidth.of(TextSanitizer.clean(text)) == columns)
    }

    /// The table was made for one C library; others may have a few characters more. Those are replaced when drawn.
    @Test func agreesWithTheCLibrary() {
        var different: [String] = []
        for value in UInt32(0x20)...0x3ffff {
            guard let scalar = Unicode.Scalar(value), TextSanitizer.fate(of: scalar) == .keep else { continue }
            let width = Int(ct_width(value))
            if width >= 0, width != CellWidth.of(scalar) { different.append(String(value, radix: 16)) }
        }
        #expect(different.count < 100, "\(different.prefix(20))")
    }

    @Test func tablesAreSortedPairs() {
        for table in [CellWidth.zeroRanges, CellWidth.wideRanges, CellWidth.ambiguousRanges] {
            #expect(table.count.isMultiple(of: 2))
            #expect(zip(table, table.dropFirst()).allSatisfy(<=))
        }
    }
}

struct TextSanitizerTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\u{1b}[31mb", "a\u{fffd}[31mb"), ("a\r\nb", "a\u{fffd}\u{fffd}b"),
        ("\u{9b}2J", "\u{fffd}2J"),
        ("a\u{7f}", "a\u{fffd}"), ("evil\u{202e}gpj.exe", "evilgpj.exe"), ("\u{2066}x\u{2069}", "x"),
        ("\u{200f}x\u{61c}", "x"),
        ("👨\u{200d}💻", "👨💻"), ("❤\u{fe0f}", "❤"), ("葛\u{e0100}城", "葛城"), ("\u{feff}bom", "bom"), ("日本語", "日本語"),
        ("か\u{3099}", "か\u{3099}"), ("a\u{2028}b", "a\u{fffd}b"), ("", ""),
    ])
    func clean(_ raw: String, _ clean: String) {
        #expect(TextSanitizer.clean(raw).unicodeScalars.elementsEqual(clean.unicodeScalars))
    }

    @Test func removesControlSequences() {
        for value in UInt32(0)...0x2100 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isObeyed = value < 0x20 || (0x7f..<0xa0).contains(value) || scalar.properties.isBidiControl
            if isObeyed { #expect(!TextSanitizer.clean(String(scalar)).unicodeScalars.contains(scalar)) }
        }
    }
}

struct CellTextTests {
    @Test(arguments: [
        ("abc", 5, CellText.Ellipsis.end, "abc  "), ("abcdef", 4, .end, "abc…"), ("abcdef", 4, .middle, "ab…f"),
        ("日本語", 5, .end, "日本…"), ("日本語", 4, .end, "日… "), ("日本語", 3, .end, "日…"), ("日本語", 2, .end, "… "),
        ("日本語", 1, .end, " "), ("日本語", 0, .end, ""), ("写真アルバム.zip", 9, .middle, "写真….zip"),
        ("写真アルバム.zip", 10, .middle, "写真….zip "), ("a", 0, .end, ""), ("ab", 1, .middle, "a"),
        ("か\u{3099}き\u{3099}く\u{3099}", 5, .end, "か\u{3099}き\u{3099}…"),
    ])
    func fit(_ text: String, _ width: Int, _ ellipsis: CellText.Ellipsis, _ fitted: String) {
        let result = CellText.fit(text, width: width, ellipsis: ellipsis)
        #expect(CellWidth.of(result) == width)
        #expect(result == fitted)
    }

    @Test func isAlwaysExactlyAsWideAsAsked() {
        var random = SeededGenerator(1)
        let pieces = ["a", "日", "か\u{3099}", "🎉", " ", "\u{301}", "\u{1b}", "ﾊ", ".zip", "\u{202e}"]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let width = Int.random(in: 0...24, using: &random)
            for (ellipsis, mark) in [(CellText.Ellipsis.end, "…"), (.middle, "…"), (.middle, "...")] {
                #expect(CellWidth.of(CellText.fit(text, width: width, ellipsis: ellipsis, mark: mark)) == width)
            }
            for line in CellText.wrap(text, width: max(2, width)) { #expect(CellWidth.of(line) <= max(2, width)) }
        }
    }

    @Test(arguments: [
        ("one two three", 8, ["one two ", "three"]), ("abcdefgh", 3, ["abc", "def", "gh"]), ("日本語", 4, ["日本", "語"]),
        ("", 4, [""]), ("日", 1, [""]), ("of AA:BB:CC:DD", 7, ["of ", "AA:BB:", "CC:DD"]),
        ("a:bcdef", 4, ["a:bc", "def"]), ("aaaa bbbb", 4, ["aaaa", "bbbb"]),
        ("one two three", 7, ["one two", "three"]),
        ("abc   ", 3, ["abc"]), ("abc  def", 3, ["abc", "def"]), ("日本 語", 4, ["日本", "語"]), ("a日", 1, ["a"]),
    ])
    func wrap(_ text: String, _ width: Int, _ lines: [String]) {
        #expect(CellText.wrap(text, width: width) == lines)
    }

    @Test(arguments: [
        ("one two three", 7, 2, ["one two", "three"]), ("one two three", 7, 1, ["one tw…"]),
        ("one two three four", 7, 2, ["one two", "three …"]), ("one two  ", 7, 1, ["one two"]),
        ("日本語テキスト", 5, 2, ["日本", "語テ…"]), ("a", 4, 0, []),
    ])
    func wrapsIntoSoManyLines(_ text: String, _ width: Int, _ most: Int, _ lines: [String]) {
        #expect(CellText.wrap(text, width: width, most: most) == lines)
    }

    @Test func dropsExcessCombiningMarks() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 40)
        #expect(CellText.glyphs(of: zalgo).map(\.text.unicodeScalars.count) == [5])
    }
}

struct BarTests {
    @Test(arguments: [
        (0.0, 8, Bar.Style.unicode, "────────"), (1, 8, .unicode, "━━━━━━━━"), (0.5, 8, .unicode, "━━━━────"),
        (0.59, 8, .unicode, "━━━━╸───"), (0.9999, 8, .unicode, "━━━━━━━╸"), (0.0001, 8, .unicode, "────────"),
        (0.5, 8, .ascii, "====----"), (0.9999, 8, .ascii, "=======-"), (2, 4, .ascii, "===="), (-1, 4, .ascii, "----"),
        (.nan, 4, .ascii, "----"), (0.5, 2, .narrow, "#-"), (0.5, 0, .ascii, ""), (1, 3, .unicode, "━━━"),
    ])
    func draw(_ fraction: Double, _ width: Int, _ style: Bar.Style, _ text: String) {
        #expect(Bar.draw(fraction: fraction, width: width, style: style) == text)
    }

    /// Between a half column and none there is a light line, which has the colour of what is done.
    @Test(arguments: [
        (0.0, 0), (0.0001, 1), (0.125, 1), (0.14, 1), (0.17, 2), (0.2, 2), (0.24, 2), (0.26, 2), (0.9999, 8), (1, 8),
    ])
    func stepsAreFinerThanColumns(_ fraction: Double, _ done: Int) {
        let parts = Bar.parts(fraction: fraction, width: 8, style: .unicode)
        #expect(CellWidth.of(parts.done) == done && parts.sent.isEmpty && CellWidth.of(parts.rest) == 8 - done)
    }

    @Test func sentBytesFollowConfirmedOnes() {
        func parts(_ sent: Double, _ style: Bar.Style = .unicode) -> Bar.Parts {
            Bar.parts(fraction: 0.25, sent: sent, width: 8, style: style)
        }
        #expect(parts(0.75) == Bar.Parts(done: "━━", sent: "╌╌╌╌", rest: "──"))
        #expect(parts(0.1) == Bar.Parts(done: "━━", sent: "", rest: "──────") && parts(.nan) == parts(0.1))
        #expect(parts(1, .ascii).text == "==~~~~~~" && parts(2, .narrow).text == "##~~~~~~")
    }

    @Test func unknownSizeIsDotted() {
        #expect(Bar.draw(fraction: nil, width: 6, style: .unicode) == "······")
        #expect(Bar.draw(fraction: nil, width: 6, style: .ascii) == "......")
    }

    @Test func isAlwaysExactlyAsWideAsAsked() {
        for width in 0...60 {
            for step in 0...100 {
                for style in [Bar.Style.unicode, .narrow, .ascii] {
                    let share = Double(step) / 100
                    #expect(CellWidth.of(Bar.draw(fraction: share, width: width, style: style)) == width)
                    let parts = Bar.parts(fraction: share / 2, sent: share, width: width, style: style)
                    #expect(CellWidth.of(parts.text) == width)
                }
            }
        }
    }
}

struct TransliterationTests {
    @Test(arguments: [
        ("naïve résumé", "naive resume"), ("Łódź Žižek ŒŸſ", "Lodz Zizek OEYs"), ("日本.txt", "??.txt"),
        ("a — b…", "a - b..."),
        ("ＡＢＣ　１", "ABC 1"), ("か\u{3099}", "?"), ("×2", "x2"), ("ß", "ss"), ("ÿĀ", "yA"),
    ])
    func ascii(_ text: String, _ expected: String) {
        #expect(Transliteration.ascii(text) == expected)
    }

    @Test func onlyAmbiguousCharactersAreReplaced() {
        #expect(Transliteration.withoutAmbiguous("日本α…①é") == "日本?...?" + Transliteration.withoutAmbiguous("é"))
        #expect(!Transliteration.withoutAmbiguous("①█→").unicodeScalars.contains(where: CellWidth.isAmbiguous))
    }
}
