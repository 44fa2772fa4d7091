// SPDX-License-Identifier: MIT

import CCurl
import Glibc
import Platform
import Synchronization

/// The engines of this process, so that all of them end before libcurl's TLS library does.
///
/// OpenSSL frees its state in an exit handler, whatever other threads do with it at that moment. Exit handlers run in
/// the reverse order of their registration (C17, 7.22.4.2), and `curl_global_init` makes OpenSSL register its own: the
/// one registered here afterwards runs before it. It has every engine close its connections and waits for its thread.
/// Nothing is reported to the sessions above: their tasks end with the program, as they did before.
enum RunningEngines {
    private struct Guarded {
        var threads: [EngineThread] = []
        /// The exit handler has run: no engine starts any more.
        var isOver = false
    }

    private static let guarded = Mutex(Guarded())
    /// The process that started an engine last. A child made by fork(2) without exec has its parent's memory, and none
    /// of its threads.
    private static let process = Atomic<pid_t>(0)
    /// Seconds for all engines together. One that a handler or a disk holds up for longer is left behind.
    private static let patience = 5.0

    /// Whether libcurl can be used. Initializes it once, and registers the exit handler behind those that it registers.
    static let isLibraryReady: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else { return false }
        return atexit { RunningEngines.endAll() } == 0
    }()

    /// Starts an engine's thread and takes note of it.
    /// - Returns: `nil` where the program is ending.
    static func start(_ make: () -> EngineThread) -> EngineThread? {
        guarded.withLock { guarded in
            guard !guarded.isOver else { return nil }
            process.store(getpid(), ordering: .relaxed)
            let thread = make()
            guarded.threads.append(thread)
            return thread
        }
    }

    /// The thread has ended.
    static func forget(_ thread: EngineThread) {
        guarded.withLock { guarded in guarded.threads.removeAll { $0 === thread } }
    }

    /// The exit handler: on whichever thread ends the program, an engine's own included.
    private static func endAll() {
        // In a forked child another thread may have held the lock for ever.
        guard process.load(ordering: .relaxed) == getpid() else { return }
        let deadline = SystemClock.monotonic + patience
        let threads = guarded.withLock { guarded in
            guarded.isOver = true
            return guarded.threads
        }
        for thread in threads where thread.isOfThisProcess { thread.mailbox.post(.quit) }
        for thread in threads where thread.isOfThisProcess { thread.join(before: deadline) }
    }
}
