// SPDX-License-Identifier: MIT

import TransferModel

/// Lists of transfers split over several messages of a connection and added together. No I/O.
///
/// A part states the number of transfers before it. One that does not match discards its list, so that a list with a
/// gap is never added.
struct PartialLists {
    private struct List {
        var transfers: [Spec] = []
        var bytes = 0
    }

    /// Maximum bytes of stored messages.
    private let maximumBytes: Int
    private var lists: [Int: List] = [:]
    private(set) var bytes = 0

    init(maximumBytes: Int = 256 << 20) { self.maximumBytes = maximumBytes }

    var count: Int { lists.count }

    /// Stores a part that others follow. One with offset 0 starts a new list.
    /// - Parameter bytes: the size of the message.
    /// - Returns: the number of stored transfers. An empty list is discarded.
    /// - Throws: code `usage` if the part does not follow, or the list is too large.
    mutating func keep(_ part: [Spec], of number: Int, offset: Int, bytes partBytes: Int) throws(TransferError) -> Int {
        var list = try take(number, offset: offset)
        guard !part.isEmpty else { return 0 }
        guard bytes + list.bytes + partBytes <= maximumBytes else {
            throw TransferError(ParameterProblem(nil, .lists, upTo: maximumBytes))
        }
        list.transfers += part
        list.bytes += partBytes
        bytes += list.bytes
        lists[number] = list
        return list.transfers.count
    }

    /// The complete list with its last part, removed from the store.
    /// - Throws: code `usage` if the part does not follow.
    mutating func complete(_ number: Int, offset: Int, with last: [Spec]) throws(TransferError) -> [Spec] {
        try take(number, offset: offset).transfers + last
    }

    private mutating func take(_ number: Int, offset: Int) throws(TransferError) -> List {
        let list = lists.removeValue(forKey: number) ?? List()
        bytes -= list.bytes
        guard offset != 0 else { return List() }
        guard offset == list.transfers.count else {
            throw TransferError(ParameterProblem(nil, .listPart, minimum: Int64(number)))
        }
        return list
    }
}
