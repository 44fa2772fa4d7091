// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The finished transfers as far as they are loaded, latest first. Pure.
struct HistoryList: Sendable {
    static let page = 200

    private(set) var order: [TransferID] = []
    private(set) var transfers: [TransferID: Transfer] = [:]
    /// Whether nothing older exists.
    private(set) var isComplete = false
    /// Whether anything was loaded.
    private(set) var isLoaded = false
    /// Something ended, or was removed, since the last request.
    private var isStale = true
    private var isAsked = false
    private var last: HistoryEntry.Place?
    /// Why there is none.
    private(set) var refusal: String?

    mutating func becomesStale() { isStale = true }

    /// The user wants to see it, again.
    mutating func opened() { (isStale, refusal) = (true, nil) }

    /// The request to send now; it then counts as sent.
    /// - Parameter needsMore: whether the end of what is loaded is near.
    mutating func request(needsMore: Bool) -> Effect? {
        guard !isAsked, refusal == nil else { return nil }
        if isStale {
            (isStale, isAsked) = (false, true)
            return .history(before: nil, limit: min(HistoryQuery.maximumLimit, max(Self.page, order.count)))
        }
        guard needsMore, !isComplete, let last else { return nil }
        isAsked = true
        return .history(before: last, limit: Self.page)
    }

    /// - Parameters:
    ///   - place: the place of the request; `nil`: the latest ones.
    ///   - limit: of the request.
    mutating func receive(_ entries: [HistoryEntry], before place: HistoryEntry.Place?, limit: Int) {
        (isAsked, isLoaded) = (false, true)
        if place == nil { (order, transfers) = ([], [:]) }
        for entry in entries where transfers.updateValue(entry.transfer, forKey: entry.transfer.id) == nil {
            order.append(entry.transfer.id)
        }
        last = entries.last?.place ?? last
        isComplete = entries.count < limit
    }

    mutating func refused(_ text: String) {
        (isAsked, isLoaded, refusal) = (false, true, text)
    }
}
