// SPDX-License-Identifier: MIT

import CCurl
import Glibc
import SessionCore
import Synchronization
import TransferModel

/// Commands to the engine's thread, and the multi handle that it wakes.
final class Mailbox: Sendable {
    private struct Guarded {
        var commands: [Command] = []
        var isSleeping = false
        /// No command is taken any more, and work has another place to run.
        var isClosed = false
        /// Work is dropped as well.
        var isQuitting = false
        var hasConnections = true
    }

    // Unsafe: other threads use only curl_multi_wakeup, which libcurl allows from any thread for as long as the handle
    // lives: until the mailbox is closed, which the mutex guards.
    nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    private let guarded = Mutex(Guarded())
    /// The engine's thread, while it runs.
    private let thread = Atomic<UInt>(0)
    /// Where work runs once the engine has ended.
    private let afterwards = QueueExecutor(label: "fileq.transport.ended")

    init() throws(TransferError) {
        guard RunningEngines.isLibraryReady, let multi = curl_multi_init() else {
            throw TransferError(.other, .libraryNotStarted)
        }
        // Without free descriptors libcurl makes a handle that nothing wakes.
        guard curl_multi_wakeup(multi) == CURLM_OK else {
            curl_multi_cleanup(multi)
            throw TransferError(.other, .noFreeDescriptor, systemErrno: EMFILE)
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
            if guarded.isSleeping, curl_multi_wakeup(multi) != CURLM_OK { curl_multi_wakeup(multi) }
            guarded.isSleeping = false
            return true
        }
    }

    /// On the engine's thread: the last commands, while there are any; `nil`: none is accepted afterwards.
    func close() -> [Command]? {
        guarded.withLock { guarded in
            guard !guarded.commands.isEmpty else {
                guarded.isClosed = true
                thread.store(0, ordering: .releasing)
                return nil
            }
            defer { guarded.commands = [] }
            return guarded.commands
        }
    }

    /// On the engine's thread, where the program ends: drops everything.
    func quit() {
        guarded.withLock { guarded in
            (guarded.isClosed, guarded.isQuitting, guarded.commands) = (true, true, [])
        }
    }

    /// On the engine's thread, before anything else.
    func begin() { thread.store(UInt(pthread_self()), ordering: .releasing) }

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

extension Mailbox: TransportExecutor {
    func post(_ work: @escaping @Sendable () -> Void) {
        if post(.work(work)) { return }
        if !guarded.withLock({ $0.isQuitting }) { afterwards.post(work) }
    }

    func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .relaxed) == UInt(pthread_self()) || afterwards.isCurrent
    }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the engine's thread") }
}
