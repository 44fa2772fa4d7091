// SPDX-License-Identifier: MIT

import TransferControl
package import TransferModel

/// The state of a transfer as text.
package enum StateText {
    /// At most nine columns.
    static func word(_ state: TransferState) -> String { state.rawValue }

    /// At most five columns, for narrow windows.
    static func short(_ state: TransferState) -> String { state.shortWord }

    static func style(_ state: TransferState) -> Style {
        switch state {
        case .running, .verifying: .moving
        case .waiting, .retrying: .warning
        case .completed: .done
        case .failed: .failure
        case .queued, .paused, .cancelled: .faint
        }
    }

    /// The time to go: `4:31`, `2–9m` while rates differ, `?` if unknown.
    package static func left(_ transfer: Transfer) -> String {
        guard let least = transfer.eta, let most = transfer.pace?.longestETA else { return TimeText.left(transfer.eta) }
        return TimeText.range(least, most)
    }

    /// A question needs the user: more than a pause.
    static func style(of transfer: Transfer) -> Style {
        transfer.state == .paused && transfer.question != nil ? .warning : style(transfer.state)
    }

    /// The state and its reason: `retrying in 0:12 (attempt 3): connection refused`, `waiting 0:42 · wlan0 is down`.
    static func sentence(
        _ transfer: Transfer, _ words: InterfaceWords, now: Double, separator: String = "·",
        held: InterfaceWords.Held? = nil
    ) -> String {
        if let held {
            let state = held.isState ? held.fact : "\(word(transfer.state)), \(held.fact)"
            return words.reason(transfer).map { "\(state); \($0)" } ?? state
        }
        guard let reason = reason(transfer, words, now: now, separator: separator) else { return word(transfer.state) }
        let hasTime =
            transfer.state == .retrying && transfer.retryAt != nil
            || transfer.state == .waiting && transfer.waitingSince != nil
        return word(transfer.state) + (hasTime ? " " : ": ") + reason
    }

    /// The reason, if any: `in 12s (attempt 3): connection refused`.
    private static func reason(
        _ transfer: Transfer, _ words: InterfaceWords, now: Double, separator: String
    ) -> String? {
        let why = words.reason(transfer)
        switch transfer.state {
        case .retrying:
            guard let retryAt = transfer.retryAt else { return why }
            // It is due, but no slot is free.
            let next = retryAt > now ? "in \(TimeSpan.short(retryAt - now))" : "next"
            let start = "\(next) (attempt \(transfer.attempt))"
            return why.map { "\(start): \($0)" } ?? start
        case .waiting:
            let why = why ?? "for the network"
            return transfer.waitingSince.map { "\(TimeSpan.clock(now - $0)) \(separator) \(why)" } ?? why
        case .running, .queued, .paused, .verifying, .completed, .failed, .cancelled: return why
        }
    }

    /// What ends a wait, pause or delay; `nil` without advice.
    static func advice(_ transfer: Transfer, _ words: InterfaceWords, _ keys: KeyMap = .standard) -> String? {
        words.advice(transfer, keys.words)
    }
}

/// Numbers in fixed columns.
enum NumberText {
    /// `  0%` to `100%`, four columns; 100 only if complete.
    static func percent(_ fraction: Double?) -> String {
        guard let fraction else { return "  --" }
        let text = "\(fraction >= 1 ? 100 : min(99, Int(max(0, fraction) * 100)))%"
        return CellText.spaces(4 - text.utf8.count) + text
    }

    static func rate(_ rate: Double?) -> String { rate.map { ByteCount.short($0) + "/s" } ?? "--" }

    static func right(_ text: String, _ width: Int) -> String {
        CellText.spaces(width - CellWidth.of(text)) + CellText.fit(text, width: min(width, CellWidth.of(text)))
    }
}
