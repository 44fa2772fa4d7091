// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization

/// A reply to a question on the terminal.
enum TypedLine: Sendable, Equatable {
    case line(String)
    /// The end of input: Ctrl-D, or the terminal is gone.
    case ended
    /// The run is being stopped.
    case cancelled
}

/// Reads lines from the controlling terminal during a run.
final class TerminalPrompt: Sendable {
    private let terminal: Int32
    private let awaitForeground: ForegroundWait
    private let onInterrupt: @Sendable () -> Void
    /// Writing to `alarm` cancels a question.
    private let ear: Int32
    private let alarm: Int32
    /// Writing to `bell` shows the question again.
    private let bellEar: Int32
    private let bell: Int32
    private let continuations: Mutex<(any DispatchSourceSignal)?> = Mutex(nil)
    /// Terminal settings before echo was disabled.
    private let before: Mutex<termios?> = Mutex(nil)

    /// `nil` without a terminal.
    convenience init?(onInterrupt: @escaping @Sendable () -> Void = TerminalPrompt.interruptProcess) {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        self.init(terminal: terminal, onInterrupt: onInterrupt)
        continuations.withLock { source in
            let new = DispatchSource.makeSignalSource(signal: SIGCONT)
            new.setEventHandler { [weak self] in self?.continued() }
            new.activate()
            source = new
        }
    }

    /// - Parameters:
    ///   - terminal: is closed with this object.
    ///   - onInterrupt: what Ctrl-C does, besides cancelling the question.
    init?(
        terminal: Int32, awaitForeground: ForegroundWait = ForegroundWait(),
        onInterrupt: @escaping @Sendable () -> Void = TerminalPrompt.interruptProcess
    ) {
        var (ends, bells): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        let hasPipes = pipe(&ends) == 0 && pipe(&bells) == 0
        self.terminal = terminal
        self.awaitForeground = awaitForeground
        self.onInterrupt = onInterrupt
        (ear, alarm) = (ends[0], ends[1])
        (bellEar, bell) = (bells[0], bells[1])
        guard hasPipes else { return nil }
        for end in ends + bells { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        for end in bells { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        continuations.withLock { source in
            source?.cancel()
            source = nil
        }
        for descriptor in [terminal, ear, alarm, bellEar, bell] where descriptor >= 0 { close(descriptor) }
    }

    /// Shows a text and reads a line. Blocks, in the background until the process is in the foreground. Discards
    /// earlier input.
    func line(_ prompt: String, isHidden: Bool) -> TypedLine {
        var echoing: termios?
        while true {
            switch awaitForeground(terminal, cancelledBy: ear) {
            case .foreground: break
            case .gone: return .ended
            case .cancelled: return .cancelled
            }
            silenceBell()
            var found = termios()
            guard tcgetattr(terminal, &found) == 0 else { return .ended }
            if isHidden {
                // Some shells put the settings in force that a job had when it stopped.
                if found.c_lflag & tcflag_t(ECHO) == 0, let echoing { found = echoing }
                echoing = found
                before.withLock { $0 = found }
                // Ctrl-C and Ctrl-Z arrive as characters, so that nothing stops the process while echo is off.
                found.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
            }
            tcsetattr(terminal, TCSAFLUSH, &found)
            FileOutput(descriptor: terminal).write(prompt)
            guard let reply = read() else {
                // The shell has settings of its own in force.
                before.withLock { $0 = nil }
                continue
            }
            if isHidden || reply == .ended || reply == .cancelled { FileOutput(descriptor: terminal).write("\n") }
            restore()
            return reply
        }
    }

    /// As Ctrl-C does outside of questions.
    static let interruptProcess: @Sendable () -> Void = { _ = kill(getpid(), SIGINT) }

    /// Whether it is no longer the terminal of this process.
    var isGone: Bool { awaitForeground.standing(terminal) == .gone }

    /// Cancels the current and all later questions.
    func cancel() { _ = write(alarm, [0], 1) }

    /// The process was stopped: the shell has written to the terminal, and changed its settings.
    func continued() { _ = write(bell, [0], 1) }

    private func silenceBell() {
        var bytes = [UInt8](repeating: 0, count: 16)
        while Glibc.read(bellEar, &bytes, bytes.count) > 0 {}
    }

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

    /// `nil`: the process is in the background, or was stopped.
    private func read() -> TypedLine? {
        var line = TypedArguments()
        var watched = [terminal, ear, bellEar].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            guard poll(&watched, 3, -1) >= 0 || errno == EINTR else { return .ended }
            if watched[1].revents != 0 { return .cancelled }
            if watched[2].revents != 0 { return nil }
            guard watched[0].revents != 0 else { continue }
            // The input is the shell's. On the threads of this process, which block SIGTTIN, reading would fail.
            if awaitForeground.standing(terminal) == .background { return nil }
            // The shell may have read it before it brought the process to the foreground. Reading would block, and
            // `ear` not end that.
            guard poll(&watched, 1, 0) > 0 else { continue }
            var byte: UInt8 = 0
            let count = Glibc.read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return awaitForeground.standing(terminal) == .background ? nil : .ended }
            switch line.take(byte) {
            case .more: continue
            case .done: return .line(String(decoding: line.bytes, as: UTF8.self))
            case .ended: return .ended
            case .interrupted:
                onInterrupt()
                return .cancelled
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
