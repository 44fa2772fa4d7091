// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The background service: why it cannot be reached, started or stopped, and what helps.
extension MessageCatalog {
    static func text(_ problem: ServiceProblem) -> String {
        switch problem {
        case .absent: "no background service is running"
        case .noListener(let socket): "\(socket): no background service listens here"
        case .tooBusy(let socket): "\(socket): the background service is too busy to reply"
        case .running(let process):
            "a background service is running already\(process.map { " (process \($0))" } ?? "")"
        case .withoutSocket(let process, let socket):
            "the background service (\(name(process))) runs, but its socket \(socket) is gone"
        case .unresponsive(let process): "\(name(process)) holds the queue and does not respond"
        case .startedByOther(let seconds):
            "another command is starting the background service and has not done so for \(seconds) s"
        case .endsAtOnce: "the background service ends as soon as it is started"
        case .endsRepeatedly: "the background service ends again and again"
        case .gone(let problem): "the background service is gone: \(text(problem))"
        case .stopped: "the background service was stopped"
        case .notEnding(let process, let seconds):
            "the background service (process \(process)) was asked to end and has not for \(seconds) s"
        case .notTerminating(let process, let seconds):
            "the background service (process \(process)) got SIGTERM and has not ended for \(seconds) s"
        case .crashing(let count, let signal, let seconds, _):
            "the background service has crashed \(count) times in a row, the last time by signal \(signal), and is not "
                + "started again within the next \(seconds) s"
        case .notReady(let process, let seconds, _):
            "the background service (process \(process)) has not become ready for \(seconds) s"
        case .endedSilently: "the background service ended before it was ready: it said nothing"
        case .otherVersion(let version, let number, let own):
            "the background service is version \(version) and speaks version \(number) of the protocol, this program "
                + "version \(own)"
        case .otherProgram: "what listens at the socket is no service of this program"
        case .unreadableReply(let method):
            "the background service replied to '\(method)' with something this program cannot read"
        case .noReply(let method, let seconds): "the background service has not replied to '\(method)' for \(seconds) s"
        case .longReply(let maximum): "the background service sent a message of more than \(maximum) bytes"
        case .notMessage: "the background service sent something that is no message"
        case .closed: "the background service has ended or closed the connection"
        case .longRequest(let method, let bytes, let maximum):
            "the background service takes at most \(maximum) bytes in one message, and '\(method)' needs \(bytes)"
        case .longTransfer(let bytes, let maximum):
            "the background service takes at most \(maximum) bytes in one message, and one of these transfers needs "
                + "\(bytes)"
        }
    }

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
            .longTransfer:
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

    private static func name(_ process: Int32?) -> String { process.map { "process \($0)" } ?? "another process" }
}
