// SPDX-License-Identifier: MIT

/// The look of a cell by its meaning; a ``Theme`` chooses colours. Colour only emphasizes what text already says.
struct Style: Hashable, Sendable {
    enum Role: UInt8, Sendable, CaseIterable {
        case plain
        /// Keys, the selection's bar, what moves.
        case key
        /// Rates of uploads.
        case upload
        /// Transfers that wait or ask.
        case waits
        case failed, done, faint
        /// The part of a bar that is still to come: fainter than text may be.
        case track
    }

    var role: Role = .plain
    var isBold = false
    /// On the background of the selected row.
    var isSelected = false

    static let plain = Style()
    static let bold = Style(isBold: true)
    static let faint = Style(role: .faint)
    static let key = Style(role: .key, isBold: true)
    static let moving = Style(role: .key)
    static let upload = Style(role: .upload)
    static let warning = Style(role: .waits)
    static let failure = Style(role: .failed, isBold: true)
    static let done = Style(role: .done)
    static let track = Style(role: .track)

    /// One of ``count``, for the terminal's table.
    var index: UInt8 { role.rawValue * 4 + (isBold ? 1 : 0) + (isSelected ? 2 : 0) }

    static let count = Role.allCases.count * 4

    /// In the order of ``index``.
    static let all: [Style] = Role.allCases.flatMap { role in
        [false, true].flatMap { selected in
            [false, true].map { Style(role: role, isBold: $0, isSelected: selected) }
        }
    }
}
