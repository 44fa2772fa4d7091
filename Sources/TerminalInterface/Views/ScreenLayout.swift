// SPDX-License-Identifier: MIT

/// Which rows of the screen belong to what. The list is the last to go.
struct ScreenLayout: Hashable {
    var header: Int?
    /// Where the transfers are, or what lies over them.
    var list: Range<Int>
    var total: Int?
    /// Hints, a notice, or the prompt.
    var bottom: Int?

    init(columns: Int, rows: Int) {
        let below = rows >= 3 ? 2 : rows == 2 ? 1 : 0
        header = rows >= 6 ? 0 : nil
        list = (header == nil ? 0 : 1)..<max(1, rows - below)
        bottom = below > 0 ? rows - 1 : nil
        total = below > 1 ? rows - 2 : nil
    }
}
