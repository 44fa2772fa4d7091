// SPDX-License-Identifier: MIT

import CCurl
import Synchronization
import TransferModel

/// The way of commands to the engine's thread, and the multi handle whose wake-up goes with it.
final class Mailbox: @unchecked Sendable {
    // Sendable: the list is behind a mutex; of the multi handle other threads use only curl_multi_wakeup, which libcurl
    // allows from any thread for as long as the handle lives, and it lives as long as this object.

    private struct Guarded {
        var commands: [Command] = []
        var isSleeping = false
        var isClosed = false
    }

    let multi: UnsafeMutableRawPointer
    private let guarded = Mutex(Guarded())
    private static let library = curl_global_init(Int(CURL_GLOBAL_ALL))

    init() throws(TransferError) {
        guard Self.library == CURLE_OK, let multi = curl_multi_init() else {
            throw TransferError(.other, "libcurl could not be started")
        }
        self.multi = multi
    }

    deinit { curl_multi_cleanup(multi) }

    /// From any thread. Wakes the engine only when it sleeps.
    /// - Returns: false when the engine has ended and will not see it.
    @discardableResult
    func post(_ command: Command) -> Bool {
        let (isTaken, mustWake) = guarded.withLock { guarded in
            guard !guarded.isClosed else { return (false, false) }
            guarded.commands.append(command)
            defer { guarded.isSleeping = false }
            return (true, guarded.isSleeping)
        }
        if mustWake { curl_multi_wakeup(multi) }
        return isTaken
    }

    /// On the engine's thread: the last commands; none is taken afterwards.
    func close() -> [Command] {
        guarded.withLock { guarded in
            guarded.isClosed = true
            defer { guarded.commands = [] }
            return guarded.commands
        }
    }

    /// On the engine's thread: all commands so far, in order.
    func takeAll() -> [Command] {
        guarded.withLock { guarded in
            guarded.isSleeping = false
            guard !guarded.commands.isEmpty else { return [] }
            defer { guarded.commands.removeAll(keepingCapacity: true) }
            return guarded.commands
        }
    }

    /// On the engine's thread: whether it may sleep; from then on a command wakes it.
    func fallAsleep() -> Bool {
        guarded.withLock { guarded in
            guarded.isSleeping = guarded.commands.isEmpty
            return guarded.isSleeping
        }
    }
}
