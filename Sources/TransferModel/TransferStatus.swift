// SPDX-License-Identifier: MIT

/// The state of a transfer with the data that belongs to it. ``TransferState`` names the cases and defines the
/// transitions.
package enum TransferStatus: Sendable, Hashable {
    /// The note is the reason for queuing it again.
    case queued(TransferNote? = nil)
    case running(Pace? = nil, TransferNote? = nil)
    indirect case waiting(NetworkWait)
    /// - Parameter at: seconds since 1970 when the next attempt starts; 0 if unknown.
    indirect case retrying(at: Double, TransferNote?)
    case paused(Pause)
    case verifying(TransferNote? = nil)
    case completed(End)
    /// The transfer failed; with the question that was not answered, if it asked one.
    indirect case failed(End, TransferError, ConsentQuestion? = nil)
    /// The transfer was cancelled. The origin says how it was paused before, so that a retry pauses it again.
    indirect case cancelled(End, TransferError? = nil, PauseOrigin? = nil)

    /// The rate of a running transfer, and estimates made from it.
    package struct Pace: Sendable, Hashable {
        /// Bytes a second over the last seconds.
        package var rate: Double
        /// Seconds to go at the rate of the last half minute; `nil` if rates differ too much to say.
        package var eta: Double?
        /// When the last byte moved, in seconds since 1970, to the second: known once none has for so long that
        /// ``rate`` is 0.
        package var silentSince: Double? {
            get { lastByte == 0 ? nil : Double(lastByte) }
            set { lastByte = newValue.flatMap { UInt32(exactly: $0.rounded()) } ?? 0 }
        }
        /// 0: unknown. Takes no space: the padding behind ``eta`` has it.
        private var lastByte: UInt32 = 0
        /// The longest estimate, where recent rates differ: then ``eta`` is the shortest.
        package var longestETA: Double?
        /// The number of connections of a download; `nil` if it has one.
        package var connections: Int? {
            get { count.map(Int.init) }
            set { count = newValue.map(UInt8.init(clamping:)) }
        }
        /// A transfer in a long queue has to be small.
        private var count: UInt8?

        package init(
            rate: Double, eta: Double? = nil, longestETA: Double? = nil, connections: Int? = nil,
            silentSince: Double? = nil
        ) {
            self.rate = rate
            self.eta = eta
            self.longestETA = longestETA
            self.connections = connections
            self.silentSince = silentSince
        }
    }

    /// Why a transfer is paused.
    package enum Pause: Sendable, Hashable {
        /// A command paused it.
        case by(PauseOrigin)
        /// The server asks what only the user can answer.
        indirect case question(ConsentQuestion)
        /// The disk is full.
        indirect case noSpace(TransferError)
        /// The queue did: a predecessor has not completed (``TransferNote/predecessor(_:_:)``), or an earlier process
        /// recorded no more than this.
        case setAside(TransferNote?)
    }

    /// How it ended.
    package struct End: Sendable, Hashable {
        /// Seconds since 1970.
        package var at: Double?
        /// Seconds from its first start to its end, without pauses; `nil` if unknown.
        package var duration: Double? {
            get { seconds < 0 ? nil : (Double(seconds) * 1000).rounded() / 1000 }
            set { seconds = newValue.map { $0.isFinite ? Float(max(0, $0)) : -1 } ?? -1 }
        }
        /// Below 0: unknown. Takes no space: the padding behind ``at`` has it.
        private var seconds: Float = -1
        /// A remark on the result.
        package var note: TransferNote?
        /// Absent in what is read from a store.
        @Boxed package var metrics: TransferMetrics?

        package init(
            at: Double? = nil, duration: Double? = nil, note: TransferNote? = nil, metrics: TransferMetrics? = nil
        ) {
            self.at = at
            self.note = note
            self.metrics = metrics
            self.duration = duration
        }
    }

    /// The case without its payload.
    @inline(never)  // Inlined into a caller that also writes the record, it makes Swift 6.3's optimizer crash.
    package var state: TransferState {
        switch self {
        case .queued: .queued
        case .running: .running
        case .waiting: .waiting
        case .retrying: .retrying
        case .paused: .paused
        case .verifying: .verifying
        case .completed: .completed
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }

    /// Why it is as it is; `nil` if nothing is to be said.
    package var note: TransferNote? {
        switch self {
        case .queued(let note), .running(_, let note), .verifying(let note), .retrying(_, let note): note
        case .waiting(let wait): wait.note
        case .paused(.by): nil
        case .paused(.question(let question)): .question(question)
        case .paused(.noSpace(let error)): .failure(error)
        case .paused(.setAside(let note)): note
        case .completed(let end), .failed(let end, _, _), .cancelled(let end, _, _): end.note
        }
    }

    /// See ``Transfer/isHeldByPredecessor``.
    package var isHeldByPredecessor: Bool {
        if case .paused(.setAside(.predecessor)) = self { true } else { false }
    }

    /// `nil` before the end.
    package var end: End? {
        switch self {
        case .completed(let end), .failed(let end, _, _), .cancelled(let end, _, _): end
        default: nil
        }
    }
}

/// The scope of a pause.
package enum PauseOrigin: String, Sendable, Hashable, Codable, CaseIterable {
    /// This transfer: it stays paused until it is meant again.
    case transfer
    /// The whole queue: what resumes that resumes this one too.
    case queue
}
