// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization

/// A terminal that shows no typed characters until ``end()``, or until a signal ends the process.
///
/// Ctrl-Z is a character meanwhile, so that nothing typed stops the process while echo is off.
final class HiddenInput: Sendable {
    /// The signals that end the process; echo is on again then.
    static let endings = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]

    private struct State {
        /// The settings to restore; `nil` after the end.
        var before: termios?
        var sources: [any DispatchSourceSignal] = []
    }

    private let terminal: Int32
    private let guarded: [Int32]
    private let standing: @Sendable (Int32) -> TerminalStanding
    private let whenContinued: @Sendable () -> Void
    private let state: Mutex<State>

    /// `nil` if the descriptor is no terminal.
    /// - Parameter whenContinued: called after the process was stopped, on any thread: the shell has written to the
    ///   terminal, and the prompt is to be shown again.
    init?(
        _ terminal: Int32, endings: [Int32] = HiddenInput.endings,
        standing: @escaping @Sendable (Int32) -> TerminalStanding = { TerminalStanding($0) },
        whenContinued: @escaping @Sendable () -> Void
    ) {
        var found = termios()
        guard tcgetattr(terminal, &found) == 0 else { return nil }
        self.terminal = terminal
        self.standing = standing
        self.whenContinued = whenContinued
        // Keeps ignored signals ignored, as under nohup.
        guarded = endings.filter { !Interruption.isIgnored($0) }
        state = Mutex(State(before: found))
        state.withLock { state in
            for number in guarded {
                state.sources.append(PasswordPrompt.restoring(onSignal: number) { [weak self] in self?.restore() })
            }
            let continuation = DispatchSource.makeSignalSource(signal: SIGCONT, queue: .global())
            continuation.setEventHandler { [weak self] in self?.continued() }
            continuation.activate()
            state.sources.append(continuation)
        }
        hide(found)
    }

    private func hide(_ found: termios) {
        var silent = found
        // The line break is shown.
        silent.c_lflag = silent.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL)
        // _POSIX_VDISABLE is 0.
        withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VSUSP)] = 0 }
        tcsetattr(terminal, TCSANOW, &silent)
    }

    /// The process was stopped: the shell has settings of its own in force.
    func continued() {
        let isHidden = state.withLock { state -> Bool in
            guard let before = state.before, standing(terminal) == .foreground else { return false }
            var found = termios()
            guard tcgetattr(terminal, &found) == 0 else { return false }
            // Some shells put the settings in force that a job had when it stopped.
            if found.c_lflag & tcflag_t(ECHO) == 0 { found = before }
            state.before = found
            hide(found)
            return true
        }
        if isHidden { whenContinued() }
    }

    private func restore() {
        state.withLock { state in
            guard var before = state.before else { return }
            state.before = nil
            tcsetattr(terminal, TCSANOW, &before)
        }
    }

    func end() {
        restore()
        state.withLock { state in
            for source in state.sources { source.cancel() }
            state.sources = []
        }
        for number in guarded { signal(number, SIG_DFL) }
    }
}
