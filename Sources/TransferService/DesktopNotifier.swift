// SPDX-License-Identifier: MIT

import Dispatch
import Platform
import Synchronization
package import TransferControl
import TransferModel

/// Shows notifications on the desktop by notify-send(1), on a thread of its own: no call waits for it.
package final class DesktopNotifier: Sendable {
    /// Seconds that the program may take: it waits for the session bus.
    private static let patience = 5.0
    private static let address = "DBUS_SESSION_BUS_ADDRESS="

    private let program: String
    private let environment: [String]
    /// While one is being shown: the next. Earlier ones are dropped.
    private let next = Mutex<(isRunning: Bool, notice: EndNotice?)>((false, nil))
    private let queue = DispatchQueue(label: "fileq.notify", qos: .utility)

    /// - Parameters:
    ///   - program: looked up in `PATH`.
    ///   - environment: `NAME=VALUE`.
    package init(program: String = "notify-send", environment: [String] = HookRunner.ownEnvironment) {
        (self.program, self.environment) = (program, environment)
    }

    /// Whether there is a session bus, which has the notifications.
    package var isAvailable: Bool {
        environment.contains { $0.hasPrefix(Self.address) && $0.count > Self.address.count }
    }

    package func show(_ notice: EndNotice) {
        guard isAvailable else { return }
        let starts = next.withLock { next in
            next.notice = notice
            defer { next.isRunning = true }
            return !next.isRunning
        }
        if starts { queue.async { [self] in work() } }
    }

    private func work() {
        while let notice = take() {
            let title = TextLine.replacingControls(in: notice.title, by: " ")
            let words = [program, "-a", "fileq", "--", title, Self.markup(notice.body)]
            let call = HookProgram(words: words, environment: environment, timeout: Self.patience, grace: 0.5)
            _ = call.run { .infinity }
        }
    }

    private func take() -> EndNotice? {
        next.withLock { next in
            defer { next.notice = nil }
            next.isRunning = next.notice != nil
            return next.notice
        }
    }

    /// Bodies are markup.
    private static func markup(_ raw: String) -> String {
        TextLine.replacingControls(in: raw, by: " ").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }
}
