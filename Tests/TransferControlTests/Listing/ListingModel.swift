// SPDX-License-Identifier: MIT

import TransferModel
import TransferTesting

@testable import TransferControl

/// A queue that changes at random, and what a list of it must show, found by filtering and sorting everything.
struct ListingModel {
    var transfers: [Transfer] = []
    var spec = ListingSpec()
    private var nextID = 1
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private static let names = ["debian.iso", "Ubuntu.ISO", "夏祭り.mp4", "a", "B", "readme.txt", "K.bin", "\u{212a}.bin"]
    private static let hosts = ["a.example", "b.example:8080", "c.example"]
    private static let filters = [
        "", "iso", "夏", "state:failed", "fail", "size>100", "a b", "k", "!state:done", "host:a.example", "quota",
    ]

    private static let batches: [TransferBatch?] = [
        nil, TransferBatch(id: "1", name: "photos of 2026"), TransferBatch(id: "2", name: "list.txt"),
    ]

    static let reason: @Sendable (Transfer) -> String? = { $0.error?.message }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    func transfer(_ id: TransferID) -> Transfer? { transfers.first { $0.id == id } }

    /// One with other contents than before.
    mutating func vary(_ id: TransferID) -> Transfer {
        var transfer = Transfer(
            id: id, kind: pick([.download, .upload]), url: "https://\(pick(Self.hosts))/\(pick(["x", "y/z"]))/f",
            file: "/home/user/\(pick(["in", "out"]))/\(pick(Self.names))", state: pick(TransferState.allCases))
        transfer.batch = Self.batches[id.rawValue % Self.batches.count]
        transfer.total = pick([nil, 0, 50, 200, 200])
        transfer.bytes = Int64.random(in: 0...200, using: &random)
        transfer.addedAt = Double(Int.random(in: 0...9, using: &random))
        let (rate, eta) = (pick([nil, 1.0, 5]), pick([nil, 3.0, 60]))
        if transfer.state == .running { transfer.edit { ($0.rate, $0.eta) = (rate, eta) } }
        if transfer.state == .failed { transfer.edit { $0.error = TransferError(.diskFull, "the Quota is used up") } }
        return transfer
    }

    mutating func addNew() -> Transfer {
        let transfer = vary(TransferID(rawValue: nextID))
        nextID += 1
        transfers.append(transfer)
        return transfer
    }

    mutating func varySpec() {
        var new = ListingSpec()
        if Bool.random(using: &random) { new.view = pick(ListingView.allCases) }
        new.filters = [pick(Self.filters)].filter { !$0.isEmpty }
        if Bool.random(using: &random) {
            new.order = ListOrder(key: pick(ListOrder.Key.allCases), isReversed: Bool.random(using: &random))
        }
        if Bool.random(using: &random) { new.grouping = pick(Grouping.allCases) }
        new.home = pick([nil, "/home/user"])
        new.counted = Bool.random(using: &random) ? ["state:failed", "iso"] : []
        new.folded = Set(["a.example", "~/in/", ListingSpec.finished, "\u{10fffe}2 list.txt"].filter { _ in
            Bool.random(using: &random)
        })
        spec = new
    }

    /// A change of the queue.
    mutating func change() -> QueueUpdate {
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where !transfers.isEmpty:
            let gone = Set((0..<pick([1, 2, 40])).map { _ in pick(transfers).id })
            transfers.removeAll { gone.contains($0.id) }
            return .removed(Array(gone))
        case 1:
            transfers.shuffle(using: &random)
            return .order(transfers.map(\.id))
        case 2:
            if transfers.count > 60 { transfers.removeLast(30) }
            return .snapshot(QueueSnapshot(transfers: transfers))
        default:
            let events = (0...pick([0, 1, 5])).map { _ in
                let isNew = transfers.isEmpty || Int.random(in: 0..<4, using: &random) == 0
                let transfer = isNew ? addNew() : vary(pick(transfers).id)
                if let place = transfers.firstIndex(where: { $0.id == transfer.id }) { transfers[place] = transfer }
                return TransferEvent(time: 0, name: .changed, transfer: transfer)
            }
            return .events(events)
        }
    }

    // MARK: What the list must show

    var members: [Transfer] {
        let filters = spec.filters.map { ListFilter($0, now: 0) }
        let listed = transfers.filter { transfer in
            spec.view.contains(transfer) && filters.allSatisfy { $0.takes(transfer, reason: Self.reason) }
        }
        guard let order = spec.sorting else { return listed }
        let byID = Dictionary(uniqueKeysWithValues: listed.map { ($0.id, $0) })
        return order.sorted(listed).compactMap { byID[$0] }
    }

    var rows: [ListRow] {
        guard spec.isGrouped else { return members.map { .transfer($0.id) } }
        let groups = Dictionary(grouping: members) { spec.group(of: $0, isOpen: false) ?? "" }
        func rank(_ key: String, _ members: [Transfer]) -> Int {
            guard members.contains(where: { $0.batch != nil }), Grouping.isBatch(key) else {
                return key == ListingSpec.finished ? 3 : 1
            }
            return members.allSatisfy { [.completed, .cancelled].contains($0.state) } ? 2 : 0
        }
        let sorted = groups.sorted { (rank($0.key, $0.value), $0.key) < (rank($1.key, $1.value), $1.key) }
        return sorted.flatMap { key, members in
            (key.isEmpty ? [] : [ListRow.group(key)])
                + (spec.folded.contains(key) != Grouping.isBatch(key) ? [] : members.map { .transfer($0.id) })
        }
    }

    static func tally(_ transfers: [Transfer]) -> Tally {
        var tally = Tally()
        for transfer in transfers { tally.add(transfer) }
        return tally
    }
}

extension QueueListing {
    mutating func receive(_ update: QueueUpdate) {
        switch update {
        case .snapshot(let snapshot): replaceAll(snapshot.transfers)
        case .events(let events):
            for event in events { _ = note(event.transfer) }
            layOut()
        case .order(let order): setOrder(order)
        case .removed(let ids): remove(Set(ids))
        case .limits: break
        }
    }
}
