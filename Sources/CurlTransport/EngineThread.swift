// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Runs an ``Engine`` on a thread of its own until it is told to shut down.
final class EngineThread: Sendable {
    private final class Start: Sendable {
        let mailbox: Mailbox
        let configuration: CurlTransport.Configuration

        init(_ mailbox: Mailbox, _ configuration: CurlTransport.Configuration) {
            self.mailbox = mailbox
            self.configuration = configuration
        }
    }

    /// 0 once the thread has been waited for.
    private let thread: Atomic<pthread_t>

    init(mailbox: Mailbox, configuration: CurlTransport.Configuration) {
        thread = Atomic(Self.launch(Start(mailbox, configuration)))
    }

    private static func launch(_ start: Start) -> pthread_t {
        var made = pthread_t()
        let result = pthread_create(&made, nil, { argument in
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
        Engine(mailbox: start.mailbox, configuration: start.configuration).run()
    }

    /// A write to a closed socket or pipe is an error to handle here, not the end of the program.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits until the thread has ended. Later calls return at once.
    func join() {
        let running = thread.exchange(0, ordering: .acquiringAndReleasing)
        guard running != 0, pthread_equal(running, pthread_self()) == 0 else { return }
        pthread_join(running, nil)
    }
}
