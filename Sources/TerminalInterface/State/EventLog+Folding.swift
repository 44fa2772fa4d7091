// SPDX-License-Identifier: MIT

import TransferModel

/// Attempts of a transfer that fail of the same cause, one after the other, are one line: those of a single server that
/// is down would fill a screen.
extension EventLog {
    struct Retry: Hashable, Sendable {
        /// The attempt that comes next.
        var number: Int
        var cause: String
    }

    /// The latest retries whose lines earlier ones of the same cause join.
    private struct Fold {
        /// Of the latest, in the lines from the end.
        var place: Int
        var cause: String
        var first: Int
        var since: Double
        /// The lines of the beginning of an attempt that may be between two of them: that it started, and from which
        /// byte it continues.
        var beginnings: [Int] = []
    }

    private static let mostBeginnings = 2

    /// - Parameter entries: oldest first; of the retries that become one, the latest has its place.
    static func folded(_ entries: [Entry]) -> [Entry] {
        guard entries.contains(where: { $0.retry != nil }) else { return entries }
        var lines: [Entry?] = []
        lines.reserveCapacity(entries.count)
        var folds: [TransferID: Fold] = [:]
        for entry in entries.reversed() {
            lines.append(entry)
            guard let id = entry.id, entry.title != nil else { continue }
            if let retry = entry.retry {
                if var fold = folds[id], fold.cause == retry.cause {
                    (fold.first, fold.since) = (retry.number, entry.time)
                    lines.removeLast()
                    for beginning in fold.beginnings { lines[beginning] = nil }
                    fold.beginnings = []
                    lines[fold.place]?.fold(from: fold.first, since: fold.since)
                    folds[id] = fold
                } else {
                    folds[id] = Fold(
                        place: lines.count - 1, cause: retry.cause, first: retry.number, since: entry.time)
                }
            } else if entry.isBeginning, folds[id]?.beginnings.count ?? 0 < mostBeginnings {
                folds[id]?.beginnings.append(lines.count - 1)
            } else {
                folds[id] = nil
            }
        }
        return lines.reversed().compactMap(\.self)
    }
}

extension EventLog.Entry {
    /// `try 15 → 22 · 503 Service Unavailable, for 6:12`
    fileprivate mutating func fold(from first: Int, since: Double) {
        guard let retry else { return }
        let cause = retry.cause.isEmpty ? "" : " · \(retry.cause)"
        text = "try \(first) → \(retry.number)\(cause), for \(TimeText.clock(time - since))"
    }
}
