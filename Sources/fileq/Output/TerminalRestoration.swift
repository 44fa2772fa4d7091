// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Restores the terminal when the process ends without an orderly end.
enum TerminalRestoration {
    private static let isArmed = Atomic(false)
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP, SIGQUIT, SIGSYS]

    /// To be called before the terminal is changed.
    static func arm() {
        isArmed.store(true, ordering: .sequentiallyConsistent)
        var action = sigaction()
        // Only async-signal-safe calls: write(2) of constant bytes and raise(3). The default action follows.
        action.__sigaction_handler.sa_handler = { number in
            TerminalRestoration.writeNow()
            raise(number)
        }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        for number in crashes { sigaction(number, &action, nil) }
    }

    /// The terminal is as it was.
    static func disarm() {
        isArmed.store(false, ordering: .sequentiallyConsistent)
        for number in crashes { signal(number, SIG_DFL) }
    }

    /// Does nothing unless the terminal is changed. Does not block on a stopped one (Ctrl-S).
    static func writeNow() {
        guard isArmed.load(ordering: .sequentiallyConsistent) else { return }
        let text: StaticString = "\u{1b}[?7h\u{1b}[0m\r\n"
        var poller = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&poller, 1, 0) == 1 else { return }
        _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
