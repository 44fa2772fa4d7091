// SPDX-License-Identifier: MIT

import TransferModel

/// Events as lines for screen readers and logs: the event, then the name, then the details. Or one line for each file,
/// with a sign in front, and what holds one up.
struct PlainLines {
    /// Minimum seconds between two `progress` lines of a transfer.
    static let progressInterval = 5.0

    private var lastProgress: [TransferID: Double] = [:]
    /// Start of the wait of each waiting transfer.
    private var waiting: [TransferID: Double] = [:]
    private var notes = RunNotes()
    /// Begin the lines of files; `nil`: a line for each event.
    private let signs: TerminalGlyphs?

    init(signs: TerminalGlyphs? = nil) { self.signs = signs }

    /// `nil` for progress within the interval, and for events without text.
    mutating func line(for event: TransferEvent, ended: ProgressBoard.Ended?) -> String? {
        let transfer = event.transfer
        if let signs, !Self.holdsUp(event) {
            if event.name == .started { waiting[transfer.id] = nil }
            guard transfer.state.isEnded else {
                return notes.take(event).map { "\(TransferName.short(transfer)): \($0)" }
            }
            forget(transfer.id)
            return ResultText.line(ended ?? .init(transfer: transfer, elapsed: nil), signs)
        }
        let head = "\(event.name.rawValue) \(TransferName.short(transfer))"
        switch event.name {
        case .changed: return nil
        case .queued: return "\(head), \(transfer.kind.rawValue) \(transfer.id)"
        case .started:
            lastProgress[transfer.id] = event.time
            if let since = waiting.removeValue(forKey: transfer.id) {
                return "\(head) at byte \(transfer.bytes), after waiting \(TimeSpan.clock(event.time - since))"
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
            let reason = MessageCatalog.reason(of: transfer).map { ": \($0)" } ?? ""
            return head + reason + (transfer.canBeLifted ? "; --now would use it anyway" : "")
        case .retrying:
            waiting[transfer.id] = nil
            let next =
                transfer.retryAt.map { " in \(TimeSpan.short(max(0, $0 - event.time))) (attempt \(transfer.attempt))" }
                ?? ""
            return head + next + (MessageCatalog.reason(of: transfer).map { ": \($0)" } ?? "")
        case .paused, .verifying:
            waiting[transfer.id] = nil
            let note = StateNote.text(of: transfer, now: event.time)
            return head + (note.map { ": \($0)" } ?? "")
        case .completed:
            forget(transfer.id)
            return "\(head): " + ResultText.success(ended ?? .init(transfer: transfer, elapsed: nil))
        case .failed:
            forget(transfer.id)
            return "\(head): \(MessageCatalog.failure(of: transfer) ?? "no reason given")"
        case .cancelled:
            forget(transfer.id)
            return "\(head): \(ResultText.failure(transfer))"
        }
    }

    private static func holdsUp(_ event: TransferEvent) -> Bool {
        [.waiting, .retrying, .paused].contains(event.name)
    }

    private mutating func forget(_ id: TransferID) {
        lastProgress[id] = nil
        waiting[id] = nil
        notes.forget(id)
    }

    private func progress(_ transfer: Transfer) -> String {
        var text = ByteCount.short(Double(transfer.bytes))
        if let total = transfer.total, let fraction = transfer.fraction {
            text = "\(Int(fraction * 100))%, \(text) of \(ByteCount.short(Double(total)))"
        }
        if let rate = transfer.rate { text += ", \(ByteCount.short(rate))/s" }
        if let eta = transfer.eta { text += ", \(TimeSpan.short(eta)) left" }
        return text
    }
}
