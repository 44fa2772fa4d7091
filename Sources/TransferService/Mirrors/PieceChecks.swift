// SPDX-License-Identifier: MIT

import TransferModel

/// Which parts of a file have been compared with their digests, and which address each byte is from. Pure.
struct PieceChecks: Sendable {
    let digests: PieceDigests
    let total: Int64
    private var isRight: [Bool]
    /// How often a part was wrong.
    private var failures: [Int: Int] = [:]
    /// The parts that are being read.
    private var reading: Set<Int> = []
    private var spans: [(range: Range<Int64>, source: Int)] = []

    /// `nil` if the digests are not of a file of this size.
    init?(_ digests: PieceDigests, total: Int64) {
        guard digests.fits(total) else { return nil }
        (self.digests, self.total) = (digests, total)
        isRight = Array(repeating: false, count: digests.count)
    }

    var isDone: Bool { isRight.allSatisfy(\.self) }

    /// The address `source` has sent these bytes.
    mutating func received(_ range: Range<Int64>, from source: Int) {
        let before = spans.lastIndex { $0.source == source && $0.range.upperBound == range.lowerBound }
        if let before {
            spans[before].range = spans[before].range.lowerBound..<range.upperBound
        } else {
            spans.append((range, source))
        }
    }

    /// The next parts that are stored and have not been compared.
    mutating func take(_ present: ByteRangeSet, most: Int = 64) -> [Int] {
        var found: [Int] = []
        for range in present.ranges where found.count < most {
            var index = Int((range.lowerBound + digests.length - 1) / digests.length)
            while index < digests.count, found.count < most,
                digests.range(index, of: total).upperBound <= range.upperBound
            {
                if !isRight[index], !reading.contains(index) { found.append(index) }
                index += 1
            }
        }
        reading.formUnion(found)
        return found
    }

    struct Mistake: Sendable, Equatable {
        var range: Range<Int64>
        /// All its bytes are from this address; `nil`: from several, or from an earlier process.
        var source: Int?
        /// How often this part was wrong.
        var failures: Int
    }

    /// The result for a part of ``take(_:most:)``.
    mutating func compared(_ index: Int, isEqual: Bool) -> Mistake? {
        reading.remove(index)
        guard !isEqual else {
            isRight[index] = true
            return nil
        }
        let range = digests.range(index, of: total)
        let from = spans.filter { $0.range.overlaps(range) }
        let covered = ByteRangeSet(from.map { $0.range.clamped(to: range) }).count
        let sources = Set(from.map(\.source))
        failures[index, default: 0] += 1
        let mistake = Mistake(
            range: range, source: sources.count == 1 && covered == Int64(range.count) ? sources.first : nil,
            failures: failures[index] ?? 1)
        forget(range)
        return mistake
    }

    /// The bytes are requested again.
    private mutating func forget(_ range: Range<Int64>) {
        spans = spans.flatMap { span -> [(range: Range<Int64>, source: Int)] in
            var rest = ByteRangeSet(span.range)
            rest.remove(range)
            return rest.ranges.map { ($0, span.source) }
        }
    }
}
