// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Notifies the user of ends through the terminal, while that has not the focus. No I/O.
struct Notifier {
    private var digest: EndDigest
    private let settings: NotifySettings
    /// `nil`: this terminal takes no notifications.
    private let channel: NoticeChannel?
    /// A terminal that does not report the focus has it.
    var hasFocus = true

    /// `nil` if the user wants none.
    init?(
        _ settings: NotifySettings, environment: [String: String], failure: @escaping @Sendable (Transfer) -> String?
    ) {
        guard settings.when != .never else { return nil }
        self.settings = settings
        digest = EndDigest(settings, failure: failure)
        channel = NoticeChannel.chosen(settings.way, environment)
    }

    /// Whether the terminal has to report the focus.
    var needsFocus: Bool { settings.when == .unfocused }

    private var isWatched: Bool { settings.when == .unfocused && hasFocus }

    /// Whether nothing else has to notify the user.
    var attends: Bool { channel != nil || isWatched }

    mutating func receive(_ update: QueueUpdate, at now: Double) {
        if channel != nil { digest.receive(update, at: now) }
    }

    /// Seconds until ``report(at:isIdle:)`` is due; `nil`: not before an event.
    func dueIn(_ now: Double, isIdle: Bool) -> Double? { digest.dueIn(now, isIdle: isIdle) }

    /// The text to send to the terminal now; `nil` if there is none.
    mutating func report(at now: Double, isIdle: Bool) -> String? {
        guard digest.dueIn(now, isIdle: isIdle) == 0, let notice = digest.notice(at: now, isIdle: isIdle), !isWatched
        else { return nil }
        return channel?.sequence(notice)
    }
}
