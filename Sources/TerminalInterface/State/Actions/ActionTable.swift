// SPDX-License-Identifier: MIT

/// The single table of actions, with their default keys. ``KeyMap``, and through it key dispatch, hint line, help
/// overlay, man page and `fileq keys`, are generated from it.
enum ActionTable {
    static let all: [Action] = moving + views + transfers + queue + screen

    private static let screen: [Action] = [
        Action(
            .help, ["?", .function(1)], "help", "all keys, as a menu; again: back", hint: 1,
            change: { $0.mode = .help(HelpMenu()) }),
        Action(.redraw, [.control("l")], "redraw", "redraw the screen", .keepsRange, perform: { _ in [.redraw] }),
        Action(.suspend, [.control("z")], "suspend", "suspend to the shell; fg resumes", perform: { _ in [.suspend] }),
        Action(
            .quit, ["q"], "quit", "quit; from details: back to the list", hint: 0,
            wordNow: { $0.overlay == nil ? nil : "back" },
            perform: { state in
                guard state.overlay != nil else { return [.quit(isConfirmed: false)] }
                state.cover(nil)
                return []
            }),
        Action(
            .interrupt, [.control("c")], "quit at once", "quit from anywhere; twice: without asking",
            perform: { _ in [.quit(isConfirmed: false)] }),
    ]
}
