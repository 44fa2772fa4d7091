// SPDX-License-Identifier: MIT

/// Something that happened to one transfer, with the truth after it.
package struct TransferEvent: Sendable, Hashable, Codable {
    /// The raw values are the words of `--json`.
    package enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        case queued, started, waiting, retrying, progress, resumed, paused, verifying, completed, failed, cancelled
        /// The download restarted from its first byte although bytes existed; see the reason.
        case restarted
        /// A word of this release that is not in the published list: only a field (limit, order) changed.
        case changed
    }

    /// Seconds since 1970.
    package var time: Double
    package var name: Name
    package var transfer: Transfer

    package init(time: Double, name: Name, transfer: Transfer) {
        self.time = time
        self.name = name
        self.transfer = transfer
    }
}
