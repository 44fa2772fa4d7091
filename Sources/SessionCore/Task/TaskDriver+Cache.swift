// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import Platform
import Synchronization
import TransferModel

/// Stored responses, and responses to store. Data tasks alone; files are not stored twice.
extension TaskDriver {
    /// A task's view of the cache.
    struct Caching {
        var request: CacheRequest?
        /// Stored, and possibly the response.
        var stored: CachedResponse?
        /// Collects the response.
        var writer: CacheWriter?
        var requestTime: Int64 = 0
    }

    // MARK: Before the request

    /// Whether a cache may have the response.
    func isCacheable(_ plan: TaskMachine.ExchangePlan, _ session: TransferSession) -> Bool {
        guard session.configuration.cache != nil, case .data = payload else { return false }
        return plan.resume == nil
    }

    /// Looks up the stored response; the exchange continues from there.
    func consultCache(_ session: TransferSession) {
        let plan = machine.plan
        guard let cache = session.configuration.cache, let cacheRequest = makeCacheRequest(plan, session) else {
            return cacheDecided(.load, nil)
        }
        let policy = request.options.cachePolicy ?? session.configuration.cachePolicy
        caching = Caching(request: cacheRequest, requestTime: Int64(session.scheduler.wallNow))
        session.background.async { [self] in
            let stored = cache.cachedResponse(for: plan.url)
            let now = Int64(session.scheduler.wallNow)
            let decision = CacheDecision.make(policy: policy, request: cacheRequest, stored: stored, now: now)
            post { $0.cacheDecided(decision, stored) }
        }
    }

    private func makeCacheRequest(_ plan: TaskMachine.ExchangePlan, _ session: TransferSession) -> CacheRequest? {
        guard let fields = try? fields(for: plan, session) else { return nil }
        let own = plan.isOriginalOrigin ? request.options.credential ?? request.url.credential : nil
        let hasLogin = plan.login != nil || own != nil
        return CacheRequest(
            url: plan.url, method: plan.method, fields: fields, hasBody: plan.sendsBody,
            hiddenFields: hasLogin ? [.authorization] : [])
    }

    private func cacheDecided(_ decision: CacheDecision, _ stored: CachedResponse?) {
        change { _ in
            var use = TaskMachine.CacheUse.none
            var questions = HTTPFields()
            switch decision {
            case .load: break
            case .useStored: use = .stored
            case .revalidate(let fields): (use, questions) = (.revalidating, fields)
            case .fail(let error): return machine.cacheRefused(error)
            }
            guard let step = machine.cacheAnswered(use, questions) else { return .none }
            caching.stored = use == .none ? nil : stored
            return step
        }
    }

    // MARK: The stored response as the response

    func giveStored(_ session: TransferSession) {
        guard let stored = caching.stored else {
            return call { $0.fail(TransferError(.other, .storedResponseGone)) }
        }
        let disposition = headArrived(stored.answer(at: Int64(session.scheduler.wallNow)))
        if disposition != .hold { giveStoredBody(disposition, session) }
    }

    func giveStoredBody(_ disposition: BodyDisposition, _ session: TransferSession) {
        guard let stored = caching.stored else { return }
        var outcome = ExchangeOutcome()
        switch disposition {
        case .deliver where !stored.body.isEmpty:
            bodyArrived(stored.body)
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
        completed(outcome)
    }

    /// A 304 confirms the stored response, unless it is about another version: then the next request is unconditional.
    func confirmsStored(_ head: HTTPResponse, _ session: TransferSession) -> Bool {
        let now = Int64(session.scheduler.wallNow)
        guard let request = caching.request, let cache = session.configuration.cache,
            let merged = caching.stored?.freshened(
                by: head, for: request, requestTime: caching.requestTime, storedTime: now)
        else { return false }
        caching.stored = merged
        let url = machine.plan.url
        session.background.async { cache.store(merged, for: url) }
        return true
    }

    // MARK: After the response

    func prepareCaching(_ head: HTTPResponse, _ session: TransferSession) {
        guard let cache = session.configuration.cache else { return }
        // A response under an exception is for those who made it.
        guard let request = caching.request, machine.running?.trustsByException == false else { return }
        caching.writer = CacheWriter(
            answering: request, head: head, requestTime: caching.requestTime,
            storedTime: Int64(session.scheduler.wallNow), limit: cache.entryLimit)
    }

    /// The response is complete.
    func storeInCache(_ session: TransferSession) {
        guard let cache = session.configuration.cache else { return }
        let (gathered, plan) = (caching.writer?.finished(), machine.plan)
        caching = Caching()
        if let response {
            let outdated = CacheInvalidation.urls(after: plan.method, url: plan.url, head: response)
            if !outdated.isEmpty { session.background.async { outdated.forEach(cache.remove(for:)) } }
        }
        guard let gathered else { return }
        let keep: @Sendable (CachedResponse?) -> Void = { chosen in
            if let chosen { session.background.async { cache.store(chosen, for: plan.url) } }
        }
        guard interests(session).contains(.caching) else { return keep(gathered) }
        session.askWhetherToCache(gathered, self, keep)
    }
}
