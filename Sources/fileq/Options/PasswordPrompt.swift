// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import TransferModel

/// Prompts for a password on the controlling terminal, whatever standard input and output are.
///
/// Restores the terminal on every exit path, including signals.
enum PasswordPrompt {
    /// In the background it waits for the foreground first.
    /// - Throws: code `usage` without a terminal, `interrupted` after Ctrl-C.
    static func ask(_ prompt: String) throws(TransferError) -> String {
        guard let terminal = TerminalPrompt(onInterrupt: {}) else { throw noTerminal }
        // Keeps ignored signals ignored, as under nohup.
        let guarded = HiddenInput.endings.filter { !Interruption.isIgnored($0) }
        let guards = guarded.map { restoring(onSignal: $0) { terminal.restore() } }
        defer {
            for guardian in guards { guardian.cancel() }
            for number in guarded { signal(number, SIG_DFL) }
        }
        return try reply(to: prompt, on: terminal)
    }

    /// As ``ask(_:)``, on a terminal where Ctrl-C does nothing but cancel the question.
    static func reply(to prompt: String, on terminal: TerminalPrompt) throws(TransferError) -> String {
        switch terminal.line(prompt, isHidden: true) {
        case .line(let text): return text
        case .ended where terminal.isGone: throw noTerminal
        case .ended, .cancelled: throw TransferError(.interrupted, "interrupted")
        }
    }

    private static var noTerminal: TransferError {
        TransferError(
            .usage,
            "a password is needed, but there is no terminal; "
                + "use --password-file or a netrc entry")
    }

    /// Restores the terminal and ends the process when the signal arrives.
    static func restoring(
        onSignal number: Int32, _ restore: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            restore()
            _exit(128 + number)
        }
        source.activate()
        return source
    }
}
