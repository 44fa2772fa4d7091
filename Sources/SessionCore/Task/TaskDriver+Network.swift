// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
import TransferModel

/// Waiting for a network, and continuing with one.
extension TaskDriver {
    /// What the network allows toward `url`, for this task.
    private func verdict(for url: TransferURL, _ session: TransferSession) -> PathVerdict {
        session.verdict(for: url, request.options, isUnrestricted: isUnrestricted)
    }

    private var isUnrestricted: Bool { face.withLock { $0.settings.isUnrestricted } }

    /// Also while an exchange is held: each reason is reported once.
    func wait(_ wait: PathWait, _ session: TransferSession) {
        report(wait)
        session.startWaiting(identifier)
    }

    private func report(_ wait: PathWait) {
        notice.hasWaited = true
        if notice.lastWait != wait { announce([.waiting(wait)]) }
        notice.lastWait = wait
    }

    /// The server has sent something: the wait is over.
    func confirmConnectivity(_ session: TransferSession) {
        // While it is held, only bytes are reported that came before.
        guard machine.pathHold == nil else { return }
        machine.connectivityConfirmed()
        guard notice.hasWaited else { return }
        let isReported = notice.lastWait != nil
        (notice.hasWaited, notice.lastWait) = (false, nil)
        session.stopWaiting(identifier)
        if isReported { announce([.waiting(nil)], session) }
    }

    /// The network may not be used by this task, and an exchange is due.
    func forbidden(_ wait: PathWait, _ session: TransferSession) {
        let context = context(session)
        call { $0.pathForbidden(wait, context) }
    }

    /// While an exchange was held, the network may have become one that this task may not use.
    func checkNetwork(_ session: TransferSession) {
        let permission = session.permission(
            for: machine.plan.url, request.options, isUnrestricted: isUnrestricted)
        if case .waits(let wait) = permission, wait.canBeLifted { pathChanged(hasLost: false, session) }
    }

    func checkName(_ host: String, _ session: TransferSession) {
        session.background.async { [self] in
            let answer = session.configuration.nameCheck(host)
            post { driver in
                let context = driver.context(session)
                driver.call { $0.nameChecked(answer, context) }
            }
        }
    }

    /// The delay of a waiting task is over.
    /// - Parameter isBlind: it may also attempt without a sign that the network would carry it.
    /// - Returns: whether it makes an attempt; a held exchange does so only with such a sign.
    func pauseIsOver(isBlind: Bool, _ session: TransferSession) -> Bool {
        guard case .waits(let now) = verdict(for: machine.plan.url, session), !ends(now, session) else {
            session.noteAttempt(identifier)
            call { $0.connectivityReturned() }
            return true
        }
        guard machine.pathHold == nil else { return false }
        guard isBlind else {
            waitsNow(for: now)
            return false
        }
        session.noteAttempt(identifier)
        call { $0.probe() }
        return true
    }

    /// Whether a task that waited for the cost of a network, and for nothing else, fails with its next attempt.
    private func ends(_ now: PathWait, _ session: TransferSession) -> Bool {
        if case .costPending = now { return false }
        return machine.pathHold == nil && !context(session).waitsForConnectivity
    }

    /// It continues to wait, perhaps for another reason than before.
    private func waitsNow(for wait: PathWait) {
        guard machine.waitChanged(wait) else { return }
        publish()
        report(wait)
    }

    /// The network has changed.
    /// - Parameters:
    ///   - hasLost: an interface, an address or a route has gone.
    ///   - hasBetter: the system prefers another interface, and the one before is still there.
    func pathChanged(hasLost: Bool, hasBetter: Bool = false, _ session: TransferSession) {
        guard machine.hasBegun, !machine.isEnded else { return }
        switch (verdict(for: machine.plan.url, session), machine.wait) {
        case (.waits(let now), .some(.costPending)) where ends(now, session): session.attemptAgain(self)
        case (.waits(let now), .some) where machine.pathHold == nil: waitsNow(for: now)
        case (.waits(let now), _):
            guard machine.exchange != nil else { break }
            let context = context(session)
            call { $0.pathLost(now, context) }
        case (.satisfied, .some): session.attemptAgain(self)
        case (.satisfied, nil):
            guard machine.exchange != nil else { return }
            let source = hasLost || hasBetter ? sourceAddress(session) : nil
            let isElsewhere = hasLost && source.map { $0.now != $0.before } ?? false
            if hasBetter, !isElsewhere, let source { noteBetterRoute(source.now) }
            call { isElsewhere ? $0.connectionLost() : $0.connectivityReturned() }
        }
    }

    /// Of an exchange that began before the network was watched.
    func noteSource(_ session: TransferSession) {
        guard let host = connectedHost, let source = session.sourceAddress(to: host) else { return }
        machine.updateRunning { $0.sourceAddress = $0.sourceAddress ?? source }
    }

    /// The host that the current exchange is connected to: the proxy's, if there is one.
    private var connectedHost: String? { machine.exchange == nil ? nil : machine.running?.host }

    /// From which address the exchange under way began, and from which the system would send now; `nil` where either is
    /// not known.
    private func sourceAddress(_ session: TransferSession) -> (before: HostAddress, now: HostAddress)? {
        guard let host = connectedHost, let before = machine.running?.sourceAddress,
            let now = session.sourceAddress(to: host)
        else { return nil }
        return (before, now)
    }

    private func noteBetterRoute(_ source: HostAddress) {
        guard let running = machine.running, let before = running.sourceAddress, before != source,
            running.betterSource != source
        else { return }
        machine.updateRunning { $0.betterSource = source }
        announce([.betterRoute])
    }
}
