// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP: the first requests a clean end, the second ends the process immediately.
///
/// Receives no signals before ``listen()``.
final class Interruption: Sendable {
    private struct State {
        var first: Int32?
        var onFirst: (@Sendable (Int32) -> Void)?
        var onSecond: (@Sendable () -> Void)?
    }

    private let state: Mutex<State> = Mutex(State())
    private let sources: Mutex<[any DispatchSourceSignal]> = Mutex([])
    private let queue = DispatchQueue(label: "fileq.signals", qos: .userInteractive)
    private let exit: @Sendable (Int32) -> Void

    /// - Parameter exit: ends the process with this code immediately, without cleaning up.
    init(exit: @escaping @Sendable (Int32) -> Void = { _exit($0) }) {
        self.exit = exit
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
    /// Even for signals that the parent ignored, as shells do for background jobs. Only an ignored SIGHUP stays
    /// ignored, for `nohup`.
    func listen() {
        for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !Self.isIgnored(number) {
            signal(number, SIG_IGN)
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

    /// Handles one signal.
    func receive(_ number: Int32) {
        let (first, onFirst, onSecond) = state.withLock { state in
            let isFirst = state.first == nil
            let first = state.first ?? number
            state.first = first
            return (first, isFirst ? state.onFirst : nil, isFirst ? nil : state.onSecond ?? {})
        }
        onFirst?(number)
        guard let onSecond else { return }
        onSecond()
        exit(Self.exitCode(for: first))
    }

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
