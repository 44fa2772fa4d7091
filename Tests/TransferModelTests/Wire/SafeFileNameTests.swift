// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferModel

struct SafeFileNameTests {
    @Test(
        arguments: [
            ("a.txt", "a.txt"), ("../../etc/passwd", "passwd"), ("/abs/name", "name"), ("dir/", nil), ("", nil),
            (".", nil),
            ("..", nil), ("a/..", nil), ("  a b \t", "a b _"), ("   ", nil), ("a\0b", "a_b"), ("a\u{1B}[2Jb", "a_[2Jb"),
            ("a\r\nb", "a__b"), ("c:\\x\\y", "c:_x_y"), ("photo\u{202E}gpj.exe", "photogpj.exe"), ("\u{202E}", nil),
            ("\u{2066}x\u{2069}", "x"), ("\u{FEFF}x", "x"), ("a\u{2028}b", "a_b"), ("\u{85}", "_"),
            (".bashrc", ".bashrc"),
            ("写真 1.jpg", "写真 1.jpg"), ("が.txt", "か\u{3099}.txt"), ("\u{202E}..", nil), (" .. ", nil),
            ("x/\u{0301}", "\u{0301}"), ("👨‍👩‍👧.png", "👨‍👩‍👧.png"), ("...", "..."),
            ("film.fileq-part", "film.fileq-part_"),
            (".fileq-part.json", ".fileq-part.json_"), ("x.fileq-part-new", "x.fileq-part-new_"),
            ("x.fileq-part.json.new", "x.fileq-part.json.new_"), ("x\u{0600}.fileq-part", "x\u{0600}.fileq-part_"),
            ("x.fileq-part\u{0301}", "x.fileq-part\u{0301}"), ("-rf", "_-rf"), ("--", "_--"), ("a-b", "a-b"),
            ("dir/-x", "_-x"), (" -x", "_-x"),
        ] as [(String, String?)])
    func sanitizes(text: String, expected: String?) { #expect(SafeFileName.sanitize(text) == expected) }

    @Test func namesLeaveSpaceForSuffixes() {
        for suffix in SafeFileName.reservedSuffixes {
            #expect(SafeFileName.bytesBeforeSuffixes + suffix.utf8.count <= SafeFileName.maximumBytes)
        }
    }

    @Test func keepsNormalization() throws {
        let decomposed = "か\u{3099}"
        #expect(Array(try #require(SafeFileName.sanitize(decomposed)).utf8) == Array(decomposed.utf8))
    }

    @Test func hiddenNamesOnRequestOnly() {
        #expect(SafeFileName.sanitize(".bashrc", allowsHidden: false) == "_bashrc")
        #expect(SafeFileName.sanitize("...x", allowsHidden: false) == "_..x")
        #expect(SafeFileName.sanitize("a.b", allowsHidden: false) == "a.b")
    }

    @Test func truncatesLongNamesAndKeepsTheExtension() throws {
        let name = try #require(SafeFileName.sanitize(String(repeating: "写", count: 200) + ".jpeg"))
        #expect(name.hasPrefix(String(repeating: "写", count: 77) + "~") && name.hasSuffix(".jpeg"))
        #expect(name.count == 77 + 17 + 5 && name.utf8.count <= SafeFileName.maximumBytes)
        #expect(SafeFileName.sanitize(String(repeating: "a", count: 500), maximumBytes: 10) == "aaaaaaaaaa")
        #expect(SafeFileName.sanitize("a." + String(repeating: "b", count: 500), maximumBytes: 10) == "a.bbbbbbbb")
        #expect(SafeFileName.sanitize("a     .x", maximumBytes: 5) == "a.x")
    }

    /// Two episodes whose names differ at the end alone are two files.
    @Test(arguments: [".mp4", "", "." + String(repeating: "x", count: 40), ".fileq-part", " .mp4"])
    func longNamesThatDifferStayTwo(_ ending: String) throws {
        for count in [76, 77, 80, 100, 400] {
            let start = String(repeating: "夏", count: count)
            let names = try ["第1話", "第2話"].map { try #require(SafeFileName.sanitize(start + $0 + ending)) }
            #expect(names[0] != names[1], "\(count) characters, and \(ending)")
            for name in names {
                #expect(name.utf8.count <= 255 && !SafeFileName.isReserved(name))
                #expect(SafeFileName.sanitize(name) == name, "stable")
            }
            #expect(ending != ".mp4" || names.allSatisfy { $0.hasSuffix(".mp4") })
        }
    }

    @Test(arguments: [231, 232, 239, 254, 255]) func namesThatFitStay(_ bytes: Int) {
        let name = String(repeating: "n", count: bytes - 4) + ".iso"
        #expect(SafeFileName.sanitize(name) == name)
    }

    @Test func truncatesCombiningMarks() throws {
        let name = try #require(SafeFileName.sanitize("a" + String(repeating: "\u{0301}", count: 500) + ".txt"))
        #expect(
            name.utf8.count <= SafeFileName.maximumBytes && name.hasSuffix(".txt") && name.unicodeScalars.first == "a")
    }

    @Test func namesStayInTheirFolder() {
        let pieces = ["/", "..", ".", "\\", "\0", " ", "a", "\u{202E}", "\u{301}", "\n", ".fileq-part", "写"]
        for a in pieces {
            for b in pieces {
                for c in pieces {
                    for d in pieces {
                        guard let name = SafeFileName.sanitize(a + b + c + d, maximumBytes: 12) else { continue }
                        #expect(
                            !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0) && name != "."
                                && name != "..")
                        #expect(!name.isEmpty && name.utf8.count <= 12 && !name.hasSuffix(".fileq-part"))
                    }
                }
            }
        }
    }

    /// By what a file system has reported.
    @Test(
        arguments: [
            ("a:b?.iso", EINVAL, "a_b_.iso"), ("ab.iso", EINVAL, nil), ("a:b.iso", EACCES, nil),
            (String(repeating: "n", count: 119), ENAMETOOLONG, nil),
        ] as [(String, Int32, String?)])
    func replacesRefusedNames(_ name: String, _ code: Int32, _ expected: String?) {
        #expect(SafeFileName.accepted(inPlaceOf: name, after: code, maximumBytes: 143) == expected)
    }

    /// With room for the endings of partial files, and two stay two.
    @Test func shortensRefusedNames() throws {
        let names = try ["x", "y"].map { end in
            let name = String(repeating: "n", count: 140) + end + ".iso"
            return try #require(SafeFileName.accepted(inPlaceOf: name, after: ENAMETOOLONG, maximumBytes: 143))
        }
        #expect(names[0] != names[1])
        #expect(names.allSatisfy { $0.utf8.count <= 119 && $0.hasSuffix(".iso") })
    }
}
