// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import TransferModel

/// Asks for a password on the controlling terminal, whatever standard input and output are.
///
/// The terminal is put back on every way out, the keys that end a program included.
enum PasswordPrompt {
    /// - Throws: code `usage` without a terminal, `interrupted` after Ctrl-C.
    static func ask(_ prompt: String) throws(TransferError) -> String {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else {
            throw TransferError(
                .usage,
                "a password is needed and there is no terminal to ask on; "
                    + "use --password-file or a netrc entry")
        }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else {
            throw TransferError(.usage, "a password is needed and the terminal cannot hide it; use --password-file")
        }
        // Ctrl-C and Ctrl-Z arrive as characters, so that nothing can end the process while the echo is off.
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        // What was ignored, as under nohup, stays so.
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

    /// `nil` after Ctrl-C, or Ctrl-D on an empty line.
    private static func readLine(_ terminal: Int32) -> [UInt8]? {
        var line = TypedLine()
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

    private static func restoring(
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
