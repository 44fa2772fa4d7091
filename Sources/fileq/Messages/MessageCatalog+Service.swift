// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What helps where the background service cannot be reached, started or stopped. Why stands in the error's message.
extension MessageCatalog {
    /// The next step, as the end of a sentence.
    static func advice(about problem: ServiceProblem) -> String? {
        switch problem {
        case .absent: "'fileq service run' or any command that needs it starts it"
        case .noListener: "'fileq service run' starts one"
        case .running: "'fileq service stop' stops it"
        case .withoutSocket: "'fileq service stop' stops it; the next command starts it again"
        case .unresponsive(let process?): "'kill \(process)' ends it"
        case .notEnding(let process, _): "'kill \(process)' ends it"
        case .notTerminating(let process, _): "'kill -9 \(process)' ends it, and no byte is lost by that"
        case .tooBusy, .startedByOther: "try again"
        case .endsAtOnce(let log), .notReady(_, _, let log): "\(log) may say why"
        case .endsRepeatedly: "'fileq logs' may show why"
        case .gone(let problem): advice(about: problem)
        case .stopped: "'fileq' starts it again"
        case .crashing(_, _, _, let log): "\(log) may say why; 'fileq service run' starts it at once"
        case .endedSilently(let log): "\(log) may say why; 'fileq service run' shows it as well"
        case .otherVersion: "end it with 'fileq service stop' of its own version"
        case .unreadableReply: "both should be of one version"
        case .unresponsive(nil), .otherProgram, .noReply, .longReply, .notMessage, .closed, .longRequest,
            .longTransfer, .endedSaying, .unwritableRequest, .disconnected, .interrupted, .invalidProgram,
            .missingProgram, .handedSockets, .unsuitableSocket, .needed:
            nil
        }
    }

    /// What the launcher reports while it waits.
    static func text(_ report: ServiceLauncher.Report) -> String {
        switch report {
        case .waiting(let error): "waiting: \(cause(of: error))"
        case .terminates(let process): "the background service (process \(process)) cannot be asked; it gets SIGTERM"
        }
    }
}
