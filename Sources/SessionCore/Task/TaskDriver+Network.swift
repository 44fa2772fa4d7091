// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
import TransferModel

/// Waiting for a network, and going on when it is there.
extension TaskDriver {
    /// What the network allows toward `url`, for this task.
    func verdict(for url: TransferURL, _ session: TransferSession) -> PathVerdict {
        session.verdict(for: url, request.options, isUnrestricted: guarded.withLock { $0.settings.isUnrestricted })
    }

    /// Also while an exchange is held: each reason is reported once.
    func wait(_ wait: PathWait, _ session: TransferSession) {
        report(wait)
        session.enterWaitingRoom(identifier)
    }

    private func report(_ wait: PathWait) {
        let isNew = guarded.withLock { guarded in
            guarded.notice.hasWaited = true
            defer { guarded.notice.lastWait = wait }
            return guarded.notice.lastWait != wait
        }
        if isNew { announce([.waiting(wait)]) }
    }

    /// For the delegate queue: the first wait that a task tells of.
    var isFirstWait: Bool {
        guarded.withLock { guarded in
            defer { guarded.notice.hasReportedFirstWait = true }
            return !guarded.notice.hasReportedFirstWait
        }
    }

    /// What is to be done once the network is known to carry the task again.
    struct Confirmation {
        var endsWaiting = false
        var isReported = false
    }

    /// The other end has sent something: whatever was waited for is there. Under the lock.
    func confirmConnectivity(_ guarded: inout Guarded) -> Confirmation {
        // While it is held, only bytes are reported that came before.
        guard guarded.machine.pathHold == nil else { return Confirmation() }
        guarded.machine.connectivityConfirmed()
        guard guarded.notice.hasWaited else { return Confirmation() }
        defer { (guarded.notice.hasWaited, guarded.notice.lastWait) = (false, nil) }
        return Confirmation(endsWaiting: true, isReported: guarded.notice.lastWait != nil)
    }

    func carryOut(_ confirmation: Confirmation, _ session: TransferSession) {
        guard confirmation.endsWaiting else { return }
        session.stopWaiting(identifier)
        if confirmation.isReported { announce([.waiting(nil)], session) }
    }

    /// The network may not be used by this task, and an exchange is due.
    func forbidden(_ wait: PathWait, _ session: TransferSession) {
        let context = context(session)
        call { $0.pathForbidden(wait, context) }
    }

    /// While an exchange was held, the network may have become one that this task may not use.
    func checkNetwork(_ session: TransferSession) {
        let (url, isUnrestricted) = guarded.withLock { ($0.machine.plan.url, $0.settings.isUnrestricted) }
        let permission = session.permission(for: url, request.options, isUnrestricted: isUnrestricted)
        if case .waits(let wait) = permission, wait.canBeLifted { pathChanged(hasLost: false, session) }
    }

    func checkName(_ host: String, _ session: TransferSession) {
        session.background.async { [self] in
            let answer = session.configuration.nameCheck(host)
            let context = context(session)
            call { $0.nameChecked(answer, context) }
        }
    }

    func liftRestrictions() {
        guarded.withLock { $0.settings.isUnrestricted = true }
        call { $0.connectivityReturned() }
    }

    /// Its pause in the waiting room is over.
    /// - Parameter isBlind: it may also try without a sign that the network would carry it.
    /// - Returns: whether it tries; a held exchange does so only with such a sign.
    func pauseIsOver(isBlind: Bool, _ session: TransferSession) -> Bool {
        let (url, isHeld) = guarded.withLock { ($0.machine.plan.url, $0.machine.pathHold != nil) }
        guard case .waits = verdict(for: url, session) else {
            session.noteTry(identifier)
            call { $0.connectivityReturned() }
            return true
        }
        guard isBlind, !isHeld else { return false }
        session.noteTry(identifier)
        call { $0.probe() }
        return true
    }

    /// The network has changed.
    /// - Parameters:
    ///   - hasLost: an interface, an address or a route has gone.
    ///   - hasBetter: the system prefers another interface, and the one before is still there.
    func pathChanged(hasLost: Bool, hasBetter: Bool = false, _ session: TransferSession) {
        let seen = guarded.withLock { guarded -> (url: TransferURL, wait: PathWait?, isHeld: Bool, isRunning: Bool)? in
            guard guarded.machine.hasBegun, !guarded.machine.isEnded else { return nil }
            let isRunning = guarded.machine.exchange != nil
            return (guarded.machine.plan.url, guarded.machine.wait, guarded.machine.pathHold != nil, isRunning)
        }
        guard let seen else { return }
        switch (verdict(for: seen.url, session), seen.wait) {
        case (.waits(let now), .some) where !seen.isHeld:
            if guarded.withLock({ $0.machine.waitChanged(now) }) { report(now) }
        case (.waits(let now), _):
            guard seen.isRunning else { break }
            let context = context(session)
            call { $0.pathLost(now, context) }
        case (.satisfied, .some): session.tryAgain(identifier)
        case (.satisfied, nil):
            guard seen.isRunning else { return }
            let source = hasLost || hasBetter ? sourceAddress(session) : nil
            let isElsewhere = hasLost && source.map { $0.now != $0.before } ?? false
            if hasBetter, !isElsewhere, let source { noteBetterRoute(source.now) }
            call { isElsewhere ? $0.connectionLost() : $0.connectivityReturned() }
        }
    }

    /// Of an exchange that began before the network was watched.
    func noteSource(_ session: TransferSession) {
        guard let host = connectedHost, let source = session.sourceAddress(to: host) else { return }
        guarded.withLock { $0.machine.updateRunning { $0.sourceAddress = $0.sourceAddress ?? source } }
    }

    /// The host that the exchange under way is connected to: the proxy's, where there is one.
    private var connectedHost: String? {
        guarded.withLock { guarded in
            guarded.machine.exchange == nil ? nil : guarded.machine.running?.host
        }
    }

    /// From which address the exchange under way began, and from which the system would send now; `nil` where either is
    /// not known.
    private func sourceAddress(_ session: TransferSession) -> (before: HostAddress, now: HostAddress)? {
        guard let host = connectedHost, let before = guarded.withLock({ $0.machine.running?.sourceAddress }),
            let now = session.sourceAddress(to: host)
        else { return nil }
        return (before, now)
    }

    private func noteBetterRoute(_ source: HostAddress) {
        let isNew = guarded.withLock { guarded in
            var isNew = false
            guarded.machine.updateRunning { running in
                guard let before = running.sourceAddress, before != source, running.betterSource != source else {
                    return
                }
                running.betterSource = source
                isNew = true
            }
            return isNew
        }
        if isNew { announce([.betterRoute]) }
    }
}
