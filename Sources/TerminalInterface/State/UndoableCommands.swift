// SPDX-License-Identifier: MIT

import TransferControl

/// When keys gave commands that can be reverted, in seconds since 1970: whether a hint for undoing is of use. Pure.
struct UndoableCommands: Hashable, Sendable {
    /// The service notes a command at most so long after its key.
    private static let delay = 10.0

    private var times: [Double] = []

    func hasOne(at now: Double) -> Bool { times.last.map { now - $0 < UndoneCommand.lifetime } ?? false }

    mutating func note(at now: Double) {
        times.append(now)
        if times.count > UndoneCommand.capacity { times.removeFirst() }
    }

    /// It was the latest, of whatever client: those after it have been reverted before, or had nothing to revert.
    mutating func reverted(_ undone: UndoneCommand) {
        times.removeAll { $0 > undone.performedAt }
        if let last = times.last, undone.performedAt - last < Self.delay { times.removeLast() }
    }
}
