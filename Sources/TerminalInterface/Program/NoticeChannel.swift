// SPDX-License-Identifier: MIT

import TransferControl

/// How a terminal takes notifications.
struct NoticeChannel: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        /// One text: iTerm2, WezTerm, Ghostty.
        case osc9
        /// Title and body, with an identifier: kitty.
        case osc99
        /// Title and body: rxvt-unicode, foot.
        case osc777
    }

    var form: Form
    /// Whether tmux hands the sequence through, if its `allow-passthrough` is on.
    var isInTmux = false

    /// Characters of a text; notifications show fewer.
    private static let most = 200

    /// `nil` if the terminal is not known to take notifications, or the user wants another way.
    static func chosen(_ way: NotifySettings.Way, _ environment: [String: String]) -> NoticeChannel? {
        let isInTmux = environment["TMUX"] != nil
        switch way {
        case .desktop: return nil
        case .osc9: return NoticeChannel(form: .osc9, isInTmux: isInTmux)
        case .osc99: return NoticeChannel(form: .osc99, isInTmux: isInTmux)
        case .osc777: return NoticeChannel(form: .osc777, isInTmux: isInTmux)
        // What stands behind tmux or screen is not known.
        case .auto, .terminal: return isInTmux ? nil : known(environment).map { NoticeChannel(form: $0) }
        }
    }

    /// ConEmu is not among them: it takes OSC 9 for commands of its own, and shows its texts in a dialog.
    private static func known(_ environment: [String: String]) -> Form? {
        let term = environment["TERM"] ?? ""
        if term.hasPrefix("screen") || term.hasPrefix("tmux") { return nil }
        switch environment["TERM_PROGRAM"]?.lowercased() {
        case "iterm.app", "wezterm", "ghostty": return .osc9
        case "kitty": return .osc99
        default: break
        }
        // Also through ssh, which hands on nothing else.
        if term == "xterm-ghostty" || term == "wezterm" { return .osc9 }
        if term == "xterm-kitty" || environment["KITTY_WINDOW_ID"] != nil { return .osc99 }
        return term == "foot" || term.hasPrefix("foot-") || term.hasPrefix("rxvt-unicode") ? .osc777 : nil
    }

    /// The sequence that shows `notice`.
    func sequence(_ notice: EndNotice) -> String {
        let (title, body) = (Self.text(notice.title), Self.text(notice.body))
        let end = "\u{1b}\\"
        let plain =
            switch form {
            // A number in front would be a command.
            case .osc9: "\u{1b}]9;fileq: \(title)\(body.isEmpty ? "" : ": ")\(body)\(end)"
            case .osc99:
                body.isEmpty
                    ? "\u{1b}]99;i=fileq;\(title)\(end)"
                    : "\u{1b}]99;i=fileq:d=0;\(title)\(end)\u{1b}]99;i=fileq:p=body;\(body)\(end)"
            case .osc777: "\u{1b}]777;notify;\(title.replacing(";", with: ","));\(body)\(end)"
            }
        guard isInTmux else { return plain }
        return "\u{1b}Ptmux;" + plain.replacing("\u{1b}", with: "\u{1b}\u{1b}") + end
    }

    private static func text(_ raw: String) -> String {
        let clean = TextSanitizer.clean(raw)
        return clean.count > most ? clean.prefix(most - 1) + "…" : clean
    }
}
