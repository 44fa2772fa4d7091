// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The title of the terminal's window or tab: how many transfers are active, and how far all are. No I/O.
struct WindowTitle: Sendable {
    /// The terminal keeps its title, and shows it again (XTWINOPS 22 and 23); one that keeps none gets an empty one.
    static let saved = "\u{1b}[22;2t", restored = "\u{1b}]2;\u{7}\u{1b}[23;2t"

    /// Types of terminals that have one, as they begin.
    private static let types = [
        "xterm", "tmux", "screen", "rxvt", "foot", "alacritty", "konsole", "vte", "gnome", "wezterm", "ghostty", "st-",
        "contour", "mintty",
    ]

    private let name: String
    private var last: String?

    /// `nil` if the terminal is not known to have one.
    init?(_ name: String, environment: [String: String]) {
        let type = environment["TERM"] ?? ""
        guard Self.types.contains(where: { type.hasPrefix($0) }) else { return nil }
        self.name = TextSanitizer.clean(name)
    }

    /// The sequence that sets it; `nil` if it is unchanged.
    mutating func report(_ tally: Tally) -> String? {
        let active = tally[.running] + tally[.verifying]
        var parts = active > 0 ? ["\(active) active"] : []
        if active > 0, let fraction = tally.fraction { parts.append("\(Int(fraction * 100))%") }
        if tally[.failed] > 0 { parts.append("\(tally[.failed]) failed") }
        let text = parts.isEmpty ? name : "\(name): \(parts.joined(separator: ", "))"
        guard text != last else { return nil }
        last = text
        return "\u{1b}]2;\(text)\u{7}"
    }

    /// The shell may have set another one.
    mutating func forget() { last = nil }
}
