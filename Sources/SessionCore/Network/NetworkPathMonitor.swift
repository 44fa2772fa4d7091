// SPDX-License-Identifier: MIT

import Synchronization

/// What the network allows, now and as it changes.
public protocol NetworkPathMonitor: AnyObject, Sendable {
    /// The path to a host at this moment. From any thread; sends nothing, waits for nothing.
    func path(to target: PathTarget) -> NetworkPath

    /// Calls `observer` after each change, one call at a time, on a thread of the monitor's choice; it must not block.
    ///
    /// What happens within 50 ms is one change. While changes keep coming, they are told more and more seldom, at last
    /// once a second. One observer a session is meant, which then asks for the paths of the tasks that wait.
    /// - Returns: keeps the observer; when it is gone or cancelled no new call begins.
    func addObserver(_ observer: @escaping @Sendable (PathChange) -> Void) -> PathObservation

    /// Changes are told. Where false (a sandbox without netlink) whoever waits has to ask again by itself.
    var hearsChanges: Bool { get }
}

/// What has changed since the last one told, over all interfaces. A hint whom to ask again about; paths are asked for
/// anew.
public struct PathChange: Sendable, Hashable {
    /// Interfaces by which more can be reached than before: it came up, or got an address or a route. A path that was
    /// not satisfied may be now; one that broke and came back within one change stands here and in ``lost``.
    public var available: Set<String>
    /// Interfaces by which less can be reached: connections over it may be dead.
    public var lost: Set<String>
    /// The system now prefers another interface than before, while the one before is still there.
    public var hasBetterPath: Bool
    /// What interfaces cost has changed or become known.
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

/// Keeps an observer of a ``NetworkPathMonitor`` for as long as it lives.
public final class PathObservation: Sendable {
    private let ending: Mutex<(@Sendable () -> Void)?>

    /// - Parameter ending: takes the observer away; called once.
    public init(_ ending: @escaping @Sendable () -> Void) { self.ending = Mutex(ending) }

    deinit { cancel() }

    /// No new call begins after this; one that is under way on another thread may still end.
    public func cancel() {
        let ending = ending.withLock { ending in
            defer { ending = nil }
            return ending
        }
        ending?()
    }
}
