// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// Converts the service's records of a transfer to a task's events. Pure.
struct BackgroundProgress {
    /// The last record; `nil` before the first.
    private(set) var snapshot: Transfer?
    private var wait: PathWait?

    /// - Parameter snapshot: of a known task: what it contains is not reported again.
    init(_ snapshot: Transfer? = nil) {
        self.snapshot = snapshot
        wait = snapshot.flatMap(Self.wait)
    }

    var isPaused: Bool { snapshot?.state == .paused }

    /// The reason of the task's wait, as far as reported.
    var currentWait: PathWait? { wait }

    /// The transfer continues, or waits.
    mutating func moved(to next: Transfer) -> [TaskEvent] {
        var events: [TaskEvent] = []
        let nextWait = Self.wait(next)
        if nextWait != wait {
            wait = nextWait
            events.append(.waiting(nextWait))
        }
        events += bytes(of: next)
        snapshot = next
        return events
    }

    /// The transfer has ended.
    /// - Parameters:
    ///   - response: the head of the last response.
    ///  - file: the path of the download; `nil` if it does not exist any more.
    /// - Returns: the last events, and the error among them.
    mutating func ended(
        as last: Transfer, response: HTTPResponse?, file: String?
    ) -> (events: [TaskEvent], error: TransferError?) {
        var events = bytes(of: last)
        var error = Self.error(of: last)
        snapshot = last
        switch last.kind {
        case .upload: if let response { events.append(.response(response)) }
        case .download where error == nil:
            if let file {
                events.append(.finishedDownload(path: file))
            } else {
                error = TransferError(.cannotReadSource, .backgroundFileGone, last.file)
            }
        case .download: break
        }
        var metrics = last.metrics ?? TransferMetrics()
        metrics.taskStart = metrics.taskStart ?? (last.addedAt > 0 ? last.addedAt : nil)
        metrics.taskEnd = metrics.taskEnd ?? last.endedAt
        return (events + [.metrics(metrics), .completed(error)], error)
    }

    /// A transfer that restarted from its first byte reports no bytes until it has passed its earlier position.
    private func bytes(of next: Transfer) -> [TaskEvent] {
        let moved = next.bytes - (snapshot?.bytes ?? 0)
        guard moved > 0 else { return [] }
        return switch next.kind {
        case .download: [.wrote(bytes: moved, total: next.bytes, expected: next.total)]
        case .upload: [.sent(bytes: moved, total: next.bytes, expected: next.total)]
        }
    }

    private static func wait(_ snapshot: Transfer) -> PathWait? {
        guard snapshot.state == .waiting else { return nil }
        if case .network(let wait) = snapshot.note { return wait }
        return .reported(
            snapshot.note?.text ?? "waits for a network",
            snapshot.unavailableReason.flatMap(NetworkUnavailableReason.init))
    }

    private static func error(of last: Transfer) -> TransferError? {
        switch last.state {
        case .completed: nil
        case .cancelled: .cancelled
        default: last.error ?? TransferError(.other, .backgroundUnexplained, last.url)
        }
    }

    /// The head of the last response; `nil` without one, or with an invalid status.
    static func response(of last: Transfer, _ fields: HTTPFields) -> HTTPResponse? {
        guard let status = last.httpStatus, (100...999).contains(status) else { return nil }
        return HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
    }
}
