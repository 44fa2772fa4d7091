// SPDX-License-Identifier: MIT

/// Something that happened to one transfer, with the truth after it.
public struct TransferEvent: Sendable, Hashable, Codable {
    /// The raw values are the words of `--json`.
    public enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        case queued, started, waiting, retrying, progress, resumed, paused, verifying, completed, failed, cancelled
        /// The download restarted from its first byte although bytes existed; see the reason.
        case restarted
        /// A word of this release that is not in the published list: only a field (limit, order) changed.
        case changed
    }

    /// Seconds since 1970.
    public var time: Double
    public var name: Name
    public var transfer: Transfer

    public init(time: Double, name: Name, transfer: Transfer) {
        self.time = time
        self.name = name
        self.transfer = transfer
    }
}
