// SPDX-License-Identifier: MIT

import Synchronization

/// The state of the network, and its changes.
public protocol NetworkPathMonitor: AnyObject, Sendable {
    /// The current path to a host. Thread-safe; sends nothing, does not block.
    func path(to target: PathTarget) -> NetworkPath

    /// Calls `observer` after each change, one call at a time, on any thread; it must not block.
    ///
    /// Changes within 50 ms are merged. Continuous changes are reported less and less often, at last once a second.
    /// Intended for one observer per session, which then queries the paths of waiting tasks.
    /// - Returns: retains the observer; after release or cancellation no new call begins.
    func addObserver(_ observer: @escaping @Sendable (PathChange) -> Void) -> PathObservation

    /// Whether changes are reported. If false (a sandbox without netlink), waiting tasks must poll.
    var observesChanges: Bool { get }

    /// Whether paths may have preferred interfaces (``NetworkPath/preferred``): else a session does not query them for
    /// transfers that may use any network. `false` by default.
    var hasPreferences: Bool { get }
}

extension NetworkPathMonitor {
    public var hasPreferences: Bool { false }
}

/// The changes since the last report, over all interfaces. A hint which paths to query again.
public struct PathChange: Sendable, Hashable {
    /// Interfaces that reach more than before: they came up, or got an address or route. An unsatisfied path may be
    /// satisfied now; a path lost and restored within one change is here and in ``lost``.
    public var available: Set<String>
    /// Interfaces that reach less: connections over them may be dead.
    public var lost: Set<String>
    /// The system now prefers another interface, while the previous one still exists.
    public var hasBetterPath: Bool
    /// The cost of interfaces has changed or become known.
    public var hasNewCosts: Bool

    public init(
        available: Set<String> = [], lost: Set<String> = [], hasBetterPath: Bool = false, hasNewCosts: Bool = false
    ) {
        self.available = available
        self.lost = lost
        self.hasBetterPath = hasBetterPath
        self.hasNewCosts = hasNewCosts
    }

    public var isEmpty: Bool { available.isEmpty && lost.isEmpty && !hasBetterPath && !hasNewCosts }

    public mutating func formUnion(_ other: PathChange) {
        available.formUnion(other.available)
        lost.formUnion(other.lost)
        hasBetterPath = hasBetterPath || other.hasBetterPath
        hasNewCosts = hasNewCosts || other.hasNewCosts
    }
}

/// Retains an observer of a ``NetworkPathMonitor``.
public final class PathObservation: Sendable {
    private let ending: Mutex<(@Sendable () -> Void)?>

    /// - Parameter ending: removes the observer; called once.
    public init(_ ending: @escaping @Sendable () -> Void) { self.ending = Mutex(ending) }

    deinit { cancel() }

    /// No new call begins after this; one in progress on another thread may still end.
    public func cancel() {
        let ending = ending.withLock { ending in
            defer { ending = nil }
            return ending
        }
        ending?()
    }
}
