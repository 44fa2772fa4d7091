// SPDX-License-Identifier: MIT

import ArgumentParser
import Dispatch
import FileServer
import Glibc
import Synchronization
import TransferModel

/// `--log`: a line for each request.
enum RequestLogFormat: String, ExpressibleByArgument, CaseIterable {
    case common, json, none

    func line(_ record: RequestRecord, in zone: LocalTime = .system) -> String? {
        switch self {
        case .none: return nil
        case .common:
            let stored = record.stored.map { " -> \($0)" } ?? ""
            let status = record.status.map(String.init) ?? "-"
            let seconds = "\((record.seconds * 1000).rounded() / 1000)s"
            return "\(zone.text(record.time)) \(record.client) \(record.method) \(record.path)\(stored) \(status) "
                + "in \(record.received) out \(record.sent) \(seconds)" + (record.isComplete ? "" : " broken")
        case .json:
            var line = JSONLine()
            line.add("time", Timestamp.text(record.time))
            line.add("client", record.client)
            line.add("method", record.method)
            line.add("path", record.path)
            line.add("stored", record.stored)
            line.add("status", record.status)
            line.add("received", record.received)
            line.add("sent", record.sent)
            line.add("seconds", record.seconds)
            line.add("complete", record.isComplete)
            return line.object
        }
    }
}

/// Writes the lines on a thread of its own, so that no request waits for a terminal that stands still. Lines that find
/// no room are dropped, and counted.
final class RequestLog: Sendable {
    private static let mostWaiting = 10_000

    private let format: RequestLogFormat
    private let output: FileOutput
    private let queue = DispatchQueue(label: "fileq.serve.log")
    private let state = Mutex((waiting: 0, dropped: 0))

    init(_ format: RequestLogFormat, to output: FileOutput = FileOutput(descriptor: STDERR_FILENO)) {
        (self.format, self.output) = (format, output)
    }

    func add(_ record: RequestRecord) {
        guard format != .none else { return }
        let hasRoom = state.withLock { state in
            guard state.waiting < Self.mostWaiting else {
                state.dropped += 1
                return false
            }
            state.waiting += 1
            return true
        }
        guard hasRoom else { return }
        queue.async { [self] in
            if let line = format.line(record) { output.write(line + "\n") }
            let dropped = state.withLock { state in
                state.waiting -= 1
                defer { state.dropped = 0 }
                return state.dropped
            }
            if dropped > 0 { output.write("fileq: \(dropped) requests have no line here\n") }
        }
    }

    /// Returns when all lines are written.
    func flush() { queue.sync {} }
}
