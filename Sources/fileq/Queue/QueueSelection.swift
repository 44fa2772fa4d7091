// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// A selection of transfers, parsed from arguments. No I/O.
struct QueueSelection: Equatable {
    /// In the order given, without duplicates.
    private(set) var ids: [TransferID] = []
    private(set) var ranges: [ClosedRange<Int>] = []
    private(set) var terms: [QueueFilter.Term] = []

    /// The number of ranges that fit into one message.
    private static let maximumRanges = 1000

    /// - Parameter now: seconds since 1970.
    /// - Throws: code `usage` for an argument that is not an ID, range or filter.
    init(_ words: [String], now: Double) throws(TransferError) {
        var known: Set<TransferID> = []
        for word in words {
            guard word.utf8.first.map({ $0 &- 0x30 < 10 }) == true else {
                guard word.contains(where: { ":=<>".contains($0) }) || QueueFilter.Term.Field(rawValue: word) != nil
                else {
                    throw TransferError(
                        .usage, "'\(word)' is not an ID such as 7, a range such as 3-7 or a filter such as state:failed"
                    )
                }
                terms.append(try QueueFilter.Term(parsing: word, now: now))
                continue
            }
            for part in word.split(separator: ",", omittingEmptySubsequences: false) {
                let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                if let id = TransferID(part) {
                    if known.insert(id).inserted { ids.append(id) }
                } else if ends.count == 2, let first = TransferID(ends[0]), let last = TransferID(ends[1]),
                    first <= last
                {
                    ranges.append(first.rawValue...last.rawValue)
                } else {
                    throw TransferError(
                        .usage, "'\(word)': use IDs such as 7, 3-7 or 1,3-7, the lower end of a range first")
                }
            }
        }
        guard ranges.isEmpty || ranges.count + ids.count <= Self.maximumRanges else {
            throw TransferError(
                .usage, "at most \(Self.maximumRanges) IDs and ranges are allowed at once"
            )
        }
    }

    init(_ options: SelectionOptions, now: Double) throws(TransferError) {
        try self.init(options.which, now: now)
        if options.all {
            guard ids.isEmpty, ranges.isEmpty else {
                throw TransferError(.usage, about: "all", "--all and IDs exclude each other: use one of them")
            }
        } else if options.which.isEmpty {
            throw TransferError(
                .usage, "pass transfers: IDs ('fileq list' shows them), a filter such as state:failed, or --all")
        }
    }

    /// The transfers that `--after` names; none for the single word `none`.
    /// - Throws: code `usage`.
    static func predecessors(_ words: [String]) throws(TransferError) -> [TransferID] {
        if words == ["none"] { return [] }
        let selection = try Self(words, now: 0)
        let longest = selection.ranges.map(\.count).max() ?? 0
        guard selection.terms.isEmpty, longest <= maximumRanges else {
            throw TransferError(.usage, option: "--after", "use at most \(maximumRanges) IDs such as 7, 3-7 or 1,3-7")
        }
        return Array(Set(selection.ids + selection.ranges.joined().map(TransferID.init(rawValue:)))).sorted()
    }

    /// Whether it names single transfers.
    var namesTransfers: Bool { !ids.isEmpty || !ranges.isEmpty }

    /// The same as one filter, for transfers that need not exist.
    var filter: QueueFilter {
        guard namesTransfers else { return QueueFilter(terms: terms.isEmpty ? nil : terms) }
        guard !ranges.isEmpty else { return QueueFilter(ids: ids, terms: terms.isEmpty ? nil : terms) }
        return QueueFilter(terms: terms + [.init(.ids(ranges + ids.map { $0.rawValue...$0.rawValue }))])
    }
}
