// SPDX-License-Identifier: MIT

/// Which bytes of a file are there: a set of half-open ranges, sorted, apart from one another.
public struct ByteRangeSet: Sendable, Hashable, Codable {
    public private(set) var ranges: [Range<Int64>]

    public init() { ranges = [] }

    public init(_ range: Range<Int64>) { ranges = range.isEmpty ? [] : [range] }

    public init(_ ranges: some Sequence<Range<Int64>>) {
        self.init()
        for range in ranges { insert(range) }
    }

    /// Adds a range and joins it with those it touches.
    public mutating func insert(_ new: Range<Int64>) {
        guard !new.isEmpty else { return }
        let first = ranges.firstIndex { $0.upperBound >= new.lowerBound } ?? ranges.endIndex
        let last = ranges[first...].firstIndex { $0.lowerBound > new.upperBound } ?? ranges.endIndex
        var merged = new
        for range in ranges[first..<last] {
            merged = min(merged.lowerBound, range.lowerBound)..<max(merged.upperBound, range.upperBound)
        }
        ranges.replaceSubrange(first..<last, with: [merged])
    }

    /// Takes a range away.
    package mutating func remove(_ old: Range<Int64>) {
        guard !old.isEmpty else { return }
        ranges = ranges.flatMap { range -> [Range<Int64>] in
            guard range.overlaps(old) else { return [range] }
            return [
                range.lowerBound..<max(range.lowerBound, old.lowerBound),
                min(range.upperBound, old.upperBound)..<range.upperBound,
            ].filter { !$0.isEmpty }
        }
    }

    public var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }
    public var isEmpty: Bool { ranges.isEmpty }

    /// How many bytes are there from the very first on without a gap.
    public var prefixLength: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// The missing ranges of a file of `total` bytes, in order.
    public func gaps(in total: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var position: Int64 = 0
        for range in ranges where range.lowerBound < total {
            if range.lowerBound > position { gaps.append(position..<range.lowerBound) }
            position = range.upperBound
        }
        if position < total { gaps.append(position..<total) }
        return gaps
    }
}

extension ByteRangeSet {
    private enum CodingKeys: String, CodingKey { case ranges }

    /// Sorts and joins what it reads, so that a damaged file cannot break the promises of this type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let found = try container.decode([Range<Int64>].self, forKey: .ranges)
        guard found.allSatisfy({ $0.lowerBound >= 0 }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .ranges, in: container,
                debugDescription: "a range begins before the first byte")
        }
        self.init(found)
    }
}
