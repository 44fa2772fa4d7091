// SPDX-License-Identifier: MIT

import SessionCore
import TransferTesting

/// The one way to all servers, as the kernel would report it.
final class SimulatedPathMonitor: NetworkPathMonitor, @unchecked Sendable {  // Used on one thread.
    var path: NetworkPath
    private var observers: [(number: Int, observer: @Sendable (PathChange) -> Void)] = []
    private var last = 0

    init(_ path: NetworkPath = FakePathMonitor.wired) { self.path = path }

    let observesChanges = true

    func path(to target: PathTarget) -> NetworkPath { path }

    func addObserver(_ observer: @escaping @Sendable (PathChange) -> Void) -> PathObservation {
        last += 1
        let number = last
        observers.append((number, observer))
        return PathObservation { [weak self] in self?.observers.removeAll { $0.number == number } }
    }

    func fire(_ change: PathChange) { for (_, observer) in observers { observer(change) } }
}
