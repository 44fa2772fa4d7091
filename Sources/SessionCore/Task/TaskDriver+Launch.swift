// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// From the machine's wish for an exchange to the exchange that runs.
extension TaskDriver {
    /// Under the lock.
    func readiness(_ guarded: inout Guarded, _ session: TransferSession) -> TaskMachine.Readiness {
        var readiness = TaskMachine.Readiness()
        if let begin = guarded.settings.earliestBegin, guarded.report.metrics.exchanges == 0 {
            readiness.delay = begin - session.scheduler.wallNow
        }
        if case .scheduled(isDelayed: true) = guarded.machine.state {
            readiness.asksAboutDelay = session.interests.union(guarded.delegate.interests).contains(.delay)
        }
        readiness.asksCache = isCacheable(guarded.machine.plan, session)
        return readiness
    }

    /// A delegate has decided about a request that was delayed.
    func delayDecided(_ disposition: DelayedRequestDisposition) {
        switch disposition {
        case .cancel: call { $0.cancel() }
        case .continueLoading: call { $0.delayDecided(nil) }
        case .useNewRequest(let request):
            change { guarded, session in
                let url = session.configuration.transportSecurity?.secured(request.url) ?? request.url
                let step = guarded.machine.delayDecided((request, url))
                guard step != .none else { return .none }
                replaceRequest(request)
                guarded.settings.rateLimit = request.options.rateLimit
                guarded.settings.isUnrestricted = guarded.settings.isUnrestricted || request.options.liftsRestrictions
                return step
            }
        }
    }

    /// What an exchange is made from.
    struct Draft {
        var request: TransferRequest
        var plan: TaskMachine.ExchangePlan
        var rateLimit: Int?
        var priority: Double
        /// The request's own credential, where it goes out before the server asks.
        var credential: Credential?
        var upload: Upload
        /// To which interface the network restricts the exchange.
        var interface: String?
    }

    /// Makes the exchange of the machine's plan, and starts it where it is wanted then. The slot is held.
    func make(_ session: TransferSession) {
        var (draft, isUnrestricted) = guarded.withLock { guarded in
            let plan = guarded.machine.plan
            let draft = Draft(
                request: request, plan: plan, rateLimit: guarded.settings.rateLimit,
                priority: guarded.settings.priority,
                credential: guarded.machine.sendsLoginUnasked(plan) ? guarded.machine.ownCredential : nil,
                upload: guarded.upload)
            return (draft, guarded.settings.isUnrestricted)
        }
        switch session.permission(for: draft.plan.url, draft.request.options, isUnrestricted: isUnrestricted) {
        case .waits(let wait) where wait.canBeLifted: return forbidden(wait, session)
        case .satisfied(let name): draft.interface = name.map { "if!\($0)" }
        case .waits: break
        }
        let lacksBody = draft.plan.sendsBody && draft.upload.isUsedUp && !draft.upload.hasAskedForStream
        if lacksBody, interests(session).contains(.newBody) {
            return call { $0.bodyMissing() }
        }
        do throws(TransferError) {
            start(try makeExchange(draft, session), session)
        } catch {
            let context = context(session)
            call { $0.makingFailed(error, context) }
        }
    }

    private func start(_ made: MadeExchange, _ session: TransferSession) {
        var made = made
        made.running.sourceAddress = session.sourceAddress(to: made.running.host)
        var hasStarted = false
        change { guarded, session in
            let step = guarded.machine.made()
            guard case .send = step else { return step }
            guarded.report.sent = Sent(
                url: made.exchange.url, method: made.exchange.method,
                isOriginalOrigin: guarded.machine.plan.isOriginalOrigin,
                fields: made.exchange.fields)
            if let source = made.source {
                guarded.upload.source = source
                guarded.report.progress.expectedToSend = source.size
            }
            if made.sendsPasswordInClear { guarded.report.hasSentPasswordInClear = true }
            (guarded.report.progress.received, guarded.report.progress.sent) = (0, 0)
            let offset = guarded.machine.plan.resume?.offset ?? 0
            guarded.storage.begin(at: offset)
            // What comes next is counted from there; before the first response there is nothing that it could resume
            // from.
            if guarded.machine.acceptedStatus != nil { guarded.report.progress.resumedFrom = offset }
            guarded.report.metrics.exchanges += 1
            guarded.isPaused = false
            // Under the lock, so that no event of the exchange can come before its name is known.
            made.running.id = session.transport.start(made.exchange, handler: self)
            guarded.machine.started(made.running)
            hasStarted = true
            return .none
        }
        if hasStarted { session.observeSoon() }
    }

    /// Bytes of a stream are gone when they have been read.
    func askForBody(_ session: TransferSession) {
        session.askForNewBody(self) { [weak self] descriptor in
            self?.change { guarded, _ in
                guard let step = guarded.machine.bodySupplied() else { return .none }
                (guarded.upload.newStream, guarded.upload.hasAskedForStream) = (descriptor, true)
                return step
            }
        }
    }
}
