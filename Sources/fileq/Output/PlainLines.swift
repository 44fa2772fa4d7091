// SPDX-License-Identifier: MIT

import TransferModel

/// Events as lines that read well aloud and in a log: the event's word first, then the name, then what matters.
struct PlainLines {
    /// Seconds between two `progress` lines of one transfer: often enough to know, seldom enough to listen to.
    static let progressInterval = 5.0

    private var lastProgress: [TransferID: Double] = [:]
    /// Since when those wait that do.
    private var waiting: [TransferID: Double] = [:]
    private var notes = RunNotes()

    /// `nil` for progress that follows too soon, and for what is nothing to a reader.
    mutating func line(for event: TransferEvent, ended: ProgressBoard.Ended?) -> String? {
        let transfer = event.transfer
        let head = "\(event.name.rawValue) \(TransferName.short(transfer))"
        switch event.name {
        case .changed: return nil
        case .queued: return "\(head), \(transfer.kind.rawValue) \(transfer.id)"
        case .started:
            lastProgress[transfer.id] = event.time
            if let since = waiting.removeValue(forKey: transfer.id) {
                return "\(head) again at byte \(transfer.bytes), after waiting \(TimeSpan.clock(event.time - since))"
            }
            return
                "\(head) \(transfer.kind == .download ? "from" : "to") \(TransferURL.displayedForPeople(transfer.url))"
        case .progress:
            if let note = notes.take(event) { return "note \(TransferName.short(transfer)): \(note)" }
            if let last = lastProgress[transfer.id], event.time - last < Self.progressInterval { return nil }
            lastProgress[transfer.id] = event.time
            return "\(head): \(progress(transfer))"
        case .resumed: return "\(head) at byte \(transfer.bytes)"
        case .restarted: return head + (notes.take(event).map { ": \($0)" } ?? "")
        case .waiting:
            if waiting[transfer.id] == nil { waiting[transfer.id] = transfer.waitingSince ?? event.time }
            let reason = transfer.reason.map { ": \($0)" } ?? ""
            return head + reason + (transfer.canBeLifted ? "; with --now it would be used all the same" : "")
        case .retrying:
            waiting[transfer.id] = nil
            let next =
                transfer.retryAt.map { " in \(TimeSpan.short(max(0, $0 - event.time))) (try \(transfer.attempt))" }
                ?? ""
            return head + next + (transfer.reason.map { ": \($0)" } ?? "")
        case .paused, .verifying:
            waiting[transfer.id] = nil
            let note = StateNote.text(of: transfer, now: event.time)
            return head + (note.map { ": \($0)" } ?? "")
        case .completed:
            forget(transfer.id)
            return "\(head): " + EndWords.success(ended ?? .init(transfer: transfer, elapsed: nil))
        case .failed:
            forget(transfer.id)
            return "\(head): \(transfer.error.map(MessageCatalog.text) ?? "no reason was given")"
        case .cancelled:
            forget(transfer.id)
            return "\(head): \(EndWords.failure(transfer))"
        }
    }

    private mutating func forget(_ id: TransferID) {
        lastProgress[id] = nil
        waiting[id] = nil
        notes.forget(id)
    }

    private func progress(_ transfer: TransferSnapshot) -> String {
        var text = ByteCount.short(Double(transfer.bytes))
        if let total = transfer.total, let fraction = transfer.fraction {
            text = "\(Int(fraction * 100))%, \(text) of \(ByteCount.short(Double(total)))"
        }
        if let rate = transfer.rate { text += ", \(ByteCount.short(rate))/s" }
        if let eta = transfer.eta { text += ", \(TimeSpan.short(eta)) left" }
        return text
    }
}
