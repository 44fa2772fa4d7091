// SPDX-License-Identifier: MIT

import TransferModel

/// How far a transfer is, as rows and details show it.
extension Transfer {
    /// Bytes from which it resumes. A plain upload begins with the first one again, and so may a download whose server
    /// makes the response as it sends it, and does not know the size.
    var keptBytes: Int64 {
        guard kind == .upload else { return total == nil || losesBytes ? 0 : bytes }
        return uploadProtocol == nil ? 0 : confirmed ?? 0
    }

    /// Whether the server is known not to resume the bytes of a download.
    var losesBytes: Bool {
        guard kind == .download, bytes > 0 else { return false }
        return note?.deniesResuming == true || error?.fields.partialFile != nil
    }

    /// Its number, if there were others before; `nil` if it has not begun.
    var shownAttempt: Int? { attempt > 1 && state != .queued ? attempt : nil }

    /// Of an upload, 0…1: what the server has confirmed.
    private var confirmedFraction: Double {
        guard let total, total > 0 else { return 0 }
        return min(1, Double(max(0, confirmed ?? 0)) / Double(total))
    }

    /// Of a resumable upload the confirmed bytes; of any other, which is confirmed as a whole, the sent ones.
    var shownFraction: Double? {
        if state == .completed { return 1 }
        guard kind == .upload, let fraction else { return fraction }
        // Sent is not yet received.
        return uploadProtocol == nil ? min(0.99, fraction) : confirmedFraction
    }

    /// `nil` if the size is unknown. Sent bytes of an upload are of another glyph than confirmed ones.
    func bar(width: Int, style: Bar.Style) -> Bar.Parts? {
        guard let shownFraction, let fraction else { return nil }
        let isSending = kind == .upload && state != .completed
        return Bar.parts(
            fraction: isSending ? confirmedFraction : shownFraction, sent: isSending ? fraction : nil, width: width,
            style: style)
    }
}
