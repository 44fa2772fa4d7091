// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// From the decision for an exchange to its start.
extension TaskMachine {
    /// The conditions that decide how an exchange begins.
    struct Readiness {
        /// Seconds until its earliest begin.
        var delay = 0.0
        /// A delegate decides about a delayed request.
        var asksAboutDelay = false
        /// The cache may hold the response.
        var asksCache = false
    }

    mutating func prepare(_ readiness: Readiness) -> Step {
        guard case .scheduled(let wasDelayed) = state else { return .none }
        if readiness.delay > 0 {
            state = .scheduled(isDelayed: true)
            defer { isDelayTimed = true }
            return isDelayTimed ? .none : .delay(readiness.delay)
        }
        if wasDelayed {
            guard !isSuspended else { return .none }
            if readiness.asksAboutDelay, !hasAskedAboutDelay {
                hasAskedAboutDelay = true
                state = .confirmingDelay
                return .askAboutDelay
            }
        }
        if readiness.asksCache, plan.answersFromCache == .none {
            state = .consultingCache
            return .consultCache
        }
        return queue()
    }

    mutating func delayPassed() -> Step {
        isDelayTimed = false
        guard case .scheduled = state, !isSuspended else { return .none }
        return .begin
    }

    /// The delegate has decided about the delayed request.
    /// - Parameter replacement: the request to send instead, and its URL.
    /// - Returns: `none` if it is too late.
    mutating func delayDecided(_ replacement: (request: TransferRequest, url: TransferURL)?) -> Step {
        guard case .confirmingDelay = state else { return .none }
        if let (request, url) = replacement {
            origin = url.origin
            ownCredential = request.options.credential ?? request.url.credential
            usesNetrc = request.options.takesNetrc
            hasPins = !(request.options.pins.isEmpty && request.options.certificatePins.isEmpty)
            (first.url, first.method, first.clientIdentity) = (url, request.method, request.options.clientIdentity)
            plan = first
        }
        state = .scheduled(isDelayed: true)
        return .begin
    }

    /// - Parameter fields: for the revalidation of the stored response.
    /// - Returns: `nil` if it is too late.
    mutating func cacheAnswered(_ use: CacheUse, _ fields: HTTPFields = [:]) -> Step? {
        guard case .consultingCache = state else { return nil }
        plan.answersFromCache = use
        for field in fields { plan.extraFields[field.name] = field.value }
        return queue()
    }

    /// Only the cache may be used, and has no response.
    mutating func cacheRefused(_ error: TransferError) -> Step {
        guard case .consultingCache = state else { return .none }
        return end(error)
    }

    /// A stored response needs no slot.
    mutating func queue() -> Step {
        state = .queued
        guard plan.answersFromCache == .stored, !isSuspended else { return .none }
        state = .sent(.cache)
        return .replay
    }

    mutating func slotGranted() -> Step {
        guard case .queued = state, !isSuspended else { return .none }
        state = .starting
        return .make
    }

    /// The body has been read, and cannot be sent again.
    mutating func bodyMissing() -> Step {
        guard case .starting = state else { return .none }
        state = .lackingBody
        return .askForBody
    }

    /// - Returns: `nil` if it is too late.
    mutating func bodySupplied() -> Step? {
        guard case .lackingBody = state else { return nil }
        state = isSuspended ? .queued : .starting
        return isSuspended ? Step.none : .make
    }

    mutating func started(_ running: Running) { state = .sent(.network(running)) }

    /// No exchange could be made.
    mutating func makingFailed(_ error: TransferError, _ context: DecisionContext) -> Step {
        guard case .starting = state else { return .none }
        return endedWithoutHead(ExchangeEnd(failure: error), context)
    }
}
