// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
import TransferModel

/// Waiting for a network, and going on when it is there.
extension TaskDriver {
    /// The host that is connected to: the proxy's, where there is one.
    func connectionHost(_ session: TransferSession) -> String {
        guarded.withLock { $0.proxy?.host ?? $0.plan?.url.host } ?? request.url.host
    }

    /// What the network allows toward `url`, for this task.
    func verdict(for url: TransferURL, _ session: TransferSession) -> PathVerdict {
        session.verdict(for: url, request.options, isUnrestricted: guarded.withLock { $0.isUnrestricted })
    }

    private func requirements(_ session: TransferSession) -> PathRequirements {
        session.requirements(for: request.options, isUnrestricted: guarded.withLock { $0.isUnrestricted })
    }

    /// As ``verdict(for:_:)``, before an exchange: one that may use any network is not asked about.
    func permission(for url: TransferURL, _ session: TransferSession) -> PathVerdict {
        requirements(session) == PathRequirements() ? .satisfied(boundTo: nil) : verdict(for: url, session)
    }

    /// Also while it runs: whoever listens is told of a reason once.
    func wait(_ wait: PathWait, _ session: TransferSession) {
        session.leaveGate(identifier)
        tell(wait)
        session.enterWaitingRoom(identifier)
    }

    func hold(_ wait: PathWait, _ session: TransferSession) {
        holdOrLetGo(session)
        tell(wait)
        session.enterWaitingRoom(identifier)
    }

    private func tell(_ wait: PathWait) {
        let isNew = guarded.withLock { guarded in
            guarded.hasWaited = true
            defer { guarded.toldWait = wait }
            return guarded.toldWait != wait
        }
        if isNew { announce([.waiting(wait)]) }
    }

    /// For the delegate queue: the first wait that a task tells of.
    var isFirstWait: Bool {
        guarded.withLock { guarded in
            defer { guarded.hasToldFirstWait = true }
            return !guarded.hasToldFirstWait
        }
    }

    /// The other end has sent something: whatever was waited for is there.
    func connectivityConfirmed(_ session: TransferSession) {
        let (hasWaited, told) = guarded.withLock { guarded -> (Bool, PathWait?) in
            // While it is held, only bytes are told that came before.
            guard guarded.machine.pathHold == nil else { return (false, nil) }
            guarded.machine.connectivityConfirmed()
            defer { (guarded.hasWaited, guarded.toldWait) = (false, nil) }
            return (guarded.hasWaited, guarded.toldWait)
        }
        guard hasWaited else { return }
        session.stopWaiting(identifier)
        if told != nil { announce([.waiting(nil)]) }
    }

    /// The network may not be used by this task, and an exchange is due.
    func forbidden(_ wait: PathWait, _ session: TransferSession) {
        guarded.withLock { $0.stage = .none }
        let context = context(session)
        perform(guarded.withLock { $0.machine.pathForbidden(wait, context) }, session)
    }

    func checkName(_ host: String, _ session: TransferSession) {
        session.background.async { [self] in
            let answer = session.configuration.nameCheck(host)
            let context = context(session)
            let step = guarded.withLock { $0.machine.nameChecked(answer, context) }
            perform(step, session)
        }
    }

    func liftRestrictions() {
        guarded.withLock { $0.isUnrestricted = true }
        call { $0.connectivityReturned() }
    }

    /// Its pause in the waiting room is over.
    /// - Parameter isBlind: it may also try without a sign that the network would carry it.
    /// - Returns: whether it tries; a held exchange does so only with such a sign.
    func pauseIsOver(isBlind: Bool, _ session: TransferSession) -> Bool {
        let (plan, isHeld) = guarded.withLock { ($0.plan, $0.machine.pathHold != nil) }
        guard let plan, case .waits = verdict(for: plan.url, session) else {
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
        let (plan, wait, stage, pathHold) = guarded.withLock { ($0.plan, $0.machine.wait, $0.stage, $0.machine.pathHold) }
        guard let plan else { return }
        switch (verdict(for: plan.url, session), wait) {
        case (.waits(let now), .some) where pathHold == nil:
            if guarded.withLock({ $0.machine.waitChanged(now) }) { tell(now) }
        case (.waits(let now), _):
            guard case .running = stage else { break }
            let context = context(session)
            call { $0.pathLost(now, context) }
        case (.satisfied, .some): session.tryAgain(identifier)
        case (.satisfied, nil):
            guard case .running = stage else { return }
            let isElsewhere = hasLost && hasAnotherSource(session)
            if hasBetter, !isElsewhere { noteBetterRoute(session) }
            call { isElsewhere ? $0.connectionLost() : $0.connectivityReturned() }
        }
    }

    /// Of an exchange that began before the network was watched.
    func noteSource(_ session: TransferSession) {
        guard case .running = guarded.withLock({ $0.stage }), let source = session.sourceAddress(to: connectionHost(session)) else { return }
        guarded.withLock { $0.sourceAddress = $0.sourceAddress ?? source }
    }

    private func noteBetterRoute(_ session: TransferSession) {
        guard let source = session.sourceAddress(to: connectionHost(session)) else { return }
        let isNew = guarded.withLock { guarded in
            guard let before = guarded.sourceAddress, before != source, guarded.betterSource != source else { return false }
            guarded.betterSource = source
            return true
        }
        if isNew { announce([.betterRoute]) }
    }

    private func hasAnotherSource(_ session: TransferSession) -> Bool {
        guard let before = guarded.withLock({ $0.sourceAddress }) else { return false }
        return session.sourceAddress(to: connectionHost(session)).map { $0 != before } ?? false
    }
}
