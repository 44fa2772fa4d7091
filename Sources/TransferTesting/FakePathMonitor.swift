// SPDX-License-Identifier: MIT

package import SessionCore
import Synchronization
import TransferModel

/// A network controlled by a test.
package final class FakePathMonitor: NetworkPathMonitor {
    private struct Guarded {
        var standard: NetworkPath
        var paths: [String: NetworkPath] = [:]
        var addressed: NetworkPath?
        var asked: [PathTarget] = []
        var observers: [Int: @Sendable (PathChange) -> Void] = [:]
        var nextObserver = 0
    }

    private let guarded: Mutex<Guarded>
    package let observesChanges: Bool

    /// - Parameter path: the default for every host; by default through one wired interface.
    package init(path: NetworkPath = FakePathMonitor.wired, observesChanges: Bool = true) {
        guarded = Mutex(Guarded(standard: path))
        self.observesChanges = observesChanges
    }

    package static let wired = through(NetworkInterface(name: "eth0", kind: .wired))
    /// No interface is up.
    package static let none = NetworkPath(
        status: .unsatisfied(.noInterface),
        interfaces: [NetworkInterface(name: "eth0", kind: .wired, isUp: false, hasLink: false)])

    /// A path through the only interface.
    package static func through(_ interface: NetworkInterface) -> NetworkPath {
        NetworkPath(status: .satisfied, interface: interface, interfaces: [interface])
    }

    package func path(to target: PathTarget) -> NetworkPath {
        guarded.withLock { guarded in
            guarded.asked.append(target)
            if !target.addresses.isEmpty, let path = guarded.addressed { return path }
            return guarded.paths[target.host] ?? guarded.standard
        }
    }

    package func addObserver(_ observer: @escaping @Sendable (PathChange) -> Void) -> PathObservation {
        let number = guarded.withLock { guarded in
            guarded.nextObserver += 1
            guarded.observers[guarded.nextObserver] = observer
            return guarded.nextObserver
        }
        return PathObservation { [weak self] in
            self?.guarded.withLock { _ = $0.observers.removeValue(forKey: number) }
        }
    }

    /// Sets the path without notifying observers. `host` `nil`: the default.
    package func set(_ path: NetworkPath, for host: String? = nil) {
        guarded.withLock { guarded in
            if let host { guarded.paths[host] = path } else { guarded.standard = path }
        }
    }

    /// Sets the path to hosts of which an address is known; `nil`: as to the others.
    package func setAddressed(_ path: NetworkPath?) { guarded.withLock { $0.addressed = path } }

    /// Notifies every observer on this thread, in the order of registration.
    package func fire(_ change: PathChange) {
        let observers = guarded.withLock { $0.observers.sorted { $0.key < $1.key }.map(\.value) }
        for observer in observers { observer(change) }
    }

    package var hasPreferences: Bool { guarded.withLock { !$0.standard.preferred.isEmpty } }
    package var observerCount: Int { guarded.withLock { $0.observers.count } }
    /// The hosts of all queries so far, in order.
    package var asked: [PathTarget] { guarded.withLock { $0.asked } }
}
