// SPDX-License-Identifier: MIT

import Dispatch
import Glibc

/// A terminal that shows no typed characters until ``end()``, or until a signal ends the process.
final class HiddenInput {
    private let terminal: Int32
    private let before: termios
    private let guarded: [Int32]
    private let guards: [any DispatchSourceSignal]

    /// `nil` if the descriptor is no terminal.
    init?(_ terminal: Int32) {
        var found = termios()
        guard tcgetattr(terminal, &found) == 0 else { return nil }
        (self.terminal, before) = (terminal, found)
        // Keeps ignored signals ignored, as under nohup.
        guarded = [SIGINT, SIGQUIT, SIGTERM, SIGHUP].filter { !Interruption.isIgnored($0) }
        guards = guarded.map { [found] in PasswordPrompt.restoring(terminal, to: found, onSignal: $0) }
        var silent = found
        // The line break is shown.
        silent.c_lflag = silent.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL)
        tcsetattr(terminal, TCSANOW, &silent)
    }

    func end() {
        var before = before
        tcsetattr(terminal, TCSANOW, &before)
        for guardian in guards { guardian.cancel() }
        for number in guarded { signal(number, SIG_DFL) }
    }
}
