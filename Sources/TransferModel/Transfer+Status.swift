// SPDX-License-Identifier: MIT

/// Properties of the status, for readers; `nil` in states without them. Writers assign ``Transfer/status``.
extension Transfer {
    package var state: TransferState { status.state }

    /// Why it waits, retries or started from zero.
    package var note: TransferNote? { status.note }

    /// Bytes per second over the last seconds; `nil` if unknown.
    package var rate: Double? { pace?.rate }

    /// Seconds to go; the shortest estimate.
    package var eta: Double? { pace?.eta }

    /// The number of connections of a download; `nil` if it has one.
    package var connections: Int? { pace?.connections }

    /// How fast the bytes move.
    package var pace: TransferStatus.Pace? {
        guard case .running(let pace, _) = status else { return nil }
        return pace
    }

    /// Seconds since 1970 when the next attempt starts.
    package var retryAt: Double? {
        guard case .retrying(let time, _) = status, time > 0 else { return nil }
        return time
    }

    /// The network condition that a waiting transfer waits for.
    package var wait: NetworkWait? {
        guard case .waiting(let wait) = status else { return nil }
        return wait
    }

    package var waitingSince: Double? { wait?.since }

    package var unavailableReason: String? { wait?.unavailableReason }

    /// While paused: what was paused by request; `nil` if the queue itself set the transfer aside. Of a cancelled one:
    /// how it was paused when it was cancelled.
    package var pausedBy: PauseOrigin? {
        switch status {
        case .paused(.by(let origin)): origin
        case .cancelled(_, _, let origin): origin
        default: nil
        }
    }

    /// The question that a paused transfer waits for; for a failed one, the question that was not answered.
    package var question: ConsentQuestion? {
        switch status {
        case .paused(.question(let question)): question
        case .failed(_, _, let question): question
        default: nil
        }
    }

    /// Why the last attempt or all of them ended without success, or why the queue set it aside.
    package var error: TransferError? {
        switch status {
        case .failed(_, let error, _), .paused(.noSpace(let error)): error
        case .cancelled(_, let error, _): error
        case .retrying(_, .failure(let error)): error
        default: nil
        }
    }

    package var metrics: TransferMetrics? { status.end?.metrics }

    /// Seconds since 1970 when it ended.
    package var endedAt: Double? { status.end?.at }

    /// Seconds from its first start to its end, without pauses; `nil` before the end, and if unknown.
    package var duration: Double? { status.end?.duration }

    /// Whether it waits only because it may not use the available network: then the restriction can be lifted.
    package var canBeLifted: Bool { unavailableReason != nil }

    /// Whether it is paused because a transfer that it starts after has not completed.
    package var isHeldByPredecessor: Bool { status.isHeldByPredecessor }

    /// Whether it resumes with the whole queue: where the whole queue was paused, or the queue set it aside
    /// for want of room.
    package var isResumedWithQueue: Bool {
        pausedBy != .transfer && (state != .paused || question == nil && !isHeldByPredecessor)
    }
}

extension Transfer {
    /// Says how fast the bytes move, while they do.
    package mutating func setPace(_ pace: TransferStatus.Pace?) {
        if case .running(_, let note) = status { status = .running(pace, note) }
    }

    /// Gives the error another text.
    package mutating func wordError(_ words: (TransferError) -> String) {
        guard var error else { return }
        let text = words(error)
        guard text != error.message else { return }
        error.message = text
        switch status {
        case .failed(let end, _, let question): status = .failed(end, error, question)
        case .cancelled(let end, _, let origin): status = .cancelled(end, error, origin)
        case .paused(.noSpace): status = .paused(.noSpace(error))
        case .retrying(let time, .failure): status = .retrying(at: time, .failure(error))
        default: break
        }
    }

    /// Sets the reason, in states that have one.
    package mutating func setNote(_ note: TransferNote?) {
        switch status {
        case .queued: status = .queued(note)
        case .running(let pace, _): status = .running(pace, note)
        case .verifying: status = .verifying(note)
        case .completed(var end):
            end.note = note
            status = .completed(end)
        case .failed(var end, let error, let question):
            end.note = note
            status = .failed(end, error, question)
        case .cancelled(var end, let error, let origin):
            end.note = note
            status = .cancelled(end, error, origin)
        case .waiting, .retrying, .paused: break
        }
    }
}
