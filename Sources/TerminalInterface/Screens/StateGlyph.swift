// SPDX-License-Identifier: MIT

import TransferModel

/// The state of a transfer in front of its name, and of what moves the direction.
struct StateGlyph: Hashable, Sendable {
    var character: Character
    var style: Style

    private init(_ character: Character, _ style: Style) { (self.character, self.style) = (character, style) }

    static let added = StateGlyph("·", .plain)

    /// - Parameter now: seconds since 1970.
    init(_ transfer: Transfer, now: Double) {
        let isUpload = transfer.kind == .upload
        switch transfer.state {
        case .running, .verifying: self.init(isUpload ? "↑" : "↓", isUpload ? .upload : .moving)
        case .queued where transfer.earliestBegin.map({ $0 > now }) ?? false: self.init("◷", .plain)
        case .queued where transfer.attempt > 1: self.init("↻", .warning)
        case .queued: self.init("·", .plain)
        case .waiting: self.init("◷", .warning)
        case .retrying: self.init("↻", .warning)
        case .paused where transfer.question != nil: self.init("!", .warning)
        case .paused: self.init("‖", .faint)
        case .completed: self.init("✓", .done)
        case .failed: self.init("✗", .failure)
        case .cancelled: self.init("–", .faint)
        }
    }
}
