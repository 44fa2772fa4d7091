// SPDX-License-Identifier: MIT

/// A notice: in one line, or also in those above it that are not the list's.
enum NoticeView {
    private static let mostLines = 3

    /// - Parameters:
    ///   - row: of its last line.
    ///   - first: the first row that it may cover.
    static func draw(
        _ notice: Notice, in grid: inout Grid, row: Int, from first: Int, _ capabilities: Capabilities
    ) {
        let most = max(1, min(mostLines, row - first + 1))
        let lines = lines(
            of: capabilities.shown(notice.text), width: grid.columns, most: most, mark: capabilities.glyphs.ellipsis)
        for (offset, line) in lines.enumerated() {
            grid.write(
                line, row: row - lines.count + 1 + offset, column: 0, style: notice.isError ? .failure : .bold)
        }
    }

    /// Lines of `width` columns; the last one of `most` is cut.
    static func lines(of text: String, width: Int, most: Int, mark: String) -> [String] {
        CellText.wrap(text, width: width, most: most, mark: mark).map { CellText.fit($0, width: width, mark: mark) }
    }
}
