// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
import Synchronization
import TransferModel

/// Handles SIGINT, SIGTERM and SIGHUP: the first requests a clean end, the second ends the process immediately.
///
/// The same signal within a moment counts once: timeout(1) sends its signal to the process and to its group.
///
/// Receives no signals before ``listen()``.
final class Interruption: Sendable {
    private struct State {
        var first: Int32?
        /// When it came, in seconds.
        var firstAt = 0.0
        var onFirst: (@Sendable (Int32) -> Void)?
        var onSecond: (@Sendable () -> Void)?
    }

    private let state: Mutex<State> = Mutex(State())
    private let sources: Mutex<[any DispatchSourceSignal]> = Mutex([])
    private let queue = DispatchQueue(label: "fileq.signals", qos: .userInteractive)
    private let exit: @Sendable (Int32) -> Void
    private let now: @Sendable () -> Double

    /// Seconds within which a signal is not repeated by a user.
    private static let repetition = 0.2

    /// - Parameters:
    ///   - exit: ends the process with this code immediately, without cleaning up.
    ///   - now: monotonic, in seconds.
    init(
        exit: @escaping @Sendable (Int32) -> Void = { _exit($0) },
        now: @escaping @Sendable () -> Double = { SystemClock.monotonic }
    ) {
        self.exit = exit
        self.now = now
    }

    /// The signal that requested the end, if any.
    var signalNumber: Int32? { state.withLock { $0.first } }

    /// Sets the handlers.
    /// - Parameters:
    ///   - onFirst: called once; immediately if a signal has already arrived.
    ///   - onSecond: called right before the process ends; must not block.
    func arm(onFirst: @escaping @Sendable (Int32) -> Void, onSecond: @escaping @Sendable () -> Void) {
        let missed = state.withLock { state in
            (state.onFirst, state.onSecond) = (onFirst, onSecond)
            return state.first
        }
        if let missed { onFirst(missed) }
    }

    /// Installs the signal handlers.
    ///
    /// Dispatch takes the actions over a moment later: until then a signal ends the process; one that is ignored
    /// meanwhile would be lost.
    func listen() {
        for number in Self.handled(isIgnored: Self.isIgnored) {
            sources.withLock { sources in
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { [weak self] in
                    for _ in 0..<source.data { self?.receive(number) }
                }
                source.activate()
                sources.append(source)
            }
        }
    }

    /// SIGINT that the parent ignores stays ignored, as shells without job control want it for background jobs: Ctrl-C
    /// is for the job in the foreground. So does SIGHUP, for `nohup`. SIGTERM is always for this process.
    static func handled(isIgnored: (Int32) -> Bool) -> [Int32] {
        [SIGINT, SIGTERM, SIGHUP].filter { $0 == SIGTERM || !isIgnored($0) }
    }

    /// Handles one signal.
    func receive(_ number: Int32) {
        let time = now()
        let (first, onFirst, onSecond) = state.withLock { state -> (Int32, Handler?, (@Sendable () -> Void)?) in
            guard let first = state.first else {
                (state.first, state.firstAt) = (number, time)
                return (number, state.onFirst, nil)
            }
            let isRepetition = first == number && time - state.firstAt < Self.repetition
            return (first, nil, isRepetition ? nil : state.onSecond ?? {})
        }
        onFirst?(number)
        guard let onSecond else { return }
        onSecond()
        exit(Self.exitCode(for: first))
    }

    private typealias Handler = @Sendable (Int32) -> Void

    /// The code of what a run ends because of `number`.
    static func cause(of number: Int32) -> TransferError.Code { number == SIGINT ? .interrupted : .terminated }

    /// The exit code for `number`: SIGHUP ends as SIGTERM does.
    static func exitCode(for number: Int32) -> Int32 {
        128 + (number == SIGHUP ? SIGTERM : number)
    }

    /// Whether the process inherited this signal as ignored.
    static func isIgnored(_ number: Int32) -> Bool {
        var current = sigaction()
        sigaction(number, nil, &current)
        return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
