// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// The session's knowledge of the network, and the attempts of waiting tasks. On the executor.
extension TransferSession {
    func requirements(for options: TransferOptions, isUnrestricted: Bool) -> PathRequirements {
        var requirements = PathRequirements()
        requirements.interface = options.interface ?? configuration.interface
        requirements.hasPreferences = configuration.pathMonitor?.hasPreferences ?? false
        guard !isUnrestricted else { return requirements }
        requirements.allowsCellular = options.allowsCellular ?? configuration.allowsCellularAccess
        requirements.allowsExpensive = options.allowsExpensive ?? configuration.allowsExpensiveNetworkAccess
        requirements.allowsConstrained = options.allowsConstrained ?? configuration.allowsConstrainedNetworkAccess
        return requirements
    }

    /// Whether the network can carry a request to `url`, for a task with these options.
    func verdict(for url: TransferURL, _ options: TransferOptions, isUnrestricted: Bool) -> PathVerdict {
        guard let monitor = configuration.pathMonitor else { return .satisfied(boundTo: nil) }
        let host = (try? proxies.server(for: url))?.host ?? url.host
        let requirements = requirements(for: options, isUnrestricted: isUnrestricted)
        let target = target(host)
        let verdict = requirements.evaluate(monitor.path(to: target), host: host)
        // Transfers that exclude networks make no attempt without a sign of a permitted one, and without an attempt the
        // name is not resolved again: an IPv6 address must not hide a network that has only IPv4.
        guard case .waits(.obstacle) = verdict, requirements.excludesNetworks, !target.addresses.isEmpty,
            HostAddress(host) == nil
        else { return verdict }
        let other = requirements.evaluate(monitor.path(to: PathTarget(host: host)), host: host)
        if case .waits(.obstacle) = other { return verdict }
        core.assumeIsolated { $0.addresses[host] = nil }
        return other
    }

    /// As ``verdict(for:_:isUnrestricted:)``, before an exchange: without restrictions or preferences the path is not
    /// evaluated.
    func permission(for url: TransferURL, _ options: TransferOptions, isUnrestricted: Bool) -> PathVerdict {
        guard requirements(for: options, isUnrestricted: isUnrestricted) != PathRequirements() else {
            return .satisfied(boundTo: nil)
        }
        return verdict(for: url, options, isUnrestricted: isUnrestricted)
    }

    /// A host, with its last known address.
    private func target(_ host: String) -> PathTarget {
        PathTarget(host: host, addresses: core.assumeIsolated { $0.addresses[host] }.map { [$0] } ?? [])
    }

    func noteAddress(_ text: String?, of host: String) {
        guard configuration.pathMonitor != nil, let address = text.flatMap({ HostAddress($0) }) else { return }
        core.assumeIsolated { core in
            if core.addresses.count > 1000 { core.addresses = [:] }
            core.addresses[host] = address
        }
    }

    /// Seconds since another path became the better one; older connections are not reused.
    var ageOfPath: Int? {
        core.assumeIsolated { $0.pathChangedAt }.map { max(1, Int(min(scheduler.now - $0, 86_400))) }
    }

    /// Seconds since cached addresses of a host failed or may have become invalid; `nil`: never.
    func ageOfNames(_ host: String) -> Int? {
        let latest = core.assumeIsolated { core in [core.failedAt[host], core.pathChangedAt].compactMap { $0 }.max() }
        return latest.map { max(0, Int(min(scheduler.now - $0, 86_400))) }
    }

    /// A connection to an address of the host failed: the next exchange resolves its name again.
    func noteFailure(of host: String) {
        let now = scheduler.now
        core.assumeIsolated { core in
            if core.failedAt.count > 1000 { core.failedAt = [:] }
            core.failedAt[host] = now
        }
    }

    /// The local address for connections to a host; `nil` before changes are observed, and if the monitor does not know
    /// it.
    func sourceAddress(to host: String) -> HostAddress? {
        let (isObserving, known) = core.assumeIsolated { ($0.observation != nil, $0.sourceAddresses[host]) }
        if let known { return known }
        guard isObserving, let source = configuration.pathMonitor?.path(to: target(host)).sourceAddress else {
            return nil
        }
        core.assumeIsolated { core in
            if core.sourceAddresses.count > 1000 { core.sourceAddresses = [:] }
            core.sourceAddresses[host] = source
        }
        return source
    }

    // MARK: Observing

    /// An exchange has started. Those that end within a second need no notification of network changes.
    func observeSoon() {
        guard configuration.pathMonitor != nil else { return }
        let isFirst = core.assumeIsolated { core in
            defer { core.isObservationDue = true }
            return !core.isObservationDue
        }
        guard isFirst else { return }
        scheduler.schedule(at: scheduler.now + 1) { [weak self] in self?.post { [weak self] _ in self?.observe() } }
    }

    private func observe() {
        guard let monitor = configuration.pathMonitor, core.assumeIsolated({ $0.observation == nil }) else { return }
        let observation = monitor.addObserver { [weak self] change in
            self?.post { [weak self] _ in self?.pathChanged(change) }
        }
        core.assumeIsolated { $0.observation = observation }
        noteStreamSources()
        // Earlier changes were not reported.
        for driver in drivers() where driver.pathWait != .silentResolver {
            driver.assumeIsolated { driver in
                driver.noteSource(self)
                driver.pathChanged(hasLost: false, self)
            }
        }
    }

    private func drivers() -> [TaskDriver] {
        guarded.withLock { guarded in guarded.tasks.values.compactMap(\.driver) }
    }

    // MARK: Trying again

    func startWaiting(_ identifier: Int) {
        let now = scheduler.now
        wake(core.assumeIsolated { $0.waitingTasks.enter(identifier, now: now) })
        observe()
    }

    func stopWaiting(_ identifier: Int) { core.assumeIsolated { $0.waitingTasks.forget(identifier) } }

    func attemptAgain(_ driver: TaskDriver) {
        let (now, identifier) = (scheduler.now, driver.identifier)
        let (isNow, wakeUp) = core.assumeIsolated { core in
            let (isNow, wakeUp) = core.waitingTasks.mayAttempt(identifier, now: now)
            if isNow { core.waitingTasks.leave(identifier, now: now) }
            return (isNow, wakeUp)
        }
        wake(wakeUp)
        if isNow { driver.assumeIsolated { driver in driver.call { $0.connectivityReturned() } } }
    }

    private func wake(_ time: Double?) {
        guard let time else { return }
        scheduler.schedule(at: time) { [weak self] in self?.post { [weak self] _ in self?.probe() } }
    }

    /// Events are hints: the path is also evaluated now and then without one, and the real request attempted.
    private func probe() {
        let now = scheduler.now
        let (due, next) = core.assumeIsolated { core in
            let (due, next) = core.waitingTasks.due(now)
            return (due.map { ($0, core.waitingTasks.mayAttemptBlindly($0)) }, next)
        }
        wake(next)
        for (id, isBlind) in due {
            guard let driver = guarded.withLock({ $0.tasks[id]?.driver }) else { continue }
            if driver.assumeIsolated({ $0.pauseIsOver(isBlind: isBlind, self) }) { continue }
            wake(core.assumeIsolated { $0.waitingTasks.stay(id, now: now) })
        }
    }

    func noteAttempt(_ identifier: Int) {
        let now = scheduler.now
        core.assumeIsolated { $0.waitingTasks.leave(identifier, now: now) }
    }

    private func pathChanged(_ change: PathChange) {
        let now = scheduler.now
        let isOther = change.hasBetterPath || !change.lost.isEmpty
        core.assumeIsolated { core in
            if isOther { core.pathChangedAt = now }
            core.sourceAddresses = [:]
        }
        if isOther { configuration.alternativeServices?.networkChanged() }
        for driver in drivers() {
            driver.assumeIsolated {
                $0.pathChanged(hasLost: !change.lost.isEmpty, hasBetter: change.hasBetterPath, self)
            }
        }
        if change.hasBetterPath { announceBetterRoutes() }
    }
}
