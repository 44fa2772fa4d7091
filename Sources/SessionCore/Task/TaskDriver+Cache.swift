// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import Platform
import Synchronization
import TransferModel

/// Answers that are stored already, and answers that are to be stored. Data tasks alone; files are not kept twice.
extension TaskDriver {
    /// What a task knows of the cache.
    struct Caching {
        var request: CacheRequest?
        /// What is stored, and may be the answer.
        var stored: CachedResponse?
        /// Gathers the answer that comes.
        var writer: CacheWriter?
        var requestTime: Int64 = 0
    }

    // MARK: Before the request

    /// Whether there is anything to ask a cache.
    func isCacheable(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) -> Bool {
        guard session.configuration.cache != nil, case .data = payload else { return false }
        return plan.resume == nil
    }

    /// Looks for a stored answer; the exchange goes on from there.
    func consultCache(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) {
        guard let cache = session.configuration.cache, let cacheRequest = makeCacheRequest(plan, session) else {
            return goOn(.load, nil, plan, session)
        }
        let policy = request.options.cachePolicy ?? session.configuration.cachePolicy
        guarded.withLock { $0.caching = Caching(request: cacheRequest, requestTime: Int64(session.scheduler.wallNow)) }
        session.background.async { [self] in
            let stored = cache.cachedResponse(for: plan.url)
            let now = Int64(session.scheduler.wallNow)
            goOn(CacheDecision.make(policy: policy, request: cacheRequest, stored: stored, now: now), stored, plan, session)
        }
    }

    private func makeCacheRequest(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) -> CacheRequest? {
        guard let fields = try? fields(for: plan, session) else { return nil }
        let hasLogin = plan.login != nil || (plan.isOriginalOrigin && (request.options.credential ?? request.url.credential) != nil)
        return CacheRequest(url: plan.url, method: plan.method, fields: fields, hasBody: plan.sendsBody,
                            hiddenFields: hasLogin ? [.authorization] : [])
    }

    private func goOn(_ decision: CacheDecision, _ stored: CachedResponse?, _ plan: TaskStateMachine.ExchangePlan,
                      _ session: TransferSession) {
        var next = plan
        switch decision {
        case .load: break
        case .useStored: next.answersFromCache = .stored
        case .revalidate(let fields):
            next.answersFromCache = .revalidating
            for field in fields { next.extraFields[field.name] = field.value }
        case .fail(let error):
            let isStillWanted = guarded.withLock { guarded in
                guard case .consulting = guarded.stage else { return false }
                guarded.stage = .none
                return true
            }
            if isStillWanted { end(ExchangeEnd(failure: error), session) }
            return
        }
        let chosen = next
        let isStillWanted = guarded.withLock { guarded in
            guard case .consulting = guarded.stage else { return false }
            guarded.caching.stored = chosen.answersFromCache == .none ? nil : stored
            guarded.plan = chosen
            guarded.stage = .waiting(chosen)
            return guarded.machine.cacheAnswered(chosen)
        }
        if isStillWanted { queueUp(session) }
    }

    // MARK: The stored answer as the answer

    func giveStored(_ session: TransferSession) {
        let (isWanted, stored) = guarded.withLock { guarded -> (Bool, CachedResponse?) in
            guard case .waiting = guarded.stage else { return (false, nil) }
            guarded.stage = .stored
            return (true, guarded.caching.stored)
        }
        guard isWanted else { return }
        guard let stored else {
            guarded.withLock { $0.stage = .none }
            return end(ExchangeEnd(failure: TransferError(.other, "the stored answer is gone")), session)
        }
        let head = stored.answer(at: Int64(session.scheduler.wallNow))
        let disposition = headArrived(head, session)
        if disposition != .hold { giveStoredBody(disposition, session) }
    }

    func giveStoredBody(_ disposition: BodyDisposition, _ session: TransferSession) {
        guard let stored = guarded.withLock({ $0.caching.stored }) else { return }
        var outcome = ExchangeOutcome()
        switch disposition {
        case .deliver where !stored.body.isEmpty:
            exchange(ExchangeID(rawValue: 0), didReceive: stored.body)
        case .file(let descriptor, let offset, _):
            do {
                try Descriptor(borrowing: descriptor).write(stored.body, at: offset)
            } catch {
                outcome.failure = ExchangeFailure(.cannotWrite(errno: error.errno))
            }
        case .abort: outcome.failure = ExchangeFailure(.aborted)
        default: break
        }
        if disposition != .discard, outcome.failure == nil { outcome.progress.received = Int64(stored.body.count) }
        exchange(ExchangeID(rawValue: 0), didComplete: outcome)
    }

    private func exchange(_ id: ExchangeID, didReceive body: [UInt8]) {
        body.withUnsafeBytes { exchange(id, didReceive: $0) }
    }

    /// A 304 says that the stored answer is the one, unless it speaks of another version: then the next question is
    /// unconditional.
    func confirmsStored(_ head: HTTPResponse, _ session: TransferSession) -> Bool {
        let now = Int64(session.scheduler.wallNow)
        let (merged, url) = guarded.withLock { guarded -> (CachedResponse?, TransferURL?) in
            guard let request = guarded.caching.request else { return (nil, nil) }
            let merged = guarded.caching.stored?.freshened(by: head, for: request, requestTime: guarded.caching.requestTime,
                                                           storedTime: now)
            if let merged { guarded.caching.stored = merged }
            return (merged, guarded.plan?.url)
        }
        guard let merged, let url, let cache = session.configuration.cache else { return false }
        session.background.async { cache.store(merged, for: url) }
        return true
    }

    // MARK: After the answer

    func prepareCaching(_ head: HTTPResponse, _ session: TransferSession) {
        guard let cache = session.configuration.cache else { return }
        let now = Int64(session.scheduler.wallNow)
        guarded.withLock { guarded in
            // What came under an exception is for those who made it.
            guard let request = guarded.caching.request, guarded.plan?.answersFromCache != .stored, !guarded.trustsByException
            else { return }
            guarded.caching.writer = CacheWriter(answering: request, head: head, requestTime: guarded.caching.requestTime,
                                                 storedTime: now, limit: cache.entryLimit)
        }
    }

    /// The whole answer has come.
    func keepInCache(_ session: TransferSession) {
        guard let cache = session.configuration.cache else { return }
        let (gathered, plan, response) = guarded.withLock { guarded in
            defer { guarded.caching = Caching() }
            return (guarded.caching.writer?.finished(), guarded.plan, guarded.response)
        }
        guard let plan else { return }
        if let response {
            let outdated = CacheInvalidation.urls(after: plan.method, url: plan.url, head: response)
            if !outdated.isEmpty { session.background.async { outdated.forEach(cache.remove(for:)) } }
        }
        guard let gathered else { return }
        let keep: @Sendable (CachedResponse?) -> Void = { chosen in
            if let chosen { session.background.async { cache.store(chosen, for: plan.url) } }
        }
        if interests(session).contains(.caching) { session.askWhetherToCache(gathered, self, keep) } else { keep(gathered) }
    }
}
