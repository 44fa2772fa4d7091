// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Reads lines from the controlling terminal during a run.
final class TerminalPrompt: Sendable {
    private let terminal: Int32
    /// Writing to `alarm` cancels a question.
    private let ear: Int32
    private let alarm: Int32
    /// Terminal settings before echo was disabled.
    private let before: Mutex<termios?> = Mutex(nil)

    /// `nil` without a terminal.
    init?() {
        terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var ends: [Int32] = [-1, -1]
        guard terminal >= 0, pipe(&ends) == 0 else {
            (ear, alarm) = (-1, -1)
            return nil
        }
        (ear, alarm) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit { for descriptor in [terminal, ear, alarm] where descriptor >= 0 { close(descriptor) } }

    /// Shows a text and reads a line. Blocks. Discards earlier input.
    /// - Returns: `nil` at the end of input, and after ``cancel()``.
    func line(_ prompt: String, isHidden: Bool) -> String? {
        var found = termios()
        guard tcgetattr(terminal, &found) == 0 else { return nil }
        if isHidden {
            before.withLock { $0 = found }
            // Ctrl-C and Ctrl-Z arrive as characters, so that nothing stops the process while echo is off.
            found.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        }
        tcsetattr(terminal, TCSAFLUSH, &found)
        FileOutput(descriptor: terminal).write(prompt)
        let answer = read()
        if isHidden || answer == nil { FileOutput(descriptor: terminal).write("\n") }
        restore()
        return answer.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Cancels the current and all later questions.
    func cancel() { _ = write(alarm, [0], 1) }

    /// Re-enables echo. Must not block.
    func restore() {
        guard
            var found = before.withLock({ found in
                defer { found = nil }
                return found
            })
        else { return }
        tcsetattr(terminal, TCSANOW, &found)
    }

    private func read() -> [UInt8]? {
        var line = TypedArguments()
        var watched = [
            pollfd(fd: terminal, events: Int16(POLLIN), revents: 0), pollfd(fd: ear, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&watched, 2, -1) >= 0 || errno == EINTR else { return nil }
            if watched[1].revents != 0 { return nil }
            guard watched[0].revents != 0 else { continue }
            var byte: UInt8 = 0
            let count = Glibc.read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch line.take(byte) {
            case .more: continue
            case .done: return line.bytes
            case .ended: return nil
            case .interrupted:
                kill(getpid(), SIGINT)
                return nil
            }
        }
    }
}

/// A line editor for bytes of a terminal in non-canonical mode.
struct TypedArguments {
    enum Verdict { case more, done, ended, interrupted }

    private(set) var bytes: [UInt8] = []

    mutating func take(_ byte: UInt8) -> Verdict {
        switch byte {
        case 0x0a, 0x0d: return .done
        case 0x03: return .interrupted
        case 0x04: if bytes.isEmpty { return .ended }
        case 0x15: bytes.removeAll()
        case 0x08, 0x7f:
            while let last = bytes.popLast(), last & 0xc0 == 0x80 {}
        default: if byte >= 0x20 { bytes.append(byte) }
        }
        return .more
    }
}
