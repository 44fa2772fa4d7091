// SPDX-License-Identifier: MIT

package import TransferModel

/// Values by ID, without order. A dictionary of large values reserves up to three times what it stores: here only their
/// places are in one.
struct SlotTable<Value: Sendable>: Sendable {
    private var slots: [TransferID: Int32] = [:]
    private(set) var ids: [TransferID] = []
    /// In the order of ``ids``.
    var values: [Value] = []

    mutating func reserveCapacity(_ count: Int) {
        slots.reserveCapacity(count)
        ids.reserveCapacity(count)
        values.reserveCapacity(count)
    }

    /// Among ``values``, until one is removed.
    func slot(of id: TransferID) -> Int? { slots[id].map(Int.init) }

    subscript(id: TransferID) -> Value? {
        get { slots[id].map { values[Int($0)] } }
        set {
            if let newValue { set(id, newValue) } else { remove(id) }
        }
    }

    private mutating func set(_ id: TransferID, _ value: Value) {
        if let slot = slots[id] {
            values[Int(slot)] = value
            return
        }
        slots[id] = Int32(values.count)
        ids.append(id)
        values.append(value)
    }

    private mutating func remove(_ id: TransferID) {
        guard let slot = slots.removeValue(forKey: id), let lastID = ids.popLast(), let last = values.popLast() else {
            return
        }
        // The last takes its place.
        guard Int(slot) < values.count else { return }
        ids[Int(slot)] = lastID
        values[Int(slot)] = last
        slots[lastID] = slot
    }
}

/// The transfers of a queue by their IDs.
package struct TransferTable: Sendable {
    private var table = SlotTable<Transfer>()

    package init() {}

    package init(_ transfers: [Transfer]) {
        table.reserveCapacity(transfers.count)
        for transfer in transfers { table[transfer.id] = transfer }
    }

    package var count: Int { table.values.count }
    /// In any order.
    package var values: [Transfer] { table.values }

    package subscript(id: TransferID) -> Transfer? {
        get { table[id] }
        set { table[id] = newValue }
    }
}
