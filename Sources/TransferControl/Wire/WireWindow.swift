// SPDX-License-Identifier: MIT

import TransferModel

/// The wire form of a request for a window: the members of the list and those of the window side by side, all optional.
extension WindowRequest: Codable {
    private enum Key: String, CodingKey {
        case view, filters, sort, reversed, group, folded, home, counted
        case anchor, index, before, after
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init()
        spec.view = try members.decodeIfPresent(ListingView.self, forKey: .view) ?? .all
        spec.filters = try members.decodeIfPresent([String].self, forKey: .filters) ?? []
        if let key = try members.decodeIfPresent(ListOrder.Key.self, forKey: .sort) {
            let isReversed = try members.decodeIfPresent(Bool.self, forKey: .reversed) ?? false
            spec.order = ListOrder(key: key, isReversed: isReversed)
        }
        spec.grouping = try members.decodeIfPresent(Grouping.self, forKey: .group)
        spec.folded = Set(try members.decodeIfPresent([String].self, forKey: .folded) ?? [])
        spec.home = try members.decodeIfPresent(String.self, forKey: .home)
        spec.counted = try members.decodeIfPresent([String].self, forKey: .counted) ?? []
        anchor = try members.decodeIfPresent(ListRow.self, forKey: .anchor)
        index = try members.decodeIfPresent(Int.self, forKey: .index) ?? index
        before = try members.decodeIfPresent(Int.self, forKey: .before) ?? before
        after = try members.decodeIfPresent(Int.self, forKey: .after) ?? after
        try check()
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(spec.view, forKey: .view)
        if !spec.filters.isEmpty { try members.encode(spec.filters, forKey: .filters) }
        try members.encodeIfPresent(spec.order?.key, forKey: .sort)
        if spec.order?.isReversed == true { try members.encode(true, forKey: .reversed) }
        try members.encodeIfPresent(spec.grouping, forKey: .group)
        if !spec.folded.isEmpty { try members.encode(spec.folded.sorted(), forKey: .folded) }
        try members.encodeIfPresent(spec.home, forKey: .home)
        if !spec.counted.isEmpty { try members.encode(spec.counted, forKey: .counted) }
        try members.encodeIfPresent(anchor, forKey: .anchor)
        try members.encode(index, forKey: .index)
        try members.encode(before, forKey: .before)
        try members.encode(after, forKey: .after)
    }
}

extension ListRow: DirectlyCoded {
    func write(to json: inout JSONWriter) throws {
        switch self {
        case .group(let key): json.write(key)
        case .transfer(let id): json.write(id.rawValue)
        }
    }

    static func read(from json: inout JSONReader) throws -> ListRow {
        if try json.peek() == UInt8(ascii: "\"") { return .group(try json.string()) }
        return .transfer(TransferID(rawValue: try json.integer(Int.self)))
    }
}

extension GroupSum: IndirectlyCoded {}
extension ListingSums: IndirectlyCoded {}

extension WindowUpdate: DirectRecord {
    static var blank: WindowUpdate { WindowUpdate(first: 0, count: 0, anchor: nil) }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("first", &first)
        try visitor.required("count", &count)
        try visitor.optional("anchor", &anchor)
        try visitor.optional("rows", &rows)
        try visitor.optional("transfers", &transfers)
        try visitor.optional("groups", &groups)
        try visitor.optional("sums", &sums)
        try visitor.optional("counts", &counts)
    }
}
