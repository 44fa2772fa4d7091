// SPDX-License-Identifier: MIT

/// The terms of adding transfers to a queue, the same for all of one call. Each record stores them, except ``paused``,
/// which becomes its status.
package struct TransferTerms: Sendable, Hashable {
    /// Queue it without starting.
    package var paused = false
    /// Seconds since 1970 of the earliest start. `nil`: immediately.
    package var earliestBegin: Double?
    /// Whether it starts only on a network free of cost, while no other transfer runs.
    @Default<Usual.False> package var isDiscretionary: Bool
    /// The background session that it belongs to, whose delegate is notified of its end; `nil`: none.
    package var session: String?
    /// Any string of the client that added it; the queue does not interpret it.
    package var taskDescription: String?
    /// It starts once these transfers of the queue have completed, and is paused if one of them fails; `nil`: none.
    package var after: [TransferID]?
    /// The batch that it was added in; `nil`: none.
    package var batch: TransferBatch?

    package init(
        paused: Bool = false, earliestBegin: Double? = nil, isDiscretionary: Bool = false, session: String? = nil,
        taskDescription: String? = nil, after: [TransferID]? = nil, batch: TransferBatch? = nil
    ) {
        self.paused = paused
        self.earliestBegin = earliestBegin
        self.isDiscretionary = isDiscretionary
        self.session = session
        self.taskDescription = taskDescription
        self.after = after
        self.batch = batch
    }

    /// Whether the queue treats it as one without terms.
    package var areUsual: Bool {
        var others = self
        others.batch = nil
        return others == TransferTerms()
    }
}

extension TransferTerms: Codable {
    private enum CodingKeys: CodingKey { case earliestBegin, isDiscretionary, session, taskDescription, after, batch }
}

/// Terms that are not the usual ones are in one place outside the record.
extension Transfer {
    package var earliestBegin: Double? {
        get { terms?.earliestBegin }
        set { setTerm(\.earliestBegin, newValue) }
    }

    /// The transfers of ``TransferTerms/after`` that have not completed; `nil` if there are none.
    package var after: [TransferID]? {
        get { terms?.after }
        set { setTerm(\.after, newValue?.isEmpty == true ? nil : newValue) }
    }

    package var isDiscretionary: Bool {
        get { terms?.isDiscretionary ?? false }
        set { setTerm(\.isDiscretionary, newValue) }
    }

    package var session: String? {
        get { terms?.session }
        set { setTerm(\.session, newValue) }
    }

    package var taskDescription: String? {
        get { terms?.taskDescription }
        set { setTerm(\.taskDescription, newValue) }
    }

    package var batch: TransferBatch? {
        get { terms?.batch }
        set { setTerm(\.batch, newValue) }
    }

    private mutating func setTerm<Value: Equatable>(_ member: WritableKeyPath<TransferTerms, Value>, _ value: Value) {
        var changed = terms ?? TransferTerms()
        guard changed[keyPath: member] != value else { return }
        changed[keyPath: member] = value
        terms = changed == TransferTerms() ? nil : changed
    }
}
