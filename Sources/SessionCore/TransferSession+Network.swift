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

    /// As ``verdict(for:_:isUnrestricted:)``, before an exchange: one that may use any network is not asked about.
    func permission(for url: TransferURL, _ options: TransferOptions, isUnrestricted: Bool) -> PathVerdict {
        guard requirements(for: options, isUnrestricted: isUnrestricted) != PathRequirements() else {
            return .satisfied(boundTo: nil)
        }
        return verdict(for: url, options, isUnrestricted: isUnrestricted)
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

    /// Seconds since what was known of a host's addresses turned out useless, or may have; `nil`: never.
    func ageOfNames(_ host: String) -> Int? {
        let (failedAt, changedAt) = guarded.withLock { ($0.failedAt[host], $0.pathChangedAt) }
        return [failedAt, changedAt].compactMap { $0 }.max().map { max(0, Int(min(scheduler.now - $0, 86_400))) }
    }

    /// An address of the host took no connection, or one died: the next exchange asks for its name again.
    func noteFailure(of host: String) {
        guarded.withLock { guarded in
            if guarded.failedAt.count > 1000 { guarded.failedAt = [:] }
            guarded.failedAt[host] = scheduler.now
        }
    }

    /// From which the system sends to a host; `nil` before changes are heard of, and where it does not tell.
    func sourceAddress(to host: String) -> HostAddress? {
        let (isObserving, known) = guarded.withLock { ($0.observation != nil, $0.sourceAddresses[host]) }
        if let known { return known }
        guard isObserving, let source = configuration.pathMonitor?.path(to: target(host)).sourceAddress else {
            return nil
        }
        guarded.withLock { guarded in
            if guarded.sourceAddresses.count > 1000 { guarded.sourceAddresses = [:] }
            guarded.sourceAddresses[host] = source
        }
        return source
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
        let tasks = guarded.withLock { guarded in
            guarded.observation = guarded.observation ?? made
            return Array(guarded.tasks.values)
        }
        noteStreamSources()
        // What changed before, nobody was told.
        for task in tasks where task.wait != .silentResolver {
            task.driver?.noteSource(self)
            task.driver?.pathChanged(hasLost: false, self)
        }
    }

    // MARK: Trying again

    func enterWaitingRoom(_ identifier: Int) {
        wake(guarded.withLock { $0.waitingRoom.enter(identifier, now: scheduler.now) })
        observe()
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

    /// Events are hints: the path is looked at now and then without one, and the real request tried.
    private func probe() {
        let now = scheduler.now
        let (due, next) = guarded.withLock { guarded in
            let (ids, next) = guarded.waitingRoom.due(now)
            let due = ids.compactMap { id in
                guarded.tasks[id]?.driver.map { (id, $0, guarded.waitingRoom.mayTryBlindly(id)) }
            }
            return (due, next)
        }
        wake(next)
        for (id, driver, isBlind) in due where !driver.pauseIsOver(isBlind: isBlind, self) {
            wake(guarded.withLock { $0.waitingRoom.stay(id, now: now) })
        }
    }

    func noteTry(_ identifier: Int) { guarded.withLock { $0.waitingRoom.leave(identifier, now: scheduler.now) } }

    /// On the monitor's thread.
    func pathChanged(_ change: PathChange) {
        let now = scheduler.now
        let tasks = guarded.withLock { guarded in
            if change.hasBetterPath || !change.lost.isEmpty { guarded.pathChangedAt = now }
            guarded.sourceAddresses = [:]
            return Array(guarded.tasks.values)
        }
        if change.hasBetterPath || !change.lost.isEmpty { configuration.alternativeServices?.networkChanged() }
        for task in tasks {
            task.driver?.pathChanged(hasLost: !change.lost.isEmpty, hasBetter: change.hasBetterPath, self)
        }
        if change.hasBetterPath { announceBetterRoutes() }
    }
}
