// SPDX-License-Identifier: MIT

package import TransferModel

/// Sums over transfers.
package struct ListingSums: Hashable, Sendable, Codable {
    /// How many there are of each state, without those of which there is none.
    package var states: [String: Int] = [:]
    /// Waiting, retrying, asking or failed.
    package var problems = 0
    /// Bytes of transfers with a known size that have neither failed nor been cancelled.
    package var bytes: Int64 = 0
    package var total: Int64 = 0
    /// How many have no known size.
    package var unknownSizes = 0
    /// Bytes per second.
    package var download = 0
    package var upload = 0
    /// 0…1; absent without any.
    package var progress: Double?
    /// Seconds to go; absent if unknown.
    package var left: Double?

    package init() {}

    init(_ tally: Tally) {
        for state in TransferState.allCases where tally[state] > 0 { states[state.rawValue] = tally[state] }
        (problems, bytes, total) = (tally.problems, tally.bytes, tally.total)
        (unknownSizes, download, upload) = (tally.unknownSizes, tally.rateDown, tally.rateUp)
        (progress, left) = (tally.progress, tally.knownLeft)
    }

    package subscript(state: TransferState) -> Int { states[state.rawValue] ?? 0 }
}

/// A heading of a list with groups.
package struct GroupSum: Hashable, Sendable, Codable {
    package var key: String
    /// True or absent.
    package var isFolded: Bool?
    package var sums: ListingSums
}
