// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalInterface

/// Keys in, values out; knows no transfer.
struct FormTests {
    private func form() -> Form {
        Form(fields: [
            .init("Name", text: "a"), .init("Place", canPick: true),
            .init("When", choices: ["now", "at…", "never"], typedChoice: 1), .init("Size", choices: ["s", "m", "l"]),
        ])
    }

    private func press(_ form: inout Form, _ keys: Key...) -> [Form.Event] { keys.map { form.press($0) } }

    @Test func arrowsLeadThroughTheFields() {
        var form = form()
        #expect(press(&form, .down, .down, .down) == [.none, .none, .none] && form.active == 3)
        _ = press(&form, .down)
        #expect(form.active == 0)
        _ = press(&form, .up)
        #expect(form.active == 3)
        _ = press(&form, .backTab, .backTab)
        #expect(form.active == 1)
        #expect(press(&form, .enter, .control("o")) == [.pick, .pick] && form.active == 1, "an empty field is picked")
        form.fields[1].setText("x")
        #expect(press(&form, .enter, .control("o")) == [.submit, .pick])
        #expect(press(&form, .tab, .backTab) == [.none, .none] && form.active == 1)
        form.fields[2].isEnabled = false
        _ = press(&form, .down)
        #expect(form.active == 3, "a field that does not apply is passed over")
        _ = press(&form, .tab)
        #expect(form.active == 0)
    }

    @Test func aLongTextShowsThatItsHeadIsLeftOut() {
        var grid = Grid(columns: 20, rows: 1)
        EditorLine.draw(LineEditor("https://example.org/a"), in: &grid, row: 0, column: 0, width: 12, .unicode)
        #expect(grid.text(row: 0) == "…mple.org/a         " && grid.cursor?.column == 11)
        EditorLine.draw(LineEditor("12345678901"), in: &grid, row: 0, column: 0, width: 12, .unicode)
        #expect(grid.text(row: 0).hasPrefix("12345678901"))
    }

    @Test func textIsEdited() {
        var form = form()
        #expect(
            press(&form, .character("b"), .left, .backspace, .paste("日\n本")) == [
                .changed, .changed, .changed, .changed,
            ])
        #expect(form.fields[0].text == "日 本b")
        #expect(press(&form, .enter, .escape, .control("c"), .pageUp) == [.submit, .close, .close, .none])
    }

    @Test func choicesFollowArrowsLettersAndSpace() {
        var form = form()
        form.active = 3
        #expect(press(&form, .left) == [.none] && form.fields[3].chosen == 0)
        #expect(press(&form, .right, .right, .right) == [.changed, .changed, .none] && form.fields[3].chosen == 2)
        #expect(press(&form, .character("m"), .character("x")) == [.changed, .none] && form.fields[3].chosen == 1)
        #expect(press(&form, .character(" "), .character(" ")) == [.changed, .changed] && form.fields[3].chosen == 0)
        #expect(press(&form, .paste("text"), .backspace) == [.none, .none])
    }

    @Test func aTypedChoiceTakesItsText() {
        var form = form()
        form.active = 2
        _ = press(
            &form, .character("2"), .character("3"), .character(":"), .character("3"), .character("x"), .backspace)
        #expect(form.fields[2].chosen == 1 && form.fields[2].text == "23:3")
        _ = press(&form, .right)
        #expect(form.fields[2].chosen == 2 && !form.fields[2].takesText)
        _ = press(&form, .left, .character("0"))
        #expect(form.fields[2].text == "23:30", "the text is kept")
        form.fields[2] = .init("When", choices: ["now", "at…"], typedChoice: 1)
        _ = press(&form, .paste("tomorrow 08:00"))
        #expect(form.fields[2].chosen == 1 && form.fields[2].text == "tomorrow 08:00")
    }

    @Test func aChangeClearsTheError() {
        var form = form()
        form.fields[0].error = "wrong"
        _ = press(&form, .down, .up)
        #expect(form.fields[0].error == "wrong")
        _ = press(&form, .character("x"))
        #expect(form.fields[0].error == nil)
    }

    /// A sentence of 150 columns is whole; of a longer one the last line says that it is cut.
    @Test(arguments: [(30, false), (60, true)]) func anErrorIsWholeUnlessItIsVeryLong(_ words: Int, _ isCut: Bool) {
        var form = form()
        form.fields[0].error = String(repeating: "word ", count: words) + "end"
        let rows = form.height(width: 44, .unicode)
        var grid = Grid(columns: 44, rows: rows)
        form.draw(in: &grid, rows: 0..<rows, columns: 0..<44, .unicode)
        let lines = (0..<rows).map { grid.text(row: $0) }.filter { $0.contains("word") }
        let last = lines.last ?? ""
        #expect(lines.count == 5 && last.contains("end") == !isCut && last.contains("…") == isCut, "\(lines)")
    }

    /// The active field is drawn, with its error, in any window.
    @Test func theActiveFieldIsInView() {
        for rows in 1...6 {
            for index in 0..<4 {
                var form = form()
                form.active = index
                form.fields[index].error = "no such thing"
                for width in [1, 8, 14, 44] {
                    var grid = Grid(columns: width, rows: rows)
                    form.draw(in: &grid, rows: 0..<rows, columns: 0..<width, .unicode)
                    let text = (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
                    #expect(text.contains(form.fields[index].label.prefix(width)))
                    if rows > 1, width == 44 { #expect(text.contains("no such thing")) }
                    for row in 0..<rows { #expect(CellWidth.of(grid.text(row: row)) == width) }
                }
            }
        }
    }
}

struct DialogBoxTests {
    @Test(arguments: [
        (80, 24, 9, true), (48, 12, 9, true), (48, 11, 9, false), (47, 24, 9, false), (80, 10, 9, false),
        (40, 10, 9, false),
        (6, 1, 9, false), (1, 1, 1, false), (12, 2, 3, false),
    ])
    func theWholeScreenWhereTheFrameDoesNotFit(_ columns: Int, _ rows: Int, _ wanted: Int, _ isFramed: Bool) {
        let box = DialogBox(
            title: "Title", hints: ["Enter", "a hint that fits nowhere in a frame of forty-eight"], rows: wanted,
            of: (columns, rows))
        var grid = Grid(columns: columns, rows: rows)
        box.draw(in: &grid, .unicode)
        #expect(box.body.count >= 1 && box.body.upperBound <= rows)
        #expect(box.content.upperBound <= columns)
        if isFramed { #expect(box.body.count == wanted && box.content.count == 44) }
        let text = (0..<rows).map { grid.text(row: $0) }.joined()
        #expect(text.contains("┌ Title ─") == isFramed)
    }

    @Test func whatIsBehindDoesNotTouchTheFrame() {
        var grid = Grid(columns: 60, rows: 5)
        for row in 0..<5 { grid.write(String(repeating: "x", count: 60), row: row, column: 0) }
        DialogBox(title: "Title", hints: ["Enter add"], rows: 1, of: (60, 5)).draw(in: &grid, .unicode)
        #expect(grid.text(row: 1).hasPrefix("xxxxx │ ") && grid.text(row: 1).hasSuffix(" │ xxxxx"))
        #expect(grid.text(row: 3) == String(repeating: "x", count: 60))
        #expect(grid.text(row: 4).hasPrefix("Enter add   ") && grid[4, 0].style == .key)
    }

    /// In steps, so that not each letter moves it; never wider than the window.
    @Test func isAsWideAsItsContent() {
        #expect(DialogBox.width(content: 10, of: 120) == 48 && DialogBox.width(content: 45, of: 120) == 56)
        #expect(DialogBox.width(content: 500, of: 120) == 116 && DialogBox.width(content: 500, of: 50) == 48)
    }
}
