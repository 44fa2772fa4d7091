// SPDX-License-Identifier: MIT

import TransferModel

/// The private progress report (OSC 9;4) of terminals that show it in the task bar. Sent only to those known to support
/// it.
struct TaskbarProgress: Sendable {
    static let cleared = "\u{1b}]9;4;0;0\u{7}"
    private var last = cleared

    /// `nil` if the terminal is not known to support it.
    init?(environment: [String: String]) {
        let program = environment["TERM_PROGRAM"]?.lowercased()
        let isKnown =
            environment["WT_SESSION"] != nil || environment["ConEmuANSI"] == "ON" || program == "wezterm"
            || program == "ghostty"
        guard isKnown, environment["TMUX"] == nil else { return nil }
    }

    /// The sequence for `tally`; `nil` if unchanged.
    mutating func report(_ tally: Tally) -> String? {
        let text =
            if tally.active == 0 {
                Self.cleared
            } else if let fraction = tally.fraction {
                "\u{1b}]9;4;\(tally[.failed] > 0 ? 2 : 1);\(Int(fraction * 100))\u{7}"
            } else {
                "\u{1b}]9;4;3;0\u{7}"
            }
        guard text != last else { return nil }
        last = text
        return text
    }
}
