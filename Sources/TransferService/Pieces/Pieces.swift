// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// The connections of one download: its plan, and the tasks that carry it out.
struct Pieces {
    var plan: PiecePlan
    /// What each request asks for, apart from its range.
    let point: ResumePoint
    /// Of the partial files, ``PartialFiles/Version/number``.
    let version: Int
    /// The plan's ID of the run's own task.
    var own: Int
    /// The tasks beside it, by identifier.
    var helpers: [Int: Helper] = [:]
    /// The record lists the stored ranges, so that bytes may be stored out of order.
    var isRecorded = false
    /// The first such record is being written; ``waiting`` begins afterwards.
    var isRecording = false
    var cannotRecord = false
    var waiting: [(id: Int, range: Range<Int64>)] = []
    /// When the ranges were recorded, on the scheduler's clock.
    var recordedAt = 0.0
    /// The plan will be asked at its ``PiecePlan/wake``.
    var isWaking = false
    /// The run's own task is being cancelled, since others have what follows.
    var isOwnCut = false { didSet { hasCut = hasCut || isOwnCut } }
    /// A task was cancelled while it received. What it stored after that may lie over compared parts.
    var hasCut = false
    /// The run's own task has ended, and no other has taken its place.
    var hasOwnEnded = false
    /// Which parts of the file have the right digest.
    var checks: PieceChecks?
    /// Some of them are being read.
    var isComparing = false
    /// The run's own task that has ended although bytes are missing, or may be wrong: another one will take its place.
    var awaiting: DownloadTask?
    /// The end of the attempt, which waits for the helpers to end.
    var ending: (task: DownloadTask, error: TransferError?)?

    /// A task beside the run's own.
    struct Helper {
        let id: Int
        let task: DownloadTask
        let placement: BodyPlacement
        /// The index of its address in ``DownloadSources``.
        let source: Int
        var isCut = false
        var hasBytes = false
    }

    /// The partial file is one byte longer than the complete one, until that is complete: no writer restores the length
    /// of one that another program truncates.
    var isExtended = false
    /// The run's own task extends it.
    var ownExtends = false

    /// How many bytes the partial file holds at least.
    var reach: Int64 { isExtended ? extendedLength : plan.reach }

    var extendedLength: Int64 { plan.total + 1 }

    /// Connections in use.
    var count: Int { helpers.values.count { !$0.isCut } + 1 }

    /// What the end of the run's own task means for an attempt that no other task carries on.
    enum Outcome: Equatable {
        /// All bytes are stored.
        case whole
        /// The task is done with its range, but others had the rest.
        case restIsMissing
        /// The attempt ends as the task did.
        case asTask
    }

    /// - Parameter isStopped: the user, or the end of the queue, has ended the attempt.
    func outcome(hasFailed: Bool, isStopped: Bool) -> Outcome {
        guard !hasFailed || isOwnCut && !isStopped else { return .asTask }
        return plan.isComplete ? .whole : .restIsMissing
    }

    /// The first byte that a task has not stored.
    static func position(of task: DownloadTask) -> Int64? {
        if let point = task.resumePoint { return point.offset }
        guard task.response?.status.code == 206 else { return nil }
        let progress = task.progress
        return progress.resumedFrom + progress.received
    }

    /// Seconds between two records: what a crash costs at most.
    static let interval = 5.0

    /// What the end of a connection says about its server.
    static func end(_ task: DownloadTask, _ error: TransferError?) -> PiecePlan.End {
        guard let error else { return .whole }
        guard let head = task.response else { return .broken }
        switch head.status.code {
        case 200: return .unfit
        case 206:
            // Its head was refused: another version, not the requested range, no length. Or it brought more than that.
            if error.fields.problem?.kind == .rangeExceeded { return .unfit }
            return task.progress.received == 0 && error.code == .partialFile ? .unfit : .broken
        default: return .refused
        }
    }
}
