// SPDX-License-Identifier: MIT

/// The rows of each part of the screen. The list is dropped last.
struct ScreenLayout: Hashable {
    var header: Int?
    /// The list, or a view over it.
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
