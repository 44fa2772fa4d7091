// SPDX-License-Identifier: MIT

/// How long a notice stands in place of the hints: `U undoes` holds for minutes only. No I/O; times are monotonic
/// seconds.
struct NoticeWatch: Sendable {
    static let patience = 20.0
    private var notice: Notice?
    private var since = 0.0

    /// The time begins again, also with the same notice; until one is shown, nothing is due. After a key, and when the
    /// notice was taken away.
    mutating func startAgain() { notice = nil }

    /// - Parameter shown: ``InterfaceState/fleetingNotice``
    /// - Returns: whether it has been there for long enough.
    mutating func isOver(_ shown: Notice?, at now: Double) -> Bool {
        if shown != notice { (notice, since) = (shown, now) }
        return shown != nil && now - since >= Self.patience
    }

    /// Seconds until then; `nil`: there is none.
    func dueIn(_ now: Double) -> Double? { notice.map { _ in max(0, since + Self.patience - now) } }
}

extension InterfaceState {
    /// The notice, if it disappears automatically. Errors, and what stands above a prompt, stay until the next key.
    var fleetingNotice: Notice? {
        switch mode {
        case .prompt, .palette, .columns: nil
        case .list, .rowMenu, .add, .edit, .picker, .help: notice?.isError == false ? notice : nil
        }
    }
}
