// SPDX-License-Identifier: MIT

public import SessionCore
import Synchronization

/// A ``LinkMonitor`` that starts on first use: most runs of a program never need it.
public final class LazyLinkMonitor: NetworkPathMonitor {
    /// One for the whole process, without overrides: a second one would be redundant.
    public static let shared = LazyLinkMonitor()

    private struct State {
        var overrides: PathOverrides
        var monitor: LinkMonitor?
    }

    private let state: Mutex<State>

    public init(overrides: PathOverrides = .init()) { state = Mutex(State(overrides: overrides)) }

    /// Replaces the overrides. Notifies observers of changed costs.
    public func setOverrides(_ overrides: PathOverrides) {
        let monitor = state.withLock { state in
            state.overrides = overrides
            return state.monitor
        }
        monitor?.setOverrides(overrides)
    }

    private var started: LinkMonitor {
        state.withLock { state in
            if let monitor = state.monitor { return monitor }
            let made = LinkMonitor(overrides: state.overrides)
            state.monitor = made
            return made
        }
    }

    public func path(to target: PathTarget) -> NetworkPath { started.path(to: target) }

    public func addObserver(_ observer: @escaping @Sendable (PathChange) -> Void) -> PathObservation {
        started.addObserver(observer)
    }

    public var observesChanges: Bool { started.observesChanges }

    public var hasPreferences: Bool { state.withLock { !$0.overrides.preferred.isEmpty } }
}
