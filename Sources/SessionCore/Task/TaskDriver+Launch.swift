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
        if plan.answersFromCache == .stored { return giveStored(session) }
        if consultsCache(plan, session) { return }
        queueUp(session)
    }

    /// Waits for its turn, unless the task is suspended: then its resumption leads here again.
    func queueUp(_ session: TransferSession) {
        let (mayEnter, priority) = guarded.withLock { guarded -> (Bool, Double) in
            guard case .waiting = guarded.stage else { return (false, 0) }
            return (!guarded.machine.isSuspended, guarded.priority)
        }
        if mayEnter, session.enterGate(identifier, host: gateHost, priority: priority) { launch() }
    }

    /// Its turn has come. On any thread.
    func launch() {
        let wish = guarded.withLock { guarded -> (TaskStateMachine.ExchangePlan, TransferSession)? in
            guard case .waiting(let plan) = guarded.stage, let session = guarded.session else { return nil }
            guarded.stage = .starting
            return (plan, session)
        }
        guard let (plan, session) = wish else { return }
        if case .waits(let wait) = permission(for: plan.url, session), wait.canBeLifted { return forbidden(wait, session) }
        if needsNewBody(plan) { return askForNewBody(plan, session) }
        start(plan, session)
    }

    func start(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) {
        do throws(TransferError) {
            let exchange = try makeExchange(plan, session)
            let source = session.sourceAddress(to: connectionHost(session))
            guarded.withLock { guarded in
                guarded.progress.received = 0
                (guarded.storedBefore, guarded.isStoring) = (plan.resume?.offset ?? 0, false)
                guarded.sourceAddress = source
                guarded.progress.sent = 0
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
        let (stage, isUnwanted, isSuspended) = guarded.withLock {
            ($0.stage, $0.machine.wantsNoExchange, $0.machine.isSuspended)
        }
        guard case .running(let exchange) = stage else { return }
        if isUnwanted { session.transport.cancel(exchange) } else if isSuspended { session.transport.pause(exchange) }
    }

    // MARK: A body that must be sent again

    /// Bytes of a stream are gone when they have been read.
    private func needsNewBody(_ plan: TaskStateMachine.ExchangePlan) -> Bool {
        guard plan.sendsBody, case .upload(.stream, _) = payload else { return false }
        return guarded.withLock { $0.hasReadStream && $0.newStream == nil }
    }

    private func askForNewBody(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) {
        guard interests(session).contains(.newBody) else { return start(plan, session) }
        session.askForNewBody(self) { [weak self] descriptor in
            guard let self else { return }
            let isWanted = guarded.withLock { guarded in
                guarded.newStream = descriptor
                return !guarded.machine.wantsNoExchange
            }
            guard isWanted else {
                guarded.withLock { $0.stage = .none }
                session.leaveGate(identifier)
                return end(ExchangeEnd(failure: .cancelled), session)
            }
            start(plan, session)
        }
    }
}
