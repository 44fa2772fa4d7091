// SPDX-License-Identifier: MIT

import Platform
import SessionCore
package import TransferModel

/// What a program can be run for.
package enum HookEvent: String, Sendable, Hashable, CaseIterable {
    /// A transfer starts for the first time, or anew by `retry`.
    case start
    case complete
    case error
    /// By its owner, or because it needs one: a question, a full disk.
    case pause
    /// The last transfer has ended that was to run.
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

/// Which programs are run, and how long each may take.
package struct HookCommands: Sendable, Hashable {
    /// The program, looked up in `PATH`, and its arguments. No shell reads them; nothing is put into them.
    package var commands: [HookEvent: [String]]
    /// Seconds; what takes longer is ended.
    package var timeout: Double

    package init(_ commands: [HookEvent: [String]] = [:], timeout: Double = 60) {
        self.commands = commands
        self.timeout = timeout
    }
}

/// The variables that tell a program what happened.
package enum HookVariables {
    /// All that may be set; those that say nothing of an event are not there.
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
        // Without user information, as in every record.
        // What starts a program shows in its environment, and a program that logs it is not asked.
        variables["FILEQ_URL"] = TransferURL.displayed(transfer.url)
        variables["FILEQ_BYTES"] = "\(transfer.bytes)"
        variables["FILEQ_REASON"] = words.reason(transfer)
        variables["FILEQ_ERROR"] = transfer.error?.message
        variables["FILEQ_ERROR_CODE"] = transfer.error.map { "\($0.code.rawValue)" }
        return variables
    }

    /// `NAME=VALUE` of a process's environment with `variables` in the place of whatever bore their names.
    static func environment(_ base: [String], with variables: [String: String]) -> [String] {
        let kept = base.filter { entry in !names.contains { entry.hasPrefix($0 + "=") } }
        return kept + variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
}

/// How the run of one program ended.
package struct HookReport: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case succeeded
        /// By itself, with a code other than 0.
        case failed(exitCode: Int32)
        /// By a signal that did not come from here.
        case killed(signal: Int32)
        /// It and all in its process group were ended after so many seconds.
        case timedOut(after: Double)
        /// The same, as the queue itself ended.
        case interrupted
        case notStarted(errno: Int32)
        /// So many, this one among them, were never run: too many were in line, or the queue ended.
        case dropped(count: Int)
    }

    package var event: HookEvent
    /// `nil` for an event that is no transfer's.
    package var transfer: TransferID?
    package var outcome: Outcome
    /// The first 4 KiB of what it wrote, to standard output and error. Raw.
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
        case .notStarted(let errno): "\(name): the program could not be started: \(SystemError.phrase(errno))"
        case .dropped(let count): "\(name): not run" + (count > 1 ? ", nor \(count - 1) more in line" : "")
        }
    }
}
