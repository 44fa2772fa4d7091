// SPDX-License-Identifier: MIT

/// Why the background service cannot be reached, started or stopped: the value of ``TransferError/Fields/service``.
///
/// ``message`` is the sentence of the library; a program may make another one of the case, and name the next step.
public enum ServiceProblem: Sendable, Hashable {
    case absent
    /// Nothing accepts connections at the socket.
    case noListener(socket: String)
    case tooBusy(socket: String)
    /// A service has the queue already.
    case running(process: Int32?)
    case withoutSocket(process: Int32?, socket: String)
    /// A process has the queue and does not respond.
    case unresponsive(process: Int32?)
    case startedByOther(seconds: Int)
    case endsAtOnce(log: String)
    case endsRepeatedly
    /// It ended, and cannot be reached or started again.
    indirect case gone(ServiceProblem)
    case stopped
    /// After a request to end.
    case notEnding(process: Int32, seconds: Int)
    /// After SIGTERM.
    case notTerminating(process: Int32, seconds: Int)
    /// - Parameter seconds: until it is started again.
    case crashing(count: Int, signal: Int32, seconds: Int, log: String)
    case notReady(process: Int32, seconds: Int, log: String)
    /// It ended before it was ready, without a word.
    case endedSilently(log: String)
    /// It ended before it was ready; its last line.
    case endedSaying(String)
    case otherVersion(String, protocol: Int, ownProtocol: Int)
    case otherProgram
    case unreadableReply(method: String)
    case noReply(method: String, seconds: Int)
    case longReply(maximumBytes: Int)
    case notMessage
    case closed
    case longRequest(method: String, bytes: Int, maximumBytes: Int)
    /// The description of one transfer is longer than a message may be.
    case longTransfer(bytes: Int, maximumBytes: Int)
    /// The params of a call have no JSON form.
    case unwritableRequest(method: String)
    /// This side closed the connection.
    case disconnected
    /// While a connection was awaited.
    case interrupted
    /// `FILEQ_PROGRAM` is no absolute path of a program.
    case invalidProgram(path: String)
    case missingProgram
    /// systemd handed over another number of sockets than one.
    case handedSockets(count: Int)
    /// The socket that was handed over does not listen, or is of another kind.
    case unsuitableSocket
    /// A queue inside a program lacks it.
    case needed(for: Ability)

    /// What a queue inside a program cannot do.
    public enum Ability: Sendable, Hashable, CaseIterable {
        case relocate
        case history
        case timetable
        case undo
        case rates
        case log
        case sessionEvents
    }

    /// One line, in lower case and without full stop.
    public var message: String {
        switch self {
        case .absent: "no background service is running"
        case .noListener(let socket): "\(socket): no background service listens here"
        case .tooBusy(let socket): "\(socket): the background service is too busy to reply"
        case .running(let process):
            "a background service is running already\(process.map { " (process \($0))" } ?? "")"
        case .withoutSocket(let process, let socket):
            "the background service (\(Self.name(process))) runs, but its socket \(socket) is gone"
        case .unresponsive(let process): "\(Self.name(process)) holds the queue and does not respond"
        case .startedByOther(let seconds):
            "another command is starting the background service and has not done so for \(seconds) s"
        case .endsAtOnce: "the background service ends as soon as it is started"
        case .endsRepeatedly: "the background service ends again and again"
        case .gone(let problem): "the background service is gone: \(problem.message)"
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
        case .endedSaying(let line): "the background service ended before it was ready: \(line)"
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
        case .unwritableRequest(let method): "'\(method)' cannot be put into a message"
        case .disconnected: "the connection to the background service was closed"
        case .interrupted: "interrupted while connecting to the background service"
        case .invalidProgram(let path): "FILEQ_PROGRAM: \(path) is no whole path of a program"
        case .missingProgram:
            "the program fileq, which carries background transfers, is not installed; set FILEQ_PROGRAM to its path"
        case .handedSockets(let count):
            "systemd handed over \(count) sockets; the unit of fileq's socket needs exactly one ListenStream="
        case .unsuitableSocket:
            "the socket that was handed over is no listening Unix stream socket; the unit needs ListenStream= with a "
                + "path"
        case .needed(let ability):
            "only the background service \(ability.text); this queue ends with the program it is in"
        }
    }

    private static func name(_ process: Int32?) -> String { process.map { "process \($0)" } ?? "another process" }
}

extension ServiceProblem.Ability {
    fileprivate var text: String {
        switch self {
        case .relocate: "gives a transfer a new address"
        case .history: "keeps a history"
        case .timetable: "keeps a timetable"
        case .undo: "reverts commands"
        case .rates: "samples rates"
        case .log: "keeps a log"
        case .sessionEvents: "stores events of sessions"
        }
    }
}

extension TransferError {
    package init(
        _ code: Code, _ service: ServiceProblem, systemErrno: Int32? = nil, path: String? = nil,
        variant: Variant? = nil
    ) {
        self.init(
            code, service.message, systemErrno: systemErrno, fields: Fields(path: path, variant: variant))
        fields.service = service
    }
}
