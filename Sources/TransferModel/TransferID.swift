// SPDX-License-Identifier: MIT

/// The name of one transfer in one queue: a positive number, printed in decimal.
///
/// A queue hands numbers out in rising order and never a second time, so an id stays right in a script for as long
/// as the queue exists.
package struct TransferID: Hashable, Sendable, Codable, Comparable, RawRepresentable, CustomStringConvertible {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Reads what `description` prints; `nil` for anything else.
    package init?(_ text: some StringProtocol) {
        guard let value = Int(text), value > 0 else { return nil }
        rawValue = value
    }

    package var description: String { String(rawValue) }

    /// As a number is hashed: with half of the steps that a structure takes. Most lookups of the queue are by ID.
    package func _rawHashValue(seed: Int) -> Int { rawValue._rawHashValue(seed: seed) }

    /// Rising, with ranges: `1, 3-7`.
    package static func list(_ ids: [TransferID], separator: String = ", ") -> String {
        var ranges: [ClosedRange<Int>] = []
        for id in ids.map(\.rawValue).sorted() {
            if let last = ranges.last, last.upperBound + 1 >= id {
                ranges[ranges.count - 1] = last.lowerBound...max(id, last.upperBound)
            } else {
                ranges.append(id...id)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: separator)
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
