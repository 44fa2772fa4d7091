// SPDX-License-Identifier: MIT

/// The way a transfer's bytes go, seen from this machine.
package enum TransferKind: String, Sendable, Hashable, Codable { case download, upload }

/// Where a transfer stands. The raw values are the words of `--json`.
package enum TransferState: String, Sendable, Hashable, Codable, CaseIterable {
    /// In line; starts when a place is free.
    case queued
    /// Exchanging bytes, or asking for them.
    case running
    /// The network cannot carry it now; resumes automatically.
    case waiting
    /// The last attempt failed transiently; the next is scheduled.
    case retrying
    /// Stopped by the user, or until its question is answered; everything is kept. `resume` resumes it.
    case paused
    /// All bytes are here; checksum and length are being verified, the file renamed.
    case verifying
    /// Done and right. Final.
    case completed
    /// Ended by an error that no retry mends. `retry` starts it again.
    case failed
    /// Ended by the user. `retry` starts it again, or sets it aside again where it was paused before.
    case cancelled

    /// Whether nothing more happens without a command.
    package var isEnded: Bool { self == .completed || self == .failed || self == .cancelled }

    /// Whether `pause` stops it at once.
    package var isPausable: Bool { self == .queued || self == .running || self == .waiting || self == .retrying }

    /// Whether it takes one of the places that the concurrency limit counts.
    package var occupiesSlot: Bool { self == .running || self == .verifying }

    /// Whether a transfer may go from this state straight to `next`.
    package func canBecome(_ next: TransferState) -> Bool {
        switch (self, next) {
        case (.queued, .running), (.queued, .paused), (.queued, .cancelled), (.queued, .failed): true
        // Its connection, suspended for want of a slot, was lost or had brought a refusal.
        case (.queued, .retrying): true
        // A transfer that was stopped a moment before its last byte came.
        case (.queued, .verifying), (.queued, .completed), (.paused, .verifying), (.paused, .completed): true
        case (.running, .verifying), (.running, .waiting), (.running, .retrying), (.running, .paused),
            (.running, .completed), (.running, .failed), (.running, .cancelled):
            true
        case (.waiting, .running), (.waiting, .queued), (.waiting, .paused), (.waiting, .retrying),
            (.waiting, .failed), (.waiting, .cancelled):
            true
        case (.retrying, .queued), (.retrying, .running), (.retrying, .waiting), (.retrying, .paused),
            (.retrying, .failed), (.retrying, .cancelled):
            true
        case (.paused, .queued), (.paused, .running), (.paused, .failed), (.paused, .cancelled): true
        case (.verifying, .completed), (.verifying, .failed), (.verifying, .cancelled): true
        // The bytes were wrong, and another address may have the right ones.
        case (.verifying, .retrying): true
        case (.failed, .queued), (.failed, .paused), (.cancelled, .queued), (.cancelled, .paused): true
        default: false
        }
    }
}
