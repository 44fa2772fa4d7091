// SPDX-License-Identifier: MIT

import CCurl
import Glibc
import Platform
import Synchronization

/// The engines of this process, so that all of them end before libcurl's TLS library.
///
/// OpenSSL frees its state in an exit handler, regardless of other threads. Exit handlers run in reverse order of
/// registration (C17, 7.22.4.2), and `curl_global_init` makes OpenSSL register its own: the one registered here
/// afterwards runs first. It makes every engine close its connections and joins its thread. Sessions are not notified:
/// their tasks end with the program.
enum RunningEngines {
    private struct Guarded {
        var threads: [EngineThread] = []
        /// The exit handler has run: engines no longer start.
        var isOver = false
    }

    private static let guarded = Mutex(Guarded())
    /// The process that last started an engine. A child of fork(2) without exec has its parent's memory, and none of
    /// its threads.
    private static let process = Atomic<pid_t>(0)
    /// Seconds for all engines together. One that is blocked for longer is abandoned.
    private static let patience = 5.0

    /// Whether libcurl can be used. Initializes it once, and registers the exit handler after libcurl's.
    static let isLibraryReady: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else { return false }
        return atexit { RunningEngines.endAll() } == 0
    }()

    /// Starts and registers an engine's thread.
    /// - Returns: `nil` if the program is exiting.
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

    /// The exit handler: on the thread that ends the program, possibly an engine's.
    private static func endAll() {
        // In a forked child the lock may be held by a thread that does not exist.
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
