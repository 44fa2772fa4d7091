// SPDX-License-Identifier: MIT

package import TransferModel

/// The order of a list; without one, that of the queue.
package struct ListOrder: Hashable, Sendable, Codable {
    package enum Key: String, Sendable, CaseIterable, Codable {
        case name, server, size, done, rate, left, added, state
    }

    package var key: Key
    package var isReversed = false

    package init(key: Key, isReversed: Bool = false) {
        self.key = key
        self.isReversed = isReversed
    }

    /// Whether the least comes first, as an arrow in the headings shows.
    package var isAscending: Bool {
        switch key {
        case .name, .server, .left, .state: !isReversed
        case .size, .done, .rate, .added: isReversed
        }
    }

    /// The value by which a transfer is sorted, the least first unless the order is reversed.
    enum Value: Hashable, Comparable, Sendable {
        case number(Double)
        case text(String)

        static func < (left: Value, right: Value) -> Bool {
            switch (left, right) {
            case (.number(let left), .number(let right)): left < right
            case (.text(let left), .text(let right)): left < right
            case (.number, .text): true
            case (.text, .number): false
            }
        }
    }

    func value(of transfer: Transfer) -> Value {
        switch key {
        case .name: .text(NaturalOrder.key(transfer.displayName))
        case .server: .text((try? TransferURL(transfer.url))?.authority ?? "")
        // The largest first: that is what one looks for.
        case .size: .number(-Double(transfer.total ?? -1))
        case .done: .number(-(transfer.state == .completed ? 1 : transfer.fraction ?? -1))
        case .rate: .number(Self.ordered(-(transfer.rate ?? -1)))
        case .left: .number(Self.ordered(transfer.eta ?? .infinity))
        case .added: .number(Self.ordered(-transfer.addedAt))
        case .state: .number(Self.rank(transfer))
        }
    }

    /// What moves comes first, then what needs the user, what waits for something else, and what has ended.
    private static func rank(_ transfer: Transfer) -> Double {
        switch transfer.state {
        case .running, .verifying: 0
        case .paused where transfer.question != nil: 1
        case .failed: 2
        case .waiting, .retrying: 3
        case .queued: transfer.earliestBegin == nil ? 4 : 5
        case .paused: 6
        case .completed, .cancelled: 7
        }
    }

    /// No number is the last one: a list with it would have no order.
    private static func ordered(_ number: Double) -> Double { number.isNaN ? .infinity : number }

    /// Whether `left` stands before `right`; equal ones stay in the order of the queue.
    func precedes(_ left: Value, _ leftPlace: Int, _ right: Value, _ rightPlace: Int) -> Bool {
        if left != right { return isReversed ? right < left : left < right }
        return leftPlace < rightPlace
    }

    /// `transfers` in this order; equal ones stay as they are.
    package func sorted(_ transfers: [Transfer]) -> [TransferID] {
        let keyed = transfers.enumerated().map {
            (value: value(of: $0.element), place: $0.offset, id: $0.element.id)
        }
        return keyed.sorted { precedes($0.value, $0.place, $1.value, $1.place) }.map(\.id)
    }
}
