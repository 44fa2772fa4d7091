// SPDX-License-Identifier: MIT

import TransferModel

/// How the interface says in what state a transfer is.
enum StateText {
    /// At most nine columns.
    static func word(_ state: TransferState) -> String { state.rawValue }

    /// At most five columns, for narrow windows.
    static func short(_ state: TransferState) -> String {
        switch state {
        case .queued: "queue"
        case .running: "run"
        case .waiting: "wait"
        case .retrying: "retry"
        case .paused: "pause"
        case .verifying: "check"
        case .completed: "done"
        case .failed: "FAIL"
        case .cancelled: "canc"
        }
    }

    static func style(_ state: TransferState) -> Style {
        switch state {
        case .running, .verifying: Style(colour: .cyan)
        case .waiting, .retrying: .warning
        case .completed: Style(colour: .green)
        case .failed: .failure
        case .queued, .paused, .cancelled: .faint
        }
    }

    /// Somebody is waited for: that is no mere pause.
    static func style(of transfer: TransferSnapshot) -> Style {
        transfer.state == .paused && transfer.question != nil ? .warning : style(transfer.state)
    }

    /// What it is paused for, as the key that answers; `nil` where nothing is asked.
    static func question(_ transfer: TransferSnapshot) -> String? {
        guard transfer.state == .paused else { return nil }
        switch transfer.question {
        case .trust: return "T: trust?"
        case .login: return "u: log in"
        case nil: return nil
        }
    }

    /// The state and its reason: `retrying in 12s: connection refused`.
    static func sentence(_ transfer: TransferSnapshot, now: Double) -> String {
        guard let reason = reason(transfer, now: now) else { return word(transfer.state) }
        return word(transfer.state) + (transfer.state == .retrying && transfer.retryAt != nil ? " " : ": ") + reason
    }

    /// Why it is as it is, where there is something to say: `in 12s: connection refused`.
    static func reason(_ transfer: TransferSnapshot, now: Double, short: Bool = false) -> String? {
        switch transfer.state {
        case .retrying:
            let next = transfer.retryAt.map { "in \(TimeSpan.short(max(0, $0 - now)))" }
            let why = transfer.reason ?? transfer.error?.message
            guard let next else { return why }
            return short ? next : why.map { "\(next): \($0)" } ?? next
        case .waiting: return transfer.reason ?? transfer.error?.message ?? "for the network"
        case .failed: return transfer.error?.message ?? transfer.reason
        case .running, .queued, .paused, .verifying, .completed, .cancelled: return transfer.reason
        }
    }
}

/// Numbers as they stand in columns.
enum NumberText {
    /// `  0%` to `100%`, four columns; 100 only when it is whole.
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
