// SPDX-License-Identifier: MIT

package import TransferModel

/// Transfers to add, with common terms.
package struct AddParams: Sendable, Hashable {
    /// With their options; most share the list's options, as one object.
    package var transfers: [Spec]
    package var terms: TransferTerms
    /// The number of a list that is split over several messages.
    var list: Int?
    /// The number of earlier transfers of the list; absent: 0.
    var offset: Int?
    /// Whether further parts of the list follow; absent: false.
    var more: Bool?

    /// Also for transfers that only a queue in this process can execute.
    init(transfers: [Spec], terms: TransferTerms) { (self.transfers, self.terms) = (transfers, terms) }

    /// - Throws: code `usage` for a transfer that no service can execute.
    init(_ transfers: some Sequence<Spec>, terms: TransferTerms) throws(TransferError) {
        self.transfers = Array(transfers)
        self.terms = terms
        try check()
    }

    /// Without transfers, for a list to be discarded.
    init(forgetting list: Int) {
        (transfers, terms) = ([], TransferTerms())
        (self.list, more) = (list, true)
    }

    private mutating func check() throws(TransferError) {
        // Neighbours mostly share their options.
        var last: (given: Shared<TransferOptions>, checked: Shared<TransferOptions>)?
        for index in transfers.indices {
            try transfers[index].checkOperation()
            let given = transfers[index].$options
            if last?.given != given { last = (given, Shared(wrappedValue: try given.wrappedValue.checked())) }
            if let last { transfers[index].$options = last.checked }
        }
        if let begin = terms.earliestBegin, !begin.isFinite {
            throw TransferError(ParameterProblem("earliestBegin", .time))
        }
    }
}

extension AddParams: Codable {
    private enum Key: CodingKey {
        case transfers, options, paused, earliestBegin, discretionary, session, taskDescription, after, batch, list,
            offset, more
    }

    /// A transfer of the list; without options it has the list's.
    private struct Member: Codable {
        var spec: Spec
        var hasOwnOptions: Bool

        private enum Key: CodingKey { case options }

        init(_ spec: Spec, hasOwnOptions: Bool) { (self.spec, self.hasOwnOptions) = (spec, hasOwnOptions) }

        init(from decoder: any Decoder) throws {
            spec = try Spec(from: decoder)
            hasOwnOptions = !spec.$options.isIdentical(to: Spec.usualOptions)
        }

        func encode(to encoder: any Encoder) throws {
            try spec.withoutOptions.encode(to: encoder)
            guard hasOwnOptions else { return }
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(spec.options, forKey: .options)
        }
    }

    /// - Throws: a ``TransferModel/TransferError`` for a transfer that no service can execute.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let rest = try Rest(from: decoder)
        let members = try container.decode([Member].self, forKey: .transfers).map { member in
            var spec = member.spec
            if !member.hasOwnOptions { spec.$options = rest.options }
            return spec
        }
        try self.init(members, rest)
    }

    init(_ transfers: [Spec], _ rest: Rest) throws(TransferError) {
        (self.transfers, terms) = (transfers, rest.terms)
        (list, offset, more) = (rest.list, rest.offset, rest.more)
        try check()
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let rest = rest
        try container.encode(
            transfers.map { Member($0, hasOwnOptions: $0.$options != rest.options) }, forKey: .transfers)
        try rest.encode(to: encoder)
    }

    /// All but the transfers.
    var rest: Rest {
        // The first transfer's options are written once, for all that have the same.
        Rest(
            options: transfers.first?.$options ?? Shared(wrappedValue: TransferOptions()), terms: terms, list: list,
            offset: offset, more: more)
    }

    struct Rest: Codable {
        var options: Shared<TransferOptions>
        var terms: TransferTerms
        var list: Int?
        var offset: Int?
        var more: Bool?

        init(options: Shared<TransferOptions>, terms: TransferTerms, list: Int?, offset: Int?, more: Bool?) {
            (self.options, self.terms, self.list, self.offset, self.more) = (options, terms, list, offset, more)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            options = Shared(
                wrappedValue: try container.decodeIfPresent(TransferOptions.self, forKey: .options)
                    ?? TransferOptions())
            terms = TransferTerms(
                paused: try container.decodeIfPresent(Bool.self, forKey: .paused) ?? false,
                earliestBegin: try container.decodeIfPresent(Double.self, forKey: .earliestBegin),
                isDiscretionary: try container.decodeIfPresent(Bool.self, forKey: .discretionary) ?? false,
                session: try container.decodeIfPresent(String.self, forKey: .session),
                taskDescription: try container.decodeIfPresent(String.self, forKey: .taskDescription),
                after: try container.decodeIfPresent([TransferID].self, forKey: .after),
                batch: try container.decodeIfPresent(TransferBatch.self, forKey: .batch))
            list = try container.decodeIfPresent(Int.self, forKey: .list)
            offset = try container.decodeIfPresent(Int.self, forKey: .offset)
            more = try container.decodeIfPresent(Bool.self, forKey: .more)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            if options.wrappedValue != TransferOptions() {
                try container.encode(options.wrappedValue, forKey: .options)
            }
            if terms.paused { try container.encode(true, forKey: .paused) }
            try container.encodeIfPresent(terms.earliestBegin, forKey: .earliestBegin)
            if terms.isDiscretionary { try container.encode(true, forKey: .discretionary) }
            try container.encodeIfPresent(terms.session, forKey: .session)
            try container.encodeIfPresent(terms.taskDescription, forKey: .taskDescription)
            try container.encodeIfPresent(terms.after, forKey: .after)
            try container.encodeIfPresent(terms.batch, forKey: .batch)
            try container.encodeIfPresent(list, forKey: .list)
            try container.encodeIfPresent(offset, forKey: .offset)
            try container.encodeIfPresent(more, forKey: .more)
        }
    }
}
