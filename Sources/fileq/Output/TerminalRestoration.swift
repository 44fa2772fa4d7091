// SPDX-License-Identifier: MIT

import Glibc

/// Restores the cursor when the process crashes.
enum TerminalRestoration {
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP, SIGQUIT, SIGSYS]

    static func arm() {
        var action = sigaction()
        // Only async-signal-safe calls: write(2) of constant bytes and raise(3). The default action follows.
        action.__sigaction_handler.sa_handler = { number in
            TerminalRestoration.writeNow()
            raise(number)
        }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        for number in crashes { sigaction(number, &action, nil) }
    }

    static func disarm() {
        for number in crashes { signal(number, SIG_DFL) }
    }

    /// Does not block on a stopped terminal (Ctrl-S).
    static func writeNow() {
        let text: StaticString = "\u{1b}[?25h\u{1b}[?7h\u{1b}[0m\r\n"
        var poller = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&poller, 1, 0) == 1 else { return }
        _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
