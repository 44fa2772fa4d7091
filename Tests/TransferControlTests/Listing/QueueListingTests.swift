// SPDX-License-Identifier: MIT

import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct QueueListingTests {
    @Test(arguments: 1...16) func isWhatFilteringAndSortingGives(_ seed: UInt64) throws {
        var model = ListingModel(seed: seed)
        var listing = QueueListing(reason: ListingModel.reason)
        for step in 0..<120 {
            if step % 8 == 0 {
                model.varySpec()
                listing.show(model.spec) { model.transfer($0) }
            }
            listing.receive(model.change())
            // What has moved stays where it was until then, and is found there.
            #expect((0..<listing.rowCount).allSatisfy { listing.index(of: listing.row($0)) == $0 })
            listing.reorder()
            #expect(!listing.isOutdated)
            let members = model.members
            try #require(listing.members == members.map(\.id), "step \(step): \(model.spec)")
            try #require((0..<listing.rowCount).map(listing.row) == model.rows, "step \(step): \(model.spec)")
            let onScreen = listing.isGrouped ? listing.groups.members : listing.members
            #expect(onScreen.compactMap { listing.membersBefore($0) } == Array(onScreen.indices))
            #expect(listing.order == model.transfers.map(\.id))
            #expect(listing.tally == ListingModel.tally(model.transfers))
            #expect(listing.problems == members.count(where: \.isProblem))
            for group in listing.groups.groups {
                let own = members.filter { model.spec.group(of: $0, isOpen: false) == group.key }
                #expect(group.members == own.map(\.id) && group.tally == ListingModel.tally(own))
            }
            let queued = model.transfers.filter { $0.state == .queued }.map(\.id)
            #expect(listing.queued == queued && queued.map { listing.queuedBefore($0) } == Array(queued.indices))
            #expect(listing.running == Set(model.transfers.filter(\.state.occupiesSlot).map(\.id)))
            let counted = model.spec.counted.map { ListFilter($0, now: 0) }
            #expect(
                listing.counts
                    == counted.map { filter in
                        model.transfers.count { filter.takes($0, reason: ListingModel.reason) }
                    })
            let some = Set(model.transfers.filter { $0.id.rawValue % 3 == 0 }.map(\.id))
            #expect(listing.inOrder(some) == listing.members.filter(some.contains))
        }
    }

    /// Each letter is tried on what the last one has left, where it can only leave less.
    @Test(arguments: ["failed", "size>100 iso", "iso size>100", "夏祭り.", "st state:fa", "quota is", "a  b"])
    func typingAFilterGivesWhatTheWholeTextGives(_ text: String) {
        var model = ListingModel(seed: 5)
        for _ in 0..<200 { _ = model.addNew() }
        var listing = QueueListing(reason: ListingModel.reason)
        listing.replaceAll(model.transfers)
        for end in Array(text.indices) + text.indices.reversed() {
            model.spec.filters = [String(text[...end])]
            listing.show(model.spec) { model.transfer($0) }
            #expect(listing.members == model.members.map(\.id), "\(text[...end])")
        }
    }

    /// The holder of a window needs no more than the updates, however many changes lie between two.
    @Test(arguments: 1...16) func updatesInAnySplitEqualAFreshWindow(_ seed: UInt64) throws {
        var model = ListingModel(seed: seed)
        var listing = QueueListing(reason: ListingModel.reason)
        var request = WindowRequest()
        var sent: QueueWindow?
        var held = QueueWindow()
        for step in 0..<150 {
            listing.receive(model.change())
            if step % 9 == 0 {
                model.varySpec()
                request.spec = model.spec
                (request.before, request.after) = (model.pick([0, 3]), model.pick([1, 5, 500]))
                request.index = model.pick([0, 2, 50])
                request.anchor = model.transfers.isEmpty ? nil : .transfer(model.pick(model.transfers).id)
                listing.show(request.spec) { model.transfer($0) }
            }
            guard Int.random(in: 0..<3, using: &model.random) == 0 else { continue }
            if Bool.random(using: &model.random) { listing.reorder() }
            let window = listing.window(request) { model.transfer($0) }
            if let update = window.update(since: sent) { held.apply(update) }
            sent = window
            try #require(held == window, "step \(step)")
            #expect(window.rows.count <= request.before + request.after)
            #expect(window.rows == (0..<window.rows.count).map { listing.row(window.first + $0) })
            #expect(window.update(since: window) == nil)
        }
    }

    @Test(arguments: 1...8) func aTableHoldsWhatADictionaryDoes(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (table, known): (SlotTable<Int>, [TransferID: Int]) = (SlotTable(), [:])
        for step in 0..<500 {
            let id = TransferID(rawValue: Int.random(in: 1...40, using: &random))
            let value = Bool.random(using: &random) ? step : nil
            (table[id], known[id]) = (value, value)
            #expect(Set(table.ids) == Set(known.keys) && table.values.count == known.count)
            #expect((1...40).map(TransferID.init(rawValue:)).allSatisfy { table[$0] == known[$0] })
        }
    }

    private static func listing(_ count: Int) -> (QueueListing, [Transfer]) {
        let transfers = (1...count).map { number in
            Transfer(
                id: TransferID(rawValue: number), kind: .download, url: "https://a.example/\(number)",
                file: "/tmp/\(number)", state: .queued)
        }
        var listing = QueueListing()
        listing.replaceAll(transfers)
        return (listing, transfers)
    }

    @Test func theRowAtItsIndexTakesThePlaceOfAnAnchorThatIsGone() {
        let (start, transfers) = Self.listing(10)
        var listing = start
        var request = WindowRequest()
        (request.anchor, request.index, request.before, request.after) = (.transfer(transfers[4].id), 4, 1, 2)
        var window = listing.window(request) { id in transfers.first { $0.id == id } }
        #expect(window.anchor == 4 && window.first == 3 && window.rows.count == 3 && window.count == 10)
        listing.remove([transfers[4].id, transfers[0].id])
        window = listing.window(request) { id in transfers.first { $0.id == id } }
        #expect(window.anchor == 4 && window.rows[1] == .transfer(transfers[6].id))
        listing.remove(Set(transfers.dropFirst(2).map(\.id)))
        window = listing.window(request) { id in transfers.first { $0.id == id } }
        #expect(window.anchor == 0 && window.rows == [.transfer(transfers[1].id)])
        listing.remove([transfers[1].id])
        #expect(listing.window(request) { _ in nil }.anchor == nil)
    }

    @Test func theHeadingStandsForAHiddenAnchor() {
        let (start, transfers) = Self.listing(3)
        var listing = start
        var spec = ListingSpec()
        (spec.grouping, spec.folded) = (.server, ["a.example"])
        listing.show(spec) { id in transfers.first { $0.id == id } }
        var request = WindowRequest(spec)
        request.anchor = .transfer(transfers[2].id)
        let window = listing.window(request) { id in transfers.first { $0.id == id } }
        #expect(window.rows == [.group("a.example")] && window.anchor == 0)
        #expect(window.groups["a.example"]?.isFolded == true && window.groups["a.example"]?.sums[.queued] == 3)
    }

    /// The order of the rows does not depend on what comes in between two sorts.
    @Test func aSortedListKeepsItsOrderUntilItIsSortedAgain() {
        var (listing, transfers) = Self.listing(3)
        var spec = ListingSpec()
        spec.order = ListOrder(key: .size)
        listing.show(spec) { id in transfers.first { $0.id == id } }
        transfers[2].total = 5
        #expect(!listing.note(transfers[2]) && listing.isOutdated)
        #expect(listing.members.map(\.rawValue) == [1, 2, 3])
        listing.reorder()
        #expect(listing.members.map(\.rawValue) == [3, 1, 2])
        transfers[2].total = nil
        _ = listing.note(transfers[2])
        transfers[2].total = 5
        _ = listing.note(transfers[2])
        #expect(!listing.isOutdated, "as it was sorted")
    }

    @Test(arguments: [
        ("iso", "Debian.ISO", true), ("ISO", "debian.iso", true), ("isp", "debian.iso", false), ("x", "", false),
        ("夏祭", "夏祭り.mp4", true), ("é", "CAFÉ", true), ("k", "\u{212a}.bin", true), ("debian.iso!", "debian.iso", false),
        ("aab", "aaab", true), ("@", "`", false), ("[", "{", false),
    ])
    func lettersIgnoreCase(_ letters: String, _ text: String, _ expected: Bool) {
        #expect(Letters(letters).isIn(text) == expected)
        #expect(Letters(letters).isIn(text[...]) == expected)
        #expect(text.lowercased().contains(letters.lowercased()) == expected)
    }

    @Test func filtersAreChecked() {
        var spec = ListingSpec()
        spec.filters = ["size>1G iso"]
        #expect(throws: Never.self) { try spec.check() }
        spec.counted = ["state:asleep"]
        #expect(throws: TransferError.self) { try spec.check() }
        spec.counted = Array(repeating: "a", count: 9)
        #expect(throws: TransferError.self) { try spec.check() }
        (spec.counted, spec.filters) = ([], Array(repeating: "a", count: 9))
        #expect(throws: TransferError.self) { try spec.check() }
        spec.filters = [String(repeating: "a", count: ListingSpec.mostFilterBytes)]
        #expect(throws: Never.self) { try spec.check() }
        spec.counted = ["a"]
        #expect(throws: TransferError.self) { try spec.check() }
    }
}
