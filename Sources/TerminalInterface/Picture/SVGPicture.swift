// SPDX-License-Identifier: MIT

/// A screen as SVG: text in cells of one size, blocks and lines as rectangles, so that fonts do not matter for bars,
/// graphs and frames.
struct SVGPicture {
    let grid: Grid
    let theme: Theme

    private static let cellWidth = 8.0, cellHeight = 17.0, margin = 10.0, baseline = 13.0

    private var isLight: Bool { theme == .light }
    private var background: String { isLight ? "#ffffff" : "#15181e" }
    private var foreground: String { isLight ? "#24292f" : "#d5d9e0" }

    var text: String {
        let width = Double(grid.columns) * Self.cellWidth + 2 * Self.margin
        let height = Double(grid.rows) * Self.cellHeight + 2 * Self.margin
        var parts = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(Self.number(width))" height="\#(Self.number(height))" "#
                + #"viewBox="0 0 \#(Self.number(width)) \#(Self.number(height))" role="img">"#,
            #"<rect width="100%" height="100%" rx="6" fill="\#(background)"/>"#,
            #"<g font-family="ui-monospace,'DejaVu Sans Mono','Noto Sans Mono CJK JP',Menlo,Consolas,monospace" "#
                + #"font-size="13" shape-rendering="crispEdges">"#,
        ]
        for row in 0..<grid.rows {
            parts += backgrounds(row)
            parts += cursor(row)
            parts += runs(row).map { element($0, row) }
        }
        parts.append("</g></svg>")
        return parts.joined(separator: "\n") + "\n"
    }

    private struct Run {
        var column: Int
        var columns: Int
        var text: String
        var style: Style
        var isBlock: Bool
    }

    /// Adjacent cells of one style; wide characters stand alone, and so do blocks, unless the same continues.
    private func runs(_ row: Int) -> [Run] {
        var runs: [Run] = []
        for column in 0..<grid.columns {
            let cell = grid[row, column]
            guard !cell.glyph.isEmpty else { continue }
            let width = grid.width(row: row, column: column)
            let blocks = Self.blocks(cell.glyph)
            let isBlock = !blocks.isEmpty
            let continues =
                runs.last.map { (last: Run) -> Bool in
                    guard last.style == cell.style, last.column + last.columns == column else { return false }
                    if isBlock { return last.text == cell.glyph && blocks.count == 1 && blocks[0].width == 1 }
                    return !last.isBlock && width == 1 && last.columns == last.text.count
                } ?? false
            if continues {
                if !isBlock { runs[runs.count - 1].text += cell.glyph }
                runs[runs.count - 1].columns += 1
            } else {
                runs.append(Run(column: column, columns: width, text: cell.glyph, style: cell.style, isBlock: isBlock))
            }
        }
        return runs.flatMap(Self.words)
    }

    /// The parts between two and more spaces: viewers drop spaces at the ends and repeated ones, and stretch the rest.
    private static func words(of run: Run) -> [Run] {
        var found: [Run] = []
        var spaces = Int.max
        for (offset, character) in run.text.enumerated() {
            guard character != " " else {
                spaces = spaces == .max ? .max : spaces + 1
                continue
            }
            if spaces <= 1 {
                found[found.count - 1].text += String(repeating: " ", count: spaces) + String(character)
            } else {
                var word = run
                (word.column, word.text) = (run.column + offset, String(character))
                found.append(word)
            }
            spaces = 0
        }
        for index in found.indices where run.text.count > 1 { found[index].columns = found[index].text.count }
        return found
    }

    /// The backgrounds of selected cells.
    private func backgrounds(_ row: Int) -> [String] {
        var found: [String] = []
        var column = 0
        while column < grid.columns {
            let colour = theme.look(of: grid[row, column].style, .direct).background
            var end = column + 1
            while end < grid.columns, theme.look(of: grid[row, end].style, .direct).background == colour { end += 1 }
            if colour >= 0 { found.append(rectangle(column, row, Double(end - column), 1, Self.colour(colour))) }
            column = end
        }
        return found
    }

    /// Behind the text, if it is in this row.
    private func cursor(_ row: Int) -> [String] {
        guard let cursor = grid.cursor, cursor.row == row, cursor.column < grid.columns else { return [] }
        let width = max(1, grid.width(row: row, column: cursor.column))
        return [rectangle(cursor.column, row, Double(width), 1, foreground, opacity: 0.35)]
    }

    private func element(_ run: Run, _ row: Int) -> String {
        let look = theme.look(of: run.style, .direct)
        let colour = look.foreground >= 0 ? Self.colour(look.foreground) : foreground
        if run.isBlock {
            let parts = Self.blocks(run.text).map { block in
                rectangle(
                    run.column, row, block.width * Double(run.columns), block.height, colour, x: block.x, y: block.y,
                    opacity: block.opacity)
            }
            return parts.joined(separator: "\n")
        }
        let x = Self.margin + Double(run.column) * Self.cellWidth
        let y = Self.margin + Double(row) * Self.cellHeight + Self.baseline
        let weight = look.isBold ? #" font-weight="bold""# : ""
        return #"<text x="\#(Self.number(x))" y="\#(Self.number(y))" "#
            + #"textLength="\#(Self.number(Double(run.columns) * Self.cellWidth))" lengthAdjust="spacingAndGlyphs" "#
            + #"fill="\#(colour)"\#(weight)>\#(Self.escaped(run.text))</text>"#
    }

    private func rectangle(
        _ column: Int, _ row: Int, _ width: Double, _ height: Double, _ colour: String, x: Double = 0, y: Double = 0,
        opacity: Double = 1
    ) -> String {
        let left = Self.margin + (Double(column) + x) * Self.cellWidth
        let top = Self.margin + (Double(row) + y) * Self.cellHeight
        let fade = opacity < 1 ? #" fill-opacity="\#(opacity)""# : ""
        let place = #"x="\#(Self.number(left))" y="\#(Self.number(top))""#
        let size =
            #"width="\#(Self.number(width * Self.cellWidth))" height="\#(Self.number(height * Self.cellHeight))""#
        return #"<rect \#(place) \#(size) fill="\#(colour)"\#(fade)/>"#
    }

    private struct Block {
        var x = 0.0
        var y = 0.0
        var width = 1.0
        var height = 1.0
        var opacity = 1.0
    }

    /// The parts of the cell that a block element or a line fills (Unicode, Block Elements and Box Drawing); empty:
    /// it is text.
    private static func blocks(_ glyph: String) -> [Block] {
        guard let scalar = glyph.unicodeScalars.first, glyph.unicodeScalars.count == 1 else { return [] }
        switch scalar.value {
        case 0x2500: return [Block(y: middle, height: line)]
        case 0x2502: return [Block(x: 0.5, width: 1 / cellWidth)]
        case 0x250c: return [lower, right]
        case 0x2510: return [lower, left]
        case 0x2514: return [upper, right]
        case 0x2518: return [upper, left]
        case 0x2581...0x2588:
            let height = Double(scalar.value - 0x2580) / 8
            return [Block(y: 1 - height, height: height)]
        case 0x2589...0x258f: return [Block(width: Double(0x2590 - scalar.value) / 8)]
        case 0x2591...0x2593: return [Block(opacity: Double(scalar.value - 0x2590) * 0.25)]
        case 0x2595: return [Block(x: 0.875, width: 0.125)]
        default: return []
        }
    }

    /// Where a horizontal line begins, and its height: one unit of the picture, as a vertical one is wide.
    private static let middle = 8 / cellHeight, line = 1 / cellHeight
    /// The halves of lines from the middle to each edge.
    private static let upper = Block(x: 0.5, width: 1 / cellWidth, height: middle + line)
    private static let lower = Block(x: 0.5, y: middle, width: 1 / cellWidth, height: 1 - middle)
    private static let left = Block(y: middle, width: 0.5, height: line)
    private static let right = Block(x: 0.5, y: middle, width: 0.5, height: line)

    private static func colour(_ rgb: Int) -> String {
        let digits = String(rgb, radix: 16)
        return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// At most two decimals.
    private static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        guard !hundredths.isMultiple(of: 100) else { return String(hundredths / 100) }
        let digits = String(hundredths % 100)
        return "\(hundredths / 100)." + (digits.count == 1 ? "0" : "") + digits
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            default: result.append(character)
            }
        }
    }
}
