// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The private progress report (OSC 9;4) of terminals that show it in the task bar. Sent only to those known to support
/// it.
struct TaskbarProgress: Sendable {
    static let cleared = "\u{1b}]9;4;0;0\u{7}"
    private var last = cleared
    /// Whether the terminal forgets a report that is not repeated: Ghostty, after 15 s.
    private let forgets: Bool
    /// Monotonic time.
    private var sentAt = 0.0
    private static let interval = 5.0

    /// `nil` if the terminal is not known to support it.
    init?(environment: [String: String]) {
        let program = environment["TERM_PROGRAM"]?.lowercased()
        let isKnown =
            environment["WT_SESSION"] != nil || environment["ConEmuANSI"] == "ON" || program == "wezterm"
            || program == "ghostty" || Self.isRecentVTE(environment["VTE_VERSION"])
            || (program == "iterm.app" && Self.isRecentITerm(environment["TERM_PROGRAM_VERSION"]))
        // What is in between, or was started from there, has inherited the variables.
        let inherits = ["TMUX", "STY", "INSIDE_EMACS", "KITTY_WINDOW_ID"].contains { environment[$0] != nil }
        guard isKnown, !inherits else { return nil }
        forgets = program == "ghostty"
    }

    /// 0.82, as `8200`.
    private static func isRecentVTE(_ version: String?) -> Bool {
        version.flatMap { Int($0) }.map { $0 >= 8200 } ?? false
    }

    /// 3.6.6
    private static func isRecentITerm(_ version: String?) -> Bool {
        let parts = (version ?? "").split(separator: ".").prefix(3).map { Int($0.prefix { $0.isNumber }) ?? 0 }
        return !parts.lexicographicallyPrecedes([3, 6, 6])
    }

    /// The sequence for `tally`; `nil` if unchanged and not forgotten.
    /// - Parameter now: monotonic time.
    mutating func report(_ tally: Tally, at now: Double) -> String? {
        let text =
            if tally.active == 0 {
                Self.cleared
            } else if let fraction = tally.fraction {
                "\u{1b}]9;4;\(tally[.failed] > 0 ? 2 : 1);\(Int(fraction * 100))\u{7}"
            } else {
                "\u{1b}]9;4;3;0\u{7}"
            }
        guard text != last || repeatsIn(now).map({ $0 <= 0 }) == true else { return nil }
        (last, sentAt) = (text, now)
        return text
    }

    /// Seconds until the report is due again; `nil`: it stays.
    func repeatsIn(_ now: Double) -> Double? {
        forgets && last != Self.cleared ? max(0, sentAt + Self.interval - now) : nil
    }
}
