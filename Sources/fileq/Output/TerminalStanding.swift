// SPDX-License-Identifier: MIT

import Glibc

/// Whether the process may ask on its controlling terminal.
enum TerminalStanding: Sendable, Equatable {
    case foreground
    /// Another job of the shell uses it: a prompt would invite a reply that the shell gets.
    case background
    /// It is no longer the terminal of this process, or no shell can bring the process to the foreground.
    case gone

    /// - Parameter terminal: the controlling terminal, open.
    init(_ terminal: Int32) {
        let group = tcgetpgrp(terminal)
        if group < 0 {
            self = .gone
        } else if group == getpgrp() {
            self = .foreground
        } else {
            // The parent of a job is in the session of its shell.
            self = getsid(getppid()) == getsid(0) ? .background : .gone
        }
    }

    /// In the background, stops the job, as a terminal stops one that reads, until the shell continues it in the
    /// foreground.
    static func stopInBackground(_ terminal: Int32) {
        while TerminalStanding(terminal) == .background {
            kill(0, SIGTTIN)
            // Where the signal is ignored, it stops nothing.
            poll(nil, 0, 200)
        }
    }
}

/// Waits until the process may ask on its terminal.
struct ForegroundWait: Sendable {
    enum Outcome: Sendable, Equatable { case foreground, gone, cancelled }

    /// Milliseconds. The shell notifies a running job of nothing.
    private static let interval: Int32 = 200

    var standing: @Sendable (Int32) -> TerminalStanding = { TerminalStanding($0) }
    /// Called once for each wait, when it begins.
    var report: @Sendable () -> Void = { StandardError.say("a question awaits a reply; 'fg' shows it") }

    /// Blocks.
    /// - Parameter ear: input on it cancels the wait; -1: nothing does.
    func callAsFunction(_ terminal: Int32, cancelledBy ear: Int32 = -1) -> Outcome {
        var hasReported = false
        while true {
            switch standing(terminal) {
            case .foreground: return .foreground
            case .gone: return .gone
            case .background: break
            }
            if !hasReported { report() }
            hasReported = true
            // poll(2) ignores a negative descriptor.
            var watched = pollfd(fd: ear, events: Int16(POLLIN), revents: 0)
            if poll(&watched, 1, Self.interval) > 0 { return .cancelled }
        }
    }
}
