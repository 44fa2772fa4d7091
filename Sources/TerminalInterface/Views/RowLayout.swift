// SPDX-License-Identifier: MIT

/// The columns of a row. As the window narrows they shrink and disappear one by one; the name stays.
struct RowLayout: Hashable {
    /// Cursor and mark: two columns, or one for both.
    var lead: Int
    var name = 0
    /// 0: absent. The same for all that follow.
    var bar: Int
    var percent: Int
    /// 9: the long state. 5: the short one.
    var state: Int
    var rate: Int
    var eta: Int
    var size: Int

    init(width: Int) {
        let wideBar = min(40, max(20, width / 6))
        // (lead, bar, percent, state, rate, eta, size, minimum of the name)
        let choices = [
            (2, wideBar, 4, 9, 7, 7, 11, 36),
            (2, 12, 4, 9, 7, 7, 0, 24),
            (2, 10, 4, 9, 7, 0, 0, 18),
            (2, 8, 4, 5, 7, 0, 0, 14),
            (2, 0, 4, 5, 7, 0, 0, 14),
            (1, 0, 4, 5, 0, 0, 0, 12),
            (1, 0, 4, 0, 0, 0, 0, 6),
            (1, 0, 0, 0, 0, 0, 0, 0),
        ]
        (lead, bar, percent, state, rate, eta, size) = (1, 0, 0, 0, 0, 0, 0)
        for choice in choices {
            (lead, bar, percent, state, rate, eta, size) = (
                choice.0, choice.1, choice.2, choice.3, choice.4, choice.5, choice.6
            )
            name = max(0, width - fixed)
            if name >= choice.7 { break }
        }
    }

    /// Everything except the name; each column includes the space before it.
    private var fixed: Int {
        lead + 2 + [bar, percent, state, rate, eta, size].reduce(0) { $0 + ($1 > 0 ? $1 + 1 : 0) }
    }
}
