// SPDX-License-Identifier: MIT

/// The position of a transfer in a queue: the lesser starts first. Its place is that of the record, in memory and in
/// the store.
package struct QueueRank: Comparable, Hashable, Sendable {
    /// 0…1000; the highest starts first.
    package var priority: Int
    /// Rises with each transfer that is added.
    package var place: Int64
    /// Breaks a tie: of two transfers with the same place, which a move into another priority may cause, the older
    /// comes first.
    package var id: TransferID

    package init(_ transfer: Transfer) {
        priority = Self.priority(transfer.priority)
        (place, id) = (transfer.place, transfer.id)
    }

    package static func < (left: Self, right: Self) -> Bool {
        if left.priority != right.priority { return left.priority > right.priority }
        return left.place == right.place ? left.id.rawValue < right.id.rawValue : left.place < right.place
    }

    /// Thousandths are distinguished. Of NaN the default; values outside of 0…1 are clamped.
    package static func priority(_ value: Double?) -> Int {
        guard let value, !value.isNaN else { return 500 }
        return Int((min(max(value, 0), 1) * 1000).rounded())
    }

    /// Between neighbours that were added one after the other, so that others can be moved between them.
    package static let spacing: Int64 = 1 << 20

    /// Half of what a number can hold, so that no sum overflows: a damaged store must not stop the program.
    package static let placeLimit = Int64.max / 2
}
