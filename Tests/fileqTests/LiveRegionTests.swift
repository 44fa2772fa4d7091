// SPDX-License-Identifier: MIT

import Testing

@testable import fileq

@Suite struct LiveRegionTests {
    /// As much of a terminal as the region uses: rows of text, a cursor that moves up and to the left, erasing.
    private struct Screen {
        var rows = [""]
        var row = 0
        var column = 0

        mutating func write(_ text: String) {
            var rest = Substring(text)
            while let character = rest.popFirst() {
                switch character {
                case "\r": column = 0
                case "\r\n":
                    column = 0
                    newLine()
                case "\n": newLine()
                case "\u{1b}": obey(&rest)
                default: put(character)
                }
            }
        }

        private mutating func newLine() {
            row += 1
            if row == rows.count { rows.append("") }
        }

        private mutating func put(_ character: Character) {
            var line = Array(rows[row])
            if column < line.count { line[column] = character } else { line.append(character) }
            rows[row] = String(line)
            column += 1
        }

        private mutating func obey(_ rest: inout Substring) {
            let parameters = rest.dropFirst().prefix { !$0.isLetter }
            let command = rest[parameters.endIndex]
            rest = rest[rest.index(after: parameters.endIndex)...]
            switch command {
            case "A": row -= Int(parameters) ?? 1
            case "K": rows[row] = ""
            case "J":
                rows.removeSubrange((row + 1)...)
                rows[row] = String(rows[row].prefix(column))
            default: break
            }
        }
    }

    @Test func framesReplaceEachOtherBelowPermanentLines() {
        var (region, screen) = (LiveRegion(), Screen())
        screen.write(region.frame(permanent: [], live: ["a 1", "b 1", "all 1"], columns: 80))
        #expect(screen.rows.prefix(3) == ["a 1", "b 1", "all 1"])
        screen.write(region.frame(permanent: ["done a"], live: ["b 2", "all 2"], columns: 80))
        screen.write(region.frame(permanent: ["done b, and more words than before"], live: ["all 3"], columns: 80))
        #expect(
            screen.rows == ["done a", "done b, and more words than before", ""]
                || screen.rows.prefix(2) == ["done a", "done b, and more words than before"])
        screen.write(region.frame(permanent: ["summary"], live: [], columns: 80))
        #expect(screen.rows == ["done a", "done b, and more words than before", "summary", ""])
        #expect(screen.row == 3 && screen.column == 0)
    }

    @Test func redrawsInANarrowerWindow() {
        var region = LiveRegion()
        _ = region.frame(permanent: [], live: [String(repeating: "x", count: 60), "short"], columns: 80)
        // 60 columns became two rows of 40: one row up is the first half, two the second.
        #expect(region.frame(permanent: [], live: ["y"], columns: 40).hasPrefix("\r\u{1b}[2A"))
    }

    @Test func everyFrameRestoresLineWrapping() {
        var region = LiveRegion()
        for live in [["a"], []] {
            let text = region.frame(permanent: [], live: live, columns: 20)
            #expect(text.hasSuffix("\u{1b}[?7h"))
        }
    }
}
