// SPDX-License-Identifier: MIT

/// The visible part of a list.
enum Viewport {
    /// The first row shown: as close to `top` as possible with the selected row visible, two rows of context around it
    /// if they fit, and no blank rows at the end.
    static func top(_ top: Int, selected: Int?, count: Int, height: Int) -> Int {
        guard height > 0, count > height else { return 0 }
        var top = min(max(0, top), count - height)
        if let selected {
            let margin = min(2, (height - 1) / 2)
            top = min(top, max(0, selected - margin))
            top = max(top, min(count - height, selected + margin - height + 1))
        }
        return top
    }
}
