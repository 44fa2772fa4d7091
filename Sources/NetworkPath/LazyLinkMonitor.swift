// SPDX-License-Identifier: MIT

public import SessionCore
import Synchronization

/// A ``LinkMonitor`` that begins to listen when somebody asks for the first time: most runs of a program never do.
public final class LazyLinkMonitor: NetworkPathMonitor {
    private let overrides: PathOverrides
    private let monitor = Mutex<LinkMonitor?>(nil)

    public init(overrides: PathOverrides = .init()) { self.overrides = overrides }

    private var started: LinkMonitor {
        monitor.withLock { monitor in
            if let monitor { return monitor }
            let made = LinkMonitor(overrides: overrides)
            monitor = made
            return made
        }
    }

    public func path(to target: PathTarget) -> NetworkPath { started.path(to: target) }

    public func addObserver(_ observer: @escaping @Sendable (PathChange) -> Void) -> PathObservation { started.addObserver(observer) }

    public var hearsChanges: Bool { started.hearsChanges }
}
