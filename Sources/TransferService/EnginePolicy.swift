// SPDX-License-Identifier: MIT

import SessionCore

/// The differences between queues, as values. The type of the queue sets them; the engine reads them and nothing else.
struct EnginePolicy: Sendable {
    /// Whether transfers that are unfinished at the end of the queue are cancelled as interrupted. Otherwise their
    /// state stays as it is, and the next process resumes them.
    var interruptsAtEnd: Bool
    /// Whether a completion is reported only after the store has committed it. Small downloads then get their names in
    /// rounds, which the store records first; otherwise each is created under its name.
    var awaitsCommits: Bool
    /// Whether transfers that have left the queue can return to it, from a history.
    var hasHistory: Bool
    /// Whether the specs of unfinished transfers stay in memory, because the store has none.
    var keepsSpecs: Bool
    /// Whether the size of an upload is known before it begins.
    var measuresAddedUploads: Bool
    /// Whether the name of a completed download stays claimed: no other download of the queue replaces its file.
    var keepsNamesOfCompleted: Bool
    /// Whether later clients can ask what happened (``QueueLog``).
    var keepsLog: Bool
    /// The delays of uploads that the server has refused after the whole body; `nil`: those of any other failure.
    var refusalBackoff: Backoff?
    /// Attempts of an upload after which the server had the whole body and did not respond in time, as it does while it
    /// still works on the one before.
    var maximumLateVerdicts: Int

    /// A queue that ends with its process: its transfers begin soon, and its user waits for them. Its only client sees
    /// all updates.
    static let local = EnginePolicy(
        interruptsAtEnd: true, awaitsCommits: false, hasHistory: false, keepsSpecs: true, measuresAddedUploads: false,
        keepsNamesOfCompleted: true, keepsLog: false, refusalBackoff: nil, maximumLateVerdicts: 2)

    /// A queue that outlives its process. It may get the same file again, whose spec says whether that replaces the
    /// first. Sending a whole body again can wait: 1, 4, 16, 60 minutes.
    static let durable = EnginePolicy(
        interruptsAtEnd: false, awaitsCommits: true, hasHistory: true, keepsSpecs: false, measuresAddedUploads: true,
        keepsNamesOfCompleted: false, keepsLog: true,
        refusalBackoff: Backoff(base: 60, ceiling: 3600, factor: 4),
        maximumLateVerdicts: Coordinator.maximumRefusals)
}
