// SPDX-License-Identifier: MIT

import TransferModel

/// Lists of transfers that come in several messages of one connection and are added in one. Pure.
///
/// A part names how many transfers its list has before it. One that does not fit makes its list forgotten, so that a
/// list with a gap is never added.
struct PartialLists {
    private struct List {
        var transfers: [Spec] = []
        var bytes = 0
    }

    /// Bytes of messages whose transfers are kept, at most.
    private let maximumBytes: Int
    private var lists: [Int: List] = [:]
    private(set) var bytes = 0

    init(maximumBytes: Int = 256 << 20) { self.maximumBytes = maximumBytes }

    var count: Int { lists.count }

    /// Keeps a part that others follow. The first one, without any before it, begins the list anew.
    /// - Parameter bytes: of the message.
    /// - Returns: how many transfers of the list are kept now. A list without any is forgotten.
    /// - Throws: code `usage` where the part does not follow what is kept, or there is too much.
    mutating func keep(_ part: [Spec], of number: Int, offset: Int, bytes partBytes: Int) throws(TransferError) -> Int {
        var list = try take(number, offset: offset)
        guard !part.isEmpty else { return 0 }
        guard bytes + list.bytes + partBytes <= maximumBytes else {
            throw TransferError(
                .usage, "the lists of this connection exceed \(maximumBytes) bytes; add them in smaller ones")
        }
        list.transfers += part
        list.bytes += partBytes
        bytes += list.bytes
        lists[number] = list
        return list.transfers.count
    }

    /// The whole list with its last part, which is no longer kept.
    /// - Throws: code `usage` where the part does not follow what is kept.
    mutating func complete(_ number: Int, offset: Int, with last: [Spec]) throws(TransferError) -> [Spec] {
        try take(number, offset: offset).transfers + last
    }

    private mutating func take(_ number: Int, offset: Int) throws(TransferError) -> List {
        let list = lists.removeValue(forKey: number) ?? List()
        bytes -= list.bytes
        guard offset != 0 else { return List() }
        guard offset == list.transfers.count else {
            throw TransferError(.usage, "list \(number): a part before this one is missing; none of the list was added")
        }
        return list
    }
}
