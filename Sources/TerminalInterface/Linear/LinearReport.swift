// SPDX-License-Identifier: MIT

package import TransferControl
package import TransferModel

/// The queue as lines of words, for screen readers, braille displays and slow lines: an update in, lines out. No glyphs
/// beside those of names, no I/O.
package struct LinearReport: Sendable {
    private var transfers: [TransferID: Transfer] = [:]
    private var order: [TransferID] = []
    /// The quarter that was reported last, of each running transfer.
    private var quarters: [TransferID: Int] = [:]
    /// Seconds since 1970 of the last byte of each running transfer.
    private var lastMoved: [TransferID: Double] = [:]
    private var limits = QueueLimits()
    private var isLoaded = false
    private let words: InterfaceWords
    private let clock: LocalClock
    private let commands: InterfaceWords.Keys

    /// - Parameter commands: in place of keys.
    package init(words: InterfaceWords, clock: LocalClock, commands: InterfaceWords.Keys) {
        (self.words, self.clock, self.commands) = (words, clock, commands)
    }

    /// - Parameter now: seconds since 1970.
    /// - Returns: the lines to write.
    package mutating func take(_ update: QueueUpdate, now: Double) -> [String] {
        switch update {
        case .snapshot(let snapshot):
            limits = snapshot.limits
            order = snapshot.transfers.map(\.id)
            let known = transfers
            let lines = snapshot.transfers.flatMap { note($0, known[$0.id], now) }
            transfers = Dictionary(uniqueKeysWithValues: snapshot.transfers.map { ($0.id, $0) })
            defer { isLoaded = true }
            return isLoaded ? lines : [totals] + asking(now)
        case .events(let events):
            return events.flatMap { event in
                defer {
                    if transfers.updateValue(event.transfer, forKey: event.transfer.id) == nil {
                        order.append(event.transfer.id)
                    }
                }
                return note(event.transfer, transfers[event.transfer.id], now)
            }
        case .order(let new):
            order = new
            return []
        case .removed(let ids):
            for id in ids { (transfers[id], quarters[id], lastMoved[id]) = (nil, nil, nil) }
            order.removeAll(where: ids.contains)
            return []
        case .limits(let new):
            limits = new
            return []
        }
    }

    /// A line for each transfer that asks something.
    private func asking(_ now: Double) -> [String] {
        order.compactMap { transfers[$0] }.filter { $0.state == .paused && $0.question != nil }.map {
            sentence($0, now)
        }
    }

    func transfer(_ id: TransferID) -> Transfer? { transfers[id] }

    private mutating func note(_ transfer: Transfer, _ known: Transfer?, _ now: Double) -> [String] {
        let quarter = transfer.fraction.map { Int($0 * 4) } ?? 0
        defer { quarters[transfer.id] = transfer.state == .running ? quarter : nil }
        lastMoved[transfer.id] = transfer.lastMoved(since: known, at: lastMoved[transfer.id], now: now)
        guard isLoaded else { return [] }
        guard known?.state == transfer.state else {
            if transfer.state == .queued, known != nil, known?.state != .paused { return [] }
            return [sentence(transfer, now, isNew: known == nil)]
        }
        guard transfer.state == .running, quarter > quarters[transfer.id] ?? 0, quarter < 4 else { return [] }
        return ["\(title(transfer)): \(quarter * 25) percent\(left(transfer))"]
    }

    /// `13 夏祭りの動画.mp4`
    private func title(_ transfer: Transfer) -> String {
        "\(transfer.id) \(TextSanitizer.clean(DisplayName.of(transfer)))"
    }

    private func left(_ transfer: Transfer) -> String {
        guard let eta = transfer.eta, eta.isFinite, eta >= 0, eta < 8.64e6 else { return "" }
        if let most = transfer.pace?.longestETA, most > eta * 1.2 {
            return ", \(Self.span(eta)) to \(Self.span(most)) left"
        }
        return ", \(Self.span(eta)) left"
    }

    /// `3 minutes`
    static func span(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds).rounded(.up))
        let (count, unit) =
            whole >= 172_800
            ? (whole / 86400, "day")
            : whole >= 7200
                ? (whole / 3600, "hour") : whole >= 120 ? (whole / 60, "minute") : (whole, "second")
        return "\(count) \(unit)" + (count == 1 ? "" : "s")
    }

    /// The state with its reason, and the commands that help.
    private func sentence(_ transfer: Transfer, _ now: Double, isNew: Bool = false) -> String {
        let id = transfer.id
        let brief = words.brief(transfer).first.map { TextSanitizer.clean($0) }
        let text: String
        switch transfer.state {
        case .queued:
            let start = transfer.earliestBegin.map { $0 > now ? ", starts at \(clock.text($0, now: now))" : "" } ?? ""
            let after = transfer.after.map { ", starts after \(TransferID.list($0))" } ?? ""
            text = (isNew ? "added" : "queued") + start + after
        case .running: text = running(transfer, now)
        case .waiting:
            text = "waits" + (brief.map { ": \($0)" } ?? "") + (transfer.canBeLifted ? ". \(commands.lift) \(id)" : "")
        case .retrying:
            let start = transfer.retryAt.map { $0 > now ? " in \(Self.span($0 - now))" : " next" } ?? ""
            text = "attempt \(transfer.attempt)\(start)" + (brief.map { ": \($0)" } ?? "") + ". retry \(id)"
        case .paused:
            let (state, command) =
                switch transfer.question {
                case .login(let login): (login.hasFailed ? "login not accepted" : "needs a login", commands.login)
                case .trust: ("needs a decision", commands.trust)
                case nil: ("paused", commands.pause)
                }
            text = state + (brief.map { ": \($0)" } ?? "") + ". \(command) \(id)"
        case .verifying: text = "checking"
        case .completed:
            let size =
                (transfer.total ?? transfer.bytes) > 0
                ? ", " + ByteCount.short(Double(transfer.total ?? transfer.bytes)) : ""
            text = "completed\(size)" + (RowText.taken(transfer).map { " in \($0)" } ?? "")
        case .failed:
            let isNameInUse = transfer.error?.fields.variant == .nameInUse
            let replacing = transfer.failedOnExistingFile ? commands.replace.naming(id) + ", " : ""
            let help = isNameInUse ? commands.rename.naming(id) + ", " : replacing
            text = "failed" + (brief.map { ": \($0)" } ?? "") + ". \(help)retry \(id), clear \(id)"
        case .cancelled: text = "cancelled. retry \(id)"
        }
        return "\(title(transfer)): \(text)"
    }

    /// The words of a running transfer: rate and time left, or since when no byte moves.
    private func running(_ transfer: Transfer, _ now: Double) -> String {
        let start = transfer.attempt > 1 ? "running, attempt \(transfer.attempt)" : "running"
        let percent = transfer.fraction.map { ", \(Int($0 * 100)) percent" } ?? ""
        let around = RowText.Surroundings(now: now, clock: clock, words: words, lastMoved: lastMoved)
        let span = Self.span(now - (lastMoved[transfer.id] ?? now))
        switch around.holdup(of: transfer) {
        case .response?: return "\(start), all bytes are sent, waiting for the server for \(span)"
        case .silence(_, isUpload: let isUpload)?:
            return "\(start)\(percent), nothing \(isUpload ? "was sent" : "has arrived") for \(span)"
        default:
            let rate = transfer.rate.map { ", \(ByteCount.short($0)) per second" } ?? ""
            return start + percent + rate + left(transfer)
        }
    }

    /// `51 transfers: 6 active, 2 ask, 3 queued, 2 failed, 34 done`
    package var totals: String {
        var tally = Tally()
        for transfer in transfers.values { tally.add(transfer) }
        guard tally.count > 0 else { return "The queue is empty. add URL downloads, help explains." }
        let ended = [(tally[.failed], "failed"), (tally[.completed], "done"), (tally[.cancelled], "cancelled")]
        let parts = StateCounts.unfinished(tally) + StateCounts.texts(ended)
        let count = tally.count == 1 ? "1 transfer" : "\(tally.count) transfers"
        let rates = [(tally.rateDown, "down"), (tally.rateUp, "up")].filter { $0.0 > 0 }.map {
            "\(ByteCount.short(Double($0.0))) per second \($0.1)"
        }
        return "\(count): " + (parts + rates).joined(separator: ", ")
    }

    /// The most queued transfers with a line in ``status(now:)``.
    private static let mostQueued = 10

    /// A line for each unfinished or failed transfer, in the order of the queue, and how many more are queued; then the
    /// totals.
    package func status(now: Double) -> [String] {
        let shown = order.compactMap { transfers[$0] }.filter { !$0.state.isEnded || $0.state == .failed }
        let others = Set(shown.filter { $0.state == .queued }.dropFirst(Self.mostQueued).map(\.id))
        let lines = shown.filter { !others.contains($0.id) }.map { sentence($0, now) }
        let note = others.isEmpty ? [] : ["\(others.count) more queued. list state:queued"]
        return lines + note + [totals]
    }

    /// Why a transfer is as it is, and what ends that.
    package func why(_ id: TransferID, now: Double) -> [String] {
        guard let transfer = transfers[id] else { return ["No transfer has the id \(id)."] }
        var around = RowText.Surroundings(now: now, clock: clock, words: words, lastMoved: lastMoved)
        let occupying = transfers.values.filter(\.state.occupiesSlot)
        around.read(order, occupying: occupying, limits, taken: occupying.count) { transfers[$0] }
        let commands = commands.quoted(for: id)
        let held = around.holdup(of: transfer).flatMap { words.held($0, commands) }
        // The commands that help after a failure are part of the sentence.
        let help = held?.help ?? (transfer.state == .failed ? nil : words.advice(transfer, commands))
        let reasons = [held?.fact, words.reason(transfer)].compactMap(\.self).map { "Reason: " + $0 }
        let lines = reasons + [help.map { "Advice: " + $0 }].compactMap(\.self)
        return [sentence(transfer, now)] + lines.map { TextSanitizer.clean($0) + "." }
    }
}

extension InterfaceWords.Keys {
    /// Whole commands for a transfer, in quotes: `'retry 3' retries now`. What is no command stays.
    fileprivate func quoted(for id: TransferID) -> InterfaceWords.Keys {
        func quoted(_ words: String) -> String { words.contains("'") ? words : "'\(words.naming(id))'" }
        return InterfaceWords.Keys(
            lift: quoted(lift), retry: quoted(retry), pause: quoted(pause), cancel: quoted(cancel),
            remove: quoted(remove), trust: quoted(trust), login: quoted(login), top: "'move \(id) top'",
            start: quoted(start), limits: limits, edit: quoted(edit), replace: quoted(replace),
            rename: quoted(rename), pauseAll: pauseAll)
    }
}

extension String {
    /// A command with the ID in its place, else at its end.
    fileprivate func naming(_ id: TransferID) -> String {
        contains("ID") ? replacing("ID", with: "\(id)") : "\(self) \(id)"
    }
}
