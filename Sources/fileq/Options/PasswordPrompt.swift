// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import TransferModel

/// Prompts for a password on the controlling terminal, whatever standard input and output are.
///
/// Restores the terminal on every exit path, including signals from the keyboard.
enum PasswordPrompt {
    /// In the background it waits for the foreground first.
    /// - Throws: code `usage` without a terminal, `interrupted` after Ctrl-C.
    static func ask(_ prompt: String) throws(TransferError) -> String {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw noTerminal }
        defer { close(terminal) }
        guard ForegroundWait()(terminal) == .foreground else { throw noTerminal }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else {
            throw TransferError(.usage, "a password is needed, but the terminal cannot hide it; use --password-file")
        }
        // Ctrl-C and Ctrl-Z arrive as characters, so that nothing ends the process while echo is off.
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        // Keeps ignored signals ignored, as under nohup.
        let guarded = [SIGINT, SIGQUIT, SIGTERM, SIGHUP].filter { !Interruption.isIgnored($0) }
        let guards = guarded.map { restoring(terminal, to: before, onSignal: $0) }
        defer {
            for guardian in guards { guardian.cancel() }
            for number in guarded { signal(number, SIG_DFL) }
        }
        tcsetattr(terminal, TCSAFLUSH, &silent)
        FileOutput(descriptor: terminal).write(prompt)
        let answer = readLine(terminal)
        tcsetattr(terminal, TCSAFLUSH, &before)
        FileOutput(descriptor: terminal).write("\n")
        guard let answer else { throw TransferError(.interrupted, "interrupted") }
        return String(decoding: answer, as: UTF8.self)
    }

    private static var noTerminal: TransferError {
        TransferError(
            .usage,
            "a password is needed, but there is no terminal; "
                + "use --password-file or a netrc entry")
    }

    /// `nil` after Ctrl-C, or Ctrl-D on an empty line.
    private static func readLine(_ terminal: Int32) -> [UInt8]? {
        var line = TypedArguments()
        var byte: UInt8 = 0
        while true {
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch line.take(byte) {
            case .more: continue
            case .done: return line.bytes
            case .ended, .interrupted: return nil
            }
        }
    }

    /// Restores the terminal and ends the process when the signal arrives.
    static func restoring(
        _ terminal: Int32, to before: termios, onSignal number: Int32
    ) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            var before = before
            tcsetattr(terminal, TCSAFLUSH, &before)
            _exit(128 + number)
        }
        source.activate()
        return source
    }
}
