// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// From the machine's decision for an exchange to its start.
extension TaskDriver {
    func readiness(_ session: TransferSession) -> TaskMachine.Readiness {
        var readiness = TaskMachine.Readiness()
        let (earliestBegin, own) = face.withLock { ($0.settings.earliestBegin, $0.delegate.interests) }
        if let earliestBegin, metrics.exchanges == 0 { readiness.delay = earliestBegin - session.scheduler.wallNow }
        if case .scheduled(isDelayed: true) = machine.state {
            readiness.asksAboutDelay = session.interests.union(own).contains(.delay)
        }
        readiness.asksCache = isCacheable(machine.plan, session)
        return readiness
    }

    /// A delegate has decided about a request that was delayed.
    func delayDecided(_ disposition: DelayedRequestDisposition) {
        switch disposition {
        case .cancel: cancel()
        case .continueLoading: call { $0.delayDecided(nil) }
        case .useNewRequest(let request):
            change { session in
                let url = session.configuration.transportSecurity?.secured(request.url) ?? request.url
                let step = machine.delayDecided((request, url))
                guard step != .none else { return .none }
                face.withLock { face in
                    face.replacement = request
                    face.settings.rateLimit = request.options.rateLimit
                    if request.options.liftsRestrictions { face.settings.isUnrestricted = true }
                }
                return step
            }
        }
    }

    /// The parts from which an exchange is made.
    struct Draft {
        var request: TransferRequest
        var plan: TaskMachine.ExchangePlan
        var rateLimit: Int?
        var priority: Double
        /// The request's own credential, if it is sent before the server asks.
        var credential: Credential?
        var upload: Upload
        /// To which interface the network restricts the exchange.
        var interface: String?
    }

    /// Makes the exchange of the machine's plan and starts it. The slot is held.
    func make(_ session: TransferSession) {
        let (settings, request) = face.withLock { ($0.settings, $0.replacement ?? originalRequest) }
        do throws(TransferError) { try chooseProtocol(session) } catch { return call { $0.end(error) } }
        let plan = machine.plan
        var draft = Draft(
            request: request, plan: plan, rateLimit: settings.rateLimit, priority: settings.priority,
            credential: machine.sendsLoginPreemptively(plan) ? machine.ownCredential : nil, upload: upload)
        switch session.permission(for: draft.plan.url, draft.request.options, isUnrestricted: settings.isUnrestricted) {
        case .waits(let wait)
        where wait.canBeLifted
            || session.requirements(for: draft.request.options, isUnrestricted: settings.isUnrestricted)
                .excludesNetworks:
            // The network that comes up meanwhile may be one that is excluded.
            return forbidden(wait, session)
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
        let plan = machine.plan
        if let source = made.source { upload.source = source }
        let offset = plan.resume?.offset ?? 0
        storage.begin(at: offset)
        metrics.exchanges += 1
        isPaused = false
        face.withLock { face in
            face.sent = TaskSnapshot.Sent(
                url: made.exchange.url, method: made.exchange.method, isOriginalOrigin: plan.isOriginalOrigin,
                fields: made.exchange.fields)
            if plan.leg != nil {
                face.progress.expectedToSend = machine.resumable?.subject.size
            } else if made.source != nil, case .file(_, _, let count) = made.exchange.body {
                face.progress.expectedToSend = count
            }
            if made.sendsPasswordInClear { face.hasSentPasswordInClear = true }
            (face.progress.received, face.progress.sent) = (0, machine.uploadBase)
            // Progress is counted from there; before the first response there is nothing to resume from.
            if machine.acceptedStatus != nil { face.progress.resumedFrom = offset }
        }
        made.running.id = session.transport.start(made.exchange, handler: self)
        call { machine in
            machine.started(made.running)
            return .none
        }
        session.observeSoon()
    }

    /// Bytes of a stream are gone when they have been read.
    func askForBody(_ session: TransferSession) {
        session.askForNewBody(self) { [weak self] descriptor in self?.post { $0.supply(descriptor) } }
    }

    private func supply(_ descriptor: Int32?) {
        change { _ in
            guard let step = machine.bodySupplied() else { return .none }
            (upload.newStream, upload.hasAskedForStream) = (descriptor, true)
            return step
        }
    }
}
