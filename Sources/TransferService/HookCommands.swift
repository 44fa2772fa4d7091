// SPDX-License-Identifier: MIT

import SessionCore
package import TransferModel

/// Events that can run a program.
package enum HookEvent: String, Sendable, Hashable, CaseIterable {
    /// A transfer starts for the first time, or again after `retry`.
    case start
    case complete
    case error
    /// The user paused it, or it needs the user: a question, a full disk.
    case pause
    /// The last transfer that could run has ended.
    case idle

    /// Its key in the configuration.
    package var key: String { "on-\(rawValue)" }

    init?(_ name: TransferEvent.Name) {
        switch name {
        case .completed: self = .complete
        case .failed: self = .error
        case .paused: self = .pause
        default: return nil
        }
    }
}

/// The program of each event, and the time each may take.
package struct HookCommands: Sendable, Hashable {
    /// The program, looked up in `PATH`, and its arguments. No shell parses them; nothing is substituted.
    package var commands: [HookEvent: [String]]
    /// Seconds, after which the program is killed.
    package var timeout: Double

    package init(_ commands: [HookEvent: [String]] = [:], timeout: Double = 60) {
        self.commands = commands
        self.timeout = timeout
    }
}

/// The environment variables that describe an event to a program.
package enum HookVariables {
    /// All that may be set; those that do not apply to an event are absent.
    package static let names = [
        "FILEQ_EVENT", "FILEQ_ID", "FILEQ_STATE", "FILEQ_KIND", "FILEQ_PATH", "FILEQ_URL", "FILEQ_BYTES",
        "FILEQ_REASON",
        "FILEQ_ERROR", "FILEQ_ERROR_CODE",
    ]

    static func make(
        _ event: HookEvent, _ transfer: Transfer?, _ words: TransferWords = .plain
    ) -> [String: String] {
        var variables = ["FILEQ_EVENT": event.rawValue]
        guard let transfer else { return variables }
        variables["FILEQ_ID"] = "\(transfer.id)"
        variables["FILEQ_STATE"] = transfer.state.rawValue
        variables["FILEQ_KIND"] = transfer.kind.rawValue
        variables["FILEQ_PATH"] = transfer.file
        // Without user information, as in every record: a program's environment is visible to other processes of the
        // user, and the program may log it.
        variables["FILEQ_URL"] = TransferURL.displayed(transfer.url)
        variables["FILEQ_BYTES"] = "\(transfer.bytes)"
        variables["FILEQ_REASON"] = words.reason(transfer)
        variables["FILEQ_ERROR"] = words.failure(transfer)
        variables["FILEQ_ERROR_CODE"] = transfer.error.map { "\($0.code.rawValue)" }
        return variables
    }

    /// The entries `NAME=VALUE` of a process's environment, with all variables of ``names`` replaced by `variables`.
    static func environment(_ base: [String], with variables: [String: String]) -> [String] {
        let kept = base.filter { entry in !names.contains { entry.hasPrefix($0 + "=") } }
        return kept + variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
}

/// How the run of one program ended.
package struct HookReport: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case succeeded
        /// It exited with a code other than 0.
        case failed(exitCode: Int32)
        /// A signal that this process did not send ended it.
        case killed(signal: Int32)
        /// The program and its process group were killed after so many seconds.
        case timedOut(after: Double)
        /// The same, because the queue ended.
        case interrupted
        case notStarted(errno: Int32)
        /// This and further programs, `count` in all, were never run: the queue of programs was full, or the transfer
        /// queue ended.
        case dropped(count: Int)
    }

    package var event: HookEvent
    /// `nil` for an event that belongs to no transfer.
    package var transfer: TransferID?
    package var outcome: Outcome
    /// The first 4 KiB of its standard output and error. Raw.
    package var output: String

    /// One line for a log, without the output.
    package var message: String {
        let name = transfer.map { "\(event.key) of transfer \($0)" } ?? event.key
        return switch outcome {
        case .succeeded: "\(name): done"
        case .failed(let exitCode): "\(name): the program ended with exit code \(exitCode)"
        case .killed(let signal): "\(name): the program was ended by signal \(signal)"
        case .timedOut(let seconds):
            "\(name): the program had not ended after \(Int(seconds.rounded(.up))) s and was killed"
        case .interrupted: "\(name): the program was still running as the queue ended, and was killed"
        case .notStarted(let errno): "\(name): the program could not be started: \(TransferError.phrase(errno: errno))"
        case .dropped(let count): "\(name): not run" + (count > 1 ? ", nor \(count - 1) more in line" : "")
        }
    }
}
