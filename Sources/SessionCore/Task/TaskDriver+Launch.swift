// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// From the machine's wish for an exchange to the exchange that runs.
extension TaskDriver {
    /// Hosts that the gate tells apart.
    var gateHost: String { guarded.withLock { $0.plan?.url.origin ?? $0.machine.origin } }

    func begin(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) {
        guarded.withLock { guarded in
            guarded.plan = plan
            guarded.stage = .waiting(plan)
        }
        if !isTooEarly(session) { goAhead(plan, session) }
    }

    /// To the cache first, where it may know the answer, and then to the queue.
    private func goAhead(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) {
        let mayAskCache = plan.answersFromCache == .none && isCacheable(plan, session)
        let isWanted = guarded.withLock { guarded in
            guarded.isBeginAwaited = false
            guard case .waiting = guarded.stage else { return false }
            if mayAskCache { guarded.stage = .consulting(plan) }
            return true
        }
        guard isWanted else { return }
        if mayAskCache { consultCache(plan, session) } else { queueUp(session) }
    }

    /// Whether the task has to wait for its earliest begin; then a timer takes it up again.
    private func isTooEarly(_ session: TransferSession) -> Bool {
        let scheduler = session.scheduler
        let (delay, isFirst) = guarded.withLock { guarded -> (Double, Bool) in
            let delay = guarded.metrics.exchanges == 0 ? (guarded.earliestBegin ?? 0) - scheduler.wallNow : 0
            guard delay > 0 else { return (0, false) }
            guarded.isBeginAwaited = true
            defer { guarded.isBeginScheduled = true }
            return (delay, !guarded.isBeginScheduled)
        }
        if isFirst { scheduler.schedule(at: scheduler.now + delay) { [weak self] in self?.beginCame() } }
        return delay > 0
    }

    /// The earliest begin has come: a delegate may replace what was asked for long ago, once.
    private func beginDelayed(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) {
        let mustAsk = interests(session).contains(.delay) && guarded.withLock { guarded in
            guard case .waiting = guarded.stage, !guarded.hasAskedAboutBegin else { return false }
            guarded.hasAskedAboutBegin = true
            guarded.stage = .asking(plan)
            return true
        }
        guard mustAsk else { return goAhead(plan, session) }
        session.askAboutDelayed(self) { [weak self] disposition in self?.delayDecided(disposition) }
    }

    private func delayDecided(_ disposition: DelayedRequestDisposition) {
        guard let session = guarded.withLock({ $0.session }) else { return }
        if case .cancel = disposition { return call { $0.cancel() } }
        var replacement: TransferRequest?
        if case .useNewRequest(let request) = disposition { replacement = request }
        if let replacement { replaceRequest(replacement) }
        let secured = replacement.map { session.configuration.transportSecurity?.secured($0.url) ?? $0.url }
        guarded.withLock { guarded in
            guard case .asking(let plan) = guarded.stage else { return }
            var next = plan
            if let replacement, let secured {
                guard let replaced = guarded.machine.requestReplaced(replacement, url: secured) else { return }
                next = replaced
                guarded.rateLimit = replacement.options.rateLimit
                guarded.isUnrestricted = guarded.isUnrestricted || replacement.options.liftsRestrictions
            }
            guarded.plan = next
            guarded.stage = .waiting(next)
        }
        queueUp(session)
    }

    private func beginCame() {
        let session = guarded.withLock { guarded in
            guarded.isBeginScheduled = false
            return guarded.session
        }
        if let session { queueUp(session) }
    }

    /// Waits for its turn, unless the task is suspended: then its resumption leads here again. What is stored waits for nobody.
    func queueUp(_ session: TransferSession) {
        let (plan, priority, isBeginAwaited) = guarded.withLock { guarded -> (TaskStateMachine.ExchangePlan?, Double, Bool) in
            guard case .waiting(let plan) = guarded.stage, !guarded.machine.isSuspended else { return (nil, 0, false) }
            return (plan, guarded.priority, guarded.isBeginAwaited)
        }
        guard let plan else { return }
        if isBeginAwaited { return isTooEarly(session) ? () : beginDelayed(plan, session) }
        if plan.answersFromCache == .stored { return giveStored(session) }
        if session.enterGate(identifier, host: gateHost, priority: priority) { launch() }
    }

    /// Its turn has come. On any thread.
    func launch() {
        let wish = guarded.withLock { guarded -> (TaskStateMachine.ExchangePlan, TransferSession, isSuspended: Bool)? in
            guard case .waiting(let plan) = guarded.stage, let session = guarded.session else { return nil }
            if !guarded.machine.isSuspended { guarded.stage = .starting }
            return (plan, session, guarded.machine.isSuspended)
        }
        guard let (plan, session, isSuspended) = wish else { return }
        if isSuspended { return session.leaveGate(identifier) }
        if case .waits(let wait) = permission(for: plan.url, session), wait.canBeLifted { return forbidden(wait, session) }
        if needsNewBody(plan) { return askForNewBody(plan, session) }
        start(plan, session)
    }

    func start(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) {
        do throws(TransferError) {
            let exchange = try makeExchange(plan, session)
            guarded.withLock { guarded in
                guarded.sent = (plan, exchange.fields)
                (guarded.isDecoding, guarded.isDecoded) = (exchange.decodesBody, false)
            }
            let source = session.sourceAddress(to: connectionHost(session))
            guarded.withLock { guarded in
                guarded.progress.received = 0
                (guarded.storedBefore, guarded.isStoring) = (plan.resume?.offset ?? 0, false)
                (guarded.sourceAddress, guarded.betterSource) = (source, nil)
                guarded.progress.sent = 0
                // What comes next is counted from there; before the first answer there is nothing that it could go on from.
                if guarded.machine.acceptedStatus != nil { guarded.progress.resumedFrom = plan.resume?.offset ?? 0 }
                guarded.metrics.exchanges += 1
                // Under the lock, so that no event of the exchange can come before its name is known.
                guarded.stage = .running(session.transport.start(exchange, handler: self))
            }
            settle(session)
            session.observeSoon()
        } catch {
            guarded.withLock { $0.stage = .none }
            session.leaveGate(identifier)
            end(ExchangeEnd(failure: error), session)
        }
    }

    /// A call that came while an exchange was being made found none to act on: it acts now.
    private func settle(_ session: TransferSession) {
        let (stage, isUnwanted) = guarded.withLock { ($0.stage, $0.machine.wantsNoExchange) }
        guard case .running(let exchange) = stage else { return }
        if isUnwanted { session.transport.cancel(exchange) } else { holdOrLetGo(session) }
    }

    // MARK: A body that must be sent again

    /// Bytes of a stream are gone when they have been read.
    private func needsNewBody(_ plan: TaskStateMachine.ExchangePlan) -> Bool {
        guard plan.sendsBody, case .upload(.stream, _) = payload else { return false }
        return guarded.withLock { $0.hasReadStream && $0.newStream == nil }
    }

    private func askForNewBody(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) {
        guard interests(session).contains(.newBody) else { return start(plan, session) }
        let isWanted = guarded.withLock { guarded in
            let isWanted = !guarded.machine.wantsNoExchange
            guarded.stage = isWanted ? .lackingBody(plan) : .none
            return isWanted
        }
        guard isWanted else {
            session.leaveGate(identifier)
            return end(ExchangeEnd(failure: .cancelled), session)
        }
        session.askForNewBody(self) { [weak self] descriptor in
            guard let self else { return }
            let isWanted = guarded.withLock { guarded in
                guard case .lackingBody = guarded.stage else { return false }
                guarded.newStream = descriptor
                guarded.stage = .starting
                return true
            }
            if isWanted { start(plan, session) }
        }
    }
}
