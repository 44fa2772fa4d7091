// SPDX-License-Identifier: MIT

/// Where the details of the selected transfer stand.
package enum PanePlace: String, Sendable, CaseIterable {
    /// Below the list, or at its right in a window that is wide and not high.
    case auto
    case right, bottom
}

/// The rows of each part of the screen, by the height of the window. The list is dropped last.
struct ScreenLayout: Hashable {
    var header: Int?
    /// The tabs of the views.
    var views: Int?
    var headings: Int?
    /// The list, or a view over it.
    var list: Range<Int>
    /// Why the selected transfer is as it is.
    var why: Int?
    /// Details of the selected transfer, instead of ``why``; the first row is its title.
    var pane: Range<Int>?
    /// The columns of ``pane``: all if it is below the list.
    var paneColumns: Range<Int>
    /// The width of the list; a blank column separates it from a pane at its right.
    var listColumns: Int { isPaneRight ? paneColumns.lowerBound - 1 : paneColumns.upperBound }
    var isPaneRight: Bool { paneColumns.lowerBound > 0 }
    /// The column of the pane in which its text begins: at the right of the list behind its edge.
    var paneInset: Int { isPaneRight ? 2 : 1 }
    /// The width of that text.
    var paneText: Int { paneColumns.count - paneInset }
    /// How many tabs the pane shows side by side, if the first is the information.
    var panePanels: Int {
        guard pane != nil, !isPaneRight else { return 1 }
        return paneColumns.count >= 180 ? 3 : paneColumns.count >= 120 ? 2 : 1
    }
    var total: Int?
    /// Hints, a notice, or the prompt.
    var bottom: Int?

    /// The rows of a view over the list: all between headings and totals.
    var body: Range<Int> {
        (views.map { $0 + 1 } ?? header.map { $0 + 1 } ?? 0)..<(why ?? pane?.upperBound ?? list.upperBound)
    }

    /// The rows of `count` lines over the list, and the row that says which of them are shown; `nil` if all are.
    func cover(_ count: Int) -> (text: Range<Int>, note: Int?) {
        guard count > body.count else { return (body, nil) }
        if let why { return (body, why) }
        return body.count > 2 ? (body.dropLast(), body.last) : (body, nil)
    }

    /// The height from which each part is shown.
    private static let hints = 2, header = 4, why = 8, headings = 14, views = 18
    /// The height from which the pane is shown, or with ``wide`` columns.
    private static let pane = 30, paneIfWide = 20, wide = 110

    /// The width from which the pane can be at the right, and from which it is in a window of less than ``pane`` rows;
    /// and its own.
    static let right = 120
    private static let rightIfLow = 160, rightColumns = 48...80

    private static func isRight(_ place: PanePlace, columns: Int, rows: Int) -> Bool {
        guard rows >= paneIfWide else { return false }
        return switch place {
        case .auto: columns >= rightIfLow && rows < pane
        case .right: columns >= right
        case .bottom: false
        }
    }

    /// - Parameters:
    ///   - hasPane: whether the pane is wanted.
    ///   - listRows: the rows that the list needs; what it leaves empty is for the pane below it.
    ///   - paneLines: the lines that the pane has for these, all below its title; 0: it has its usual height.
    init(
        columns: Int, rows: Int, hasPane: Bool = true, place: PanePlace = .auto, listRows: Int = 0, paneLines: Int = 0
    ) {
        paneColumns = 0..<columns
        var top = 0
        var end = rows
        func takeTop(_ isShown: Bool) -> Int? {
            guard isShown else { return nil }
            top += 1
            return top - 1
        }
        func takeBottom(_ isShown: Bool) -> Int? {
            guard isShown else { return nil }
            end -= 1
            return end
        }
        header = takeTop(rows >= Self.header)
        views = takeTop(rows >= Self.views)
        headings = takeTop(rows >= Self.headings)
        bottom = takeBottom(rows >= Self.hints)
        total = takeBottom(rows >= Self.headings)
        if hasPane, Self.isRight(place, columns: columns, rows: rows) {
            let width = min(Self.rightColumns.upperBound, max(Self.rightColumns.lowerBound, columns * 2 / 5))
            paneColumns = columns - width..<columns
            pane = (headings ?? top)..<end
        } else if hasPane, rows >= Self.pane || rows >= Self.paneIfWide && columns >= Self.wide {
            let usual = min(14, max(8, rows * 3 / 10))
            let spare = end - usual - top - max(1, listRows)
            let height = usual + max(0, min(spare, paneLines + 1 - usual))
            pane = end - height..<end
            end -= height
        } else {
            why = takeBottom(rows >= Self.why)
        }
        list = top..<max(top + 1, end)
    }
}
