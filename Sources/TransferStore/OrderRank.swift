// SPDX-License-Identifier: MIT

/// Positions in the queue as numbers, with gaps so that one transfer moves without the others. Pure.
package enum OrderRank {
    /// The gap between transfers added one after the other.
    package static let spacing: Int64 = 1 << 20

    /// A rank between two neighbours; `nil` as a neighbour is that end of the queue.
    /// - Returns: `nil` if the gap is used up; then ``spread(_:)`` assigns new ranks.
    package static func between(_ lower: Int64?, _ upper: Int64?) -> Int64? {
        switch (lower, upper) {
        case (nil, nil): return 0
        case (nil, let upper?): return reported(upper.subtractingReportingOverflow(spacing))
        case (let lower?, nil): return reported(lower.addingReportingOverflow(spacing))
        case (let lower?, let upper?):
            let (distance, overflow) = upper.subtractingReportingOverflow(lower)
            guard !overflow, distance >= 2 else { return nil }
            return lower + distance / 2
        }
    }

    /// New ranks for a whole queue, in its order.
    package static func spread(_ count: Int) -> [Int64] { (0..<Int64(count)).map { $0 * spacing } }

    private static func reported(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
        result.overflow ? nil : result.partialValue
    }
}
