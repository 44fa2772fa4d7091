// SPDX-License-Identifier: MIT

/// When the user is notified of ends, and how: `[notify]` of the configuration.
package struct NotifySettings: Sendable, Hashable {
    package enum When: String, Sendable, CaseIterable {
        case never
        /// While no screen has the focus of its terminal.
        case unfocused
        case always
    }

    package enum Way: String, Sendable, CaseIterable {
        /// The terminal of an open screen, if it takes notifications; else the desktop.
        case auto
        case terminal, desktop
        /// The terminal, by this sequence: for terminals that the environment does not name, as through ssh.
        case osc9 = "osc-9"
        case osc99 = "osc-99"
        case osc777 = "osc-777"
    }

    package var when = When.unfocused
    package var way = Way.auto
    /// Bytes: smaller completed transfers are not reported.
    package var leastSize: Int64 = 0
    /// Seconds: shorter completed transfers are not reported.
    package var leastDuration = 10.0

    package init() {}

    /// Whether the service may notify the desktop.
    package var usesDesktop: Bool { when != .never && (way == .auto || way == .desktop) }
}
