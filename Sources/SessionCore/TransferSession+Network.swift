// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// What the session knows of the network, and when its tasks try again.
extension TransferSession {
    func requirements(for options: TransferOptions, isUnrestricted: Bool) -> PathRequirements {
        var requirements = PathRequirements()
        requirements.interface = options.interface ?? configuration.interface
        guard !isUnrestricted else { return requirements }
        requirements.allowsCellular = options.allowsCellular ?? configuration.allowsCellularAccess
        requirements.allowsExpensive = options.allowsExpensive ?? configuration.allowsExpensiveNetworkAccess
        requirements.allowsConstrained = options.allowsConstrained ?? configuration.allowsConstrainedNetworkAccess
        return requirements
    }

    /// What the network allows toward `url`, for a task with these options.
    func verdict(for url: TransferURL, _ options: TransferOptions, isUnrestricted: Bool) -> PathVerdict {
        guard let monitor = configuration.pathMonitor else { return .satisfied(boundTo: nil) }
        let host = (try? proxies.server(for: url))?.host ?? url.host
        let requirements = requirements(for: options, isUnrestricted: isUnrestricted)
        return requirements.evaluate(monitor.path(to: target(host)), host: host)
    }

    /// A host, with the address at which it was met last.
    func target(_ host: String) -> PathTarget {
        PathTarget(host: host, addresses: guarded.withLock { $0.addresses[host] }.map { [$0] } ?? [])
    }

    func noteAddress(_ text: String?, of host: String) {
        guard configuration.pathMonitor != nil, let address = text.flatMap({ HostAddress($0) }) else { return }
        guarded.withLock { guarded in
            if guarded.addresses.count > 1000 { guarded.addresses = [:] }
            guarded.addresses[host] = address
        }
    }

    /// Seconds since another path became the better one; connections older than that are not used again.
    var ageOfPath: Int? {
        guarded.withLock { $0.pathChangedAt }.map { max(1, Int(min(scheduler.now - $0, 86_400))) }
    }

    // MARK: Observing

    /// An exchange has begun. Those that are over within a second need not know that the network changes.
    func observeSoon() {
        guard configuration.pathMonitor != nil else { return }
        let isFirst = guarded.withLock { guarded in
            defer { guarded.isObservationDue = true }
            return !guarded.isObservationDue
        }
        if isFirst { scheduler.schedule(at: scheduler.now + 1) { [weak self] in self?.observe() } }
    }

    func observe() {
        guard let monitor = configuration.pathMonitor, guarded.withLock({ $0.observation == nil }) else { return }
        let made = monitor.addObserver { [weak self] change in self?.pathChanged(change) }
        guarded.withLock { $0.observation = $0.observation ?? made }
    }

    // MARK: Trying again

    func enterWaitingRoom(_ identifier: Int) {
        observe()
        wake(guarded.withLock { $0.waitingRoom.enter(identifier, now: scheduler.now) })
    }

    func stopWaiting(_ identifier: Int) { guarded.withLock { $0.waitingRoom.forget(identifier) } }

    func tryAgain(_ identifier: Int) {
        let now = scheduler.now
        let (driver, wakeUp) = guarded.withLock { guarded -> (TaskDriver?, Double?) in
            let (isNow, wakeUp) = guarded.waitingRoom.mayTry(identifier, now: now)
            if isNow { guarded.waitingRoom.leave(identifier, now: now) }
            return (isNow ? guarded.tasks[identifier]?.driver : nil, wakeUp)
        }
        wake(wakeUp)
        driver?.call { $0.connectivityReturned() }
    }

    private func wake(_ time: Double?) {
        if let time { scheduler.schedule(at: time) { [weak self] in self?.probe() } }
    }

    /// Events are hints: the real request is tried now and then without one.
    private func probe() {
        let now = scheduler.now
        let (drivers, next) = guarded.withLock { guarded in
            let (ids, next) = guarded.waitingRoom.due(now)
            for id in ids { guarded.waitingRoom.leave(id, now: now) }
            return (ids.compactMap { guarded.tasks[$0]?.driver }, next)
        }
        wake(next)
        for driver in drivers { driver.call { $0.connectivityReturned() } }
    }

    /// On the monitor's thread.
    func pathChanged(_ change: PathChange) {
        let now = scheduler.now
        let tasks = guarded.withLock { guarded in
            if change.hasBetterPath || !change.lost.isEmpty { guarded.pathChangedAt = now }
            return Array(guarded.tasks.values)
        }
        for task in tasks { task.driver.pathChanged(self) }
    }
}
