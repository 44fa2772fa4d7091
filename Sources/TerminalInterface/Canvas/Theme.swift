// SPDX-License-Identifier: MIT

import Glibc

/// The colours of a screen.
package enum Theme: String, Sendable, CaseIterable {
    /// ``dark`` or ``light``, as the terminal's background is; ``dark`` if it does not say.
    case auto
    case dark, light
    case highContrast = "high-contrast"
    /// No colours at all.
    case monochrome
    case gruvbox, nord

    /// The colours that the terminal can show.
    enum Depth: Hashable, Sendable { case none, basic, palette, direct }

    /// Colour numbers as the terminal counts them, -1 for its own; and weight.
    struct Look: Hashable, Sendable {
        var foreground = -1
        var background = -1
        var isBold = false
        var isDim = false
        var isReversed = false
    }

    /// Of the selected row, colour and ground at least. Names and words in grey need more, lines that say nothing less.
    private static func leastContrast(_ role: Style.Role) -> Double {
        switch role {
        case .faint: 4
        case .track: 2
        case .plain, .key, .upload, .waits, .failed, .done: 2.5
        }
    }

    /// - Parameter luminance: of the terminal's background, 0…255; -1 if unknown.
    func resolved(luminance: Int) -> Theme { self != .auto ? self : luminance > 127 ? .light : .dark }

    /// The background as `COLORFGBG` states it (Konsole, rxvt), the number of the colour last: `0;15`. -1 without one.
    static func luminance(_ variable: String?) -> Int {
        guard let number = variable?.split(separator: ";").last.flatMap({ Int($0) }) else { return -1 }
        return number == 7 || (9...15).contains(number) ? 255 : 0
    }

    /// The look of `style`; without colours, weight alone distinguishes it.
    func look(of style: Style, _ depth: Depth) -> Look {
        let isColoured = depth != .none && self != .monochrome
        // 16 colours have no quiet ground, and no one knows which they are: the terminal's own two are readable.
        if style.isSelected, !isColoured || depth == .basic { return Look(isBold: style.isBold, isReversed: true) }
        guard isColoured else {
            return Look(
                isBold: style.isBold || style.role == .key || style.role == .failed,
                isDim: style.role == .faint || style.role == .track)
        }
        // 16 colours have one grey.
        var look = Look(isBold: style.isBold, isDim: style.role == .track && depth == .basic)
        let colours = palette
        let colour = colours.roles[style.role]
        if let colour { look.foreground = colour.number(depth) }
        if style.isSelected {
            look.background = colours.ground.number(depth)
            // The terminal's own text may be of the same lightness, and so may a colour: its glyph and words say it.
            // What is still to come of a bar stays fainter than what is done.
            let choices = [colour, style.role == .track ? colours.roles[.faint] : nil].compactMap(\.self)
            let readable = choices.first {
                Self.contrast($0.rgb, colours.ground.rgb) >= Self.leastContrast(style.role)
            }
            look.foreground = (readable ?? colours.text).number(depth)
        }
        return look
    }

    /// Of two colours as 0xRRGGBB, 1…21, as WCAG 2.2 defines it.
    static func contrast(_ left: Int, _ right: Int) -> Double {
        func luminance(_ colour: Int) -> Double {
            func linear(_ shift: Int) -> Double {
                let part = Double((colour >> shift) & 255) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
        }
        let (left, right) = (luminance(left) + 0.05, luminance(right) + 0.05)
        return max(left, right) / min(left, right)
    }

    private struct Colour {
        /// 0xRRGGBB
        var rgb: Int
        /// The colour among 256.
        var palette: Int
        /// The colour among 16.
        var basic: Int

        func number(_ depth: Depth) -> Int {
            switch depth {
            case .direct: rgb
            case .palette: palette
            case .basic: basic
            case .none: -1
            }
        }
    }

    private typealias Palette = (roles: [Style.Role: Colour], ground: Colour, text: Colour)

    private var palette: Palette {
        switch self {
        case .auto, .dark, .monochrome: Self.darkPalette
        case .light: Self.lightPalette
        case .highContrast: Self.contrastPalette
        case .gruvbox: Self.gruvboxPalette
        case .nord: Self.nordPalette
        }
    }

    private static func palette(
        key: (Int, Int), upload: (Int, Int), waits: (Int, Int), failed: (Int, Int), done: (Int, Int),
        faint: (Int, Int), track: (Int, Int), ground: (Int, Int), text: (Int, Int)
    ) -> Palette {
        func colour(_ both: (Int, Int), _ basic: Int) -> Colour { Colour(rgb: both.0, palette: both.1, basic: basic) }
        return (
            [
                .key: colour(key, 6), .upload: colour(upload, 5), .waits: colour(waits, 3), .failed: colour(failed, 1),
                .done: colour(done, 2), .faint: colour(faint, 8),
                .track: colour(track, 8),
            ], colour(ground, -1), colour(text, -1)
        )
    }

    private static let darkPalette = palette(
        key: (0x5fd7d7, 80), upload: (0xd7a0d7, 176), waits: (0xd7af5f, 179), failed: (0xff6b6b, 203),
        done: (0x87af87, 108), faint: (0x8a8a8a, 245), track: (0x585858, 240), ground: (0x454f66, 239),
        text: (0xd5d9e0, 253))
    private static let lightPalette = palette(
        key: (0x00707f, 30), upload: (0x8a3a8a, 90), waits: (0x855f00, 94), failed: (0xb3261e, 124),
        done: (0x2f6f2f, 22), faint: (0x666666, 241), track: (0xbcbcbc, 250), ground: (0xadb6c8, 249),
        text: (0x24292f, 235))
    /// Every colour at least 7:1 against black.
    private static let contrastPalette = palette(
        key: (0x00ffff, 51), upload: (0xff87ff, 213), waits: (0xffff00, 226), failed: (0xff8787, 210),
        done: (0x00ff00, 46), faint: (0xd0d0d0, 252), track: (0x9e9e9e, 247), ground: (0x444444, 238),
        text: (0xffffff, 231))
    private static let gruvboxPalette = palette(
        key: (0x83a598, 109), upload: (0xd3869b, 175), waits: (0xfabd2f, 214), failed: (0xfb4934, 167),
        done: (0xb8bb26, 142), faint: (0x928374, 245), track: (0x665c54, 241), ground: (0x625a52, 240),
        text: (0xebdbb2, 223))
    private static let nordPalette = palette(
        key: (0x88c0d0, 110), upload: (0xb48ead, 139), waits: (0xebcb8b, 222), failed: (0xbf616a, 131),
        done: (0xa3be8c, 144), faint: (0x7b88a1, 103), track: (0x56627a, 60), ground: (0x5a6680, 60),
        text: (0xd8dee9, 253))
}
