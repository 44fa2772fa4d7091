// SPDX-License-Identifier: MIT

import CLinux
import Dispatch
import Glibc
import Platform
import Synchronization

/// Runs an ``Engine`` on its own thread until shutdown.
final class EngineThread: Sendable {
    private final class Start: Sendable {
        let mailbox: Mailbox
        let configuration: CurlTransport.Configuration

        init(_ mailbox: Mailbox, _ configuration: CurlTransport.Configuration) {
            self.mailbox = mailbox
            self.configuration = configuration
        }
    }

    let mailbox: Mailbox
    private let thread: pthread_t
    /// A thread waits for its end, which only one may do (pthread_join(3)), or has done so.
    private let isAwaited = Atomic(false)
    private let hasEnded = Atomic(false)
    private let process = getpid()

    init(mailbox: Mailbox, configuration: CurlTransport.Configuration) {
        self.mailbox = mailbox
        thread = Self.launch(Start(mailbox, configuration))
    }

    private static func launch(_ start: Start) -> pthread_t {
        var made = pthread_t()
        let result = pthread_create(
            &made, nil,
            { argument in
                EngineThread.work(argument)
                return nil
            }, Unmanaged.passRetained(start).toOpaque())
        precondition(result == 0, "the engine's thread could not be started")
        return made
    }

    private static func work(_ argument: UnsafeMutableRawPointer?) {
        guard let argument else { return }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        ignoreBrokenPipes()
        useUTF8Locale()
        Engine(mailbox: start.mailbox, configuration: start.configuration).run()
        // The threads' TLS state ends here: after joining, nothing remains.
        start.mailbox.closeConnections()
    }

    /// A write to a closed socket or pipe must return an error.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// libcurl converts host names for DNS from the encoding of the thread's locale (`idn2_lookup_ul`), and rejects
    /// non-ASCII names in the "C" locale. The process's locale is unchanged.
    private static func useUTF8Locale() {
        if let locale = Self.utf8 { uselocale(locale) }
    }

    /// Shared by all threads. Part of glibc since 2.35, and of Debian's before; without it, non-ASCII names fail.
    nonisolated(unsafe) private static let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
    // Unsafe: a pointer written once, to immutable data.

    /// False in a child of fork(2), which has the parent's memory and none of its threads.
    var isOfThisProcess: Bool { process == getpid() }

    /// Waits until the thread has ended. Later calls, and calls on the thread itself, return immediately.
    func join() {
        guard !isOwnThread else {
            // The last reference to a transport may be released on its own thread, which cannot join itself.
            if isOfThisProcess { DispatchQueue.global().async { self.join() } }
            return
        }
        guard !isAwaited.exchange(true, ordering: .acquiringAndReleasing) else { return }
        pthread_join(thread, nil)
        noteEnd()
    }

    /// As ``join()``, until `deadline` of the engine's clock. Also waits if another thread already does.
    func join(before deadline: Double) {
        guard !isOwnThread else { return }
        if !isAwaited.exchange(true, ordering: .acquiringAndReleasing) {
            if clinux_join_within(thread, max(0, deadline - SystemClock.monotonic)) == 0 { noteEnd() }
            return
        }
        while !hasEnded.load(ordering: .acquiring), SystemClock.monotonic < deadline {
            usleep(1000)
        }
    }

    private var isOwnThread: Bool { !hasEnded.load(ordering: .acquiring) && pthread_equal(thread, pthread_self()) != 0 }

    private func noteEnd() {
        hasEnded.store(true, ordering: .releasing)
        RunningEngines.forget(self)
    }
}
