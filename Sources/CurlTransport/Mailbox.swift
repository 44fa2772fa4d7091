// SPDX-License-Identifier: MIT

import CCurl
import Synchronization
import TransferModel

/// Commands to the engine's thread, and the multi handle that it wakes.
final class Mailbox: @unchecked Sendable {
    // Sendable: a mutex guards the list; of the multi handle other threads use only curl_multi_wakeup, which libcurl
    // allows from any thread while the handle exists: until the mailbox is closed, which the mutex guards.

    private struct Guarded {
        var commands: [Command] = []
        var isSleeping = false
        var isClosed = false
        var hasConnections = true
    }

    let multi: UnsafeMutableRawPointer
    private let guarded = Mutex(Guarded())

    init() throws(TransferError) {
        guard RunningEngines.isLibraryReady, let multi = curl_multi_init() else {
            throw TransferError(.other, "libcurl could not be started")
        }
        self.multi = multi
    }

    deinit { closeConnections() }

    /// Closes every connection and the multi handle. On the engine's thread as its last act, after ``close()``; once.
    func closeConnections() {
        let isFirst = guarded.withLock { guarded in
            defer { guarded.hasConnections = false }
            return guarded.hasConnections
        }
        if isFirst { curl_multi_cleanup(multi) }
    }

    /// From any thread. Wakes the engine only if it sleeps.
    /// - Returns: false if the engine has ended.
    @discardableResult
    func post(_ command: Command) -> Bool {
        guarded.withLock { guarded in
            guard !guarded.isClosed else { return false }
            guarded.commands.append(command)
            // Under the lock: the handle is closed after the mailbox.
            if guarded.isSleeping { curl_multi_wakeup(multi) }
            guarded.isSleeping = false
            return true
        }
    }

    /// On the engine's thread: the last commands; none is accepted afterwards.
    func close() -> [Command] {
        guarded.withLock { guarded in
            guarded.isClosed = true
            defer { guarded.commands = [] }
            return guarded.commands
        }
    }

    /// On the engine's thread: takes all commands, in order.
    func takeAll() -> [Command] {
        guarded.withLock { guarded in
            guarded.isSleeping = false
            guard !guarded.commands.isEmpty else { return [] }
            defer { guarded.commands.removeAll(keepingCapacity: true) }
            return guarded.commands
        }
    }

    /// On the engine's thread: whether it may sleep; from then on a command wakes it.
    func prepareToSleep() -> Bool {
        guarded.withLock { guarded in
            guarded.isSleeping = guarded.commands.isEmpty
            return guarded.isSleeping
        }
    }
}
