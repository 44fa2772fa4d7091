// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization

/// Ctrl-C and its kin: the first asks for an orderly end, the second ends at once.
///
/// Made armed or not; it hears nothing of the process's signals before ``listen()``.
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

    /// - Parameter exit: ends the process with this code, at once and without clearing up.
    init(exit: @escaping @Sendable (Int32) -> Void = { _exit($0) }) {
        self.exit = exit
    }

    /// The signal that asked for the end, if one did.
    var signalNumber: Int32? { state.withLock { $0.first } }

    /// What to do from now on.
    /// - Parameters:
    ///   - onFirst: called once; a signal that has come already is told at once.
    ///   - onSecond: called right before the process ends; must not wait for anything.
    func arm(onFirst: @escaping @Sendable (Int32) -> Void, onSecond: @escaping @Sendable () -> Void) {
        let missed = state.withLock { state in
            (state.onFirst, state.onSecond) = (onFirst, onSecond)
            return state.first
        }
        if let missed { onFirst(missed) }
    }

    /// Takes the process's signals.
    ///
    /// Also where the parent had them ignored, as shells do for jobs in the background: whoever sends one to a transfer
    /// wants it to stop. Only an ignored hang-up stays ignored, for that is what `nohup` is.
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

    /// One signal has come.
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

    /// The exit code for `number`: a hang-up ends as SIGTERM does.
    static func exitCode(for number: Int32) -> Int32 {
        128 + (number == SIGHUP ? SIGTERM : number)
    }

    /// Whether the process was started with this signal ignored.
    static func isIgnored(_ number: Int32) -> Bool {
        var current = sigaction()
        sigaction(number, nil, &current)
        return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
