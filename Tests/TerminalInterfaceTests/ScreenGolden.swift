// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import TerminalInterface

/// Screens as text in `Goldens/`; `FILEQ_RECORD_GOLDENS=1` writes them again.
enum ScreenGolden {
    static func compare(_ grid: Grid, _ name: String) throws {
        var lines = (0..<grid.rows).map { grid.text(row: $0) + "|" }
        if let cursor = grid.cursor { lines.append("cursor: row \(cursor.row), column \(cursor.column)") }
        try compare(lines.joined(separator: "\n") + "\n", name)
    }

    static func compare(_ text: String, _ name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens/\(name)")
        if ProcessInfo.processInfo.environment["FILEQ_RECORD_GOLDENS"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text == golden, "\(file.lastPathComponent)")
    }
}
