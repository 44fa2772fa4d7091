// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// What the network's coming and going changes.
extension TaskMachine {
    /// The network that carried the task has gone, or may no longer be used by it.
    ///
    /// A task that does not wait goes on where the network has only gone, since a connection outlives short gaps, and
    /// fails where it may no longer be used.
    mutating func pathLost(_ wait: PathWait, _ context: DecisionContext) -> Step {
        guard !hasBeenCancelled, !isSuspended, exchange != nil else { return .none }
        guard context.waitsForConnectivity else {
            return wait.canBeLifted ? fail(Self.forbidden(wait, first.url)) : .none
        }
        switch state {
        case .sent(.network(let running)) where !plan.sendsBody:
            state = .parking(running, offset: plan.resume?.offset ?? 0, wait)
            return .cancel
        // It may send nothing more over this network, not even what the other end has on its way.
        case .receiving(.network(let running), _) where wait.canBeLifted && canComeBack:
            state = .parking(running, offset: resumedFrom, wait)
            return .cancel
        case .sent, .opening, .receiving:
            // Closing a connection sends packets. Without a network they only make the kernel forget, for seconds, how
            // the next hop is reached: a download's, too, is kept until there is one.
            guard pathHold != wait else { return .none }
            pathHold = wait
            return .hold(wait)
        default: return .none
        }
    }

    /// The network may carry the task again.
    mutating func connectivityReturned() -> Step {
        if pathHold != nil {
            pathHold = nil
            return isSuspended ? .none : comingBackWhereItCan() ?? .proceed
        }
        guard !isSuspended, !hasBeenCancelled else { return .none }
        switch state {
        case .waiting: return start()
        case .sent(.network(let running)) where isProbing && (!plan.sendsBody || plan.method.isIdempotent):
            // A connection begun without a network fails seconds after there is one.
            isProbing = false
            state = .parking(running, offset: plan.resume?.offset ?? 0, nil)
            return .cancel
        default: return .none
        }
    }

    /// The address that the connection has on this side is not the network's any more: nothing will come over it.
    mutating func connectionLost() -> Step {
        guard !isSuspended, !hasBeenCancelled, pathHold == nil else { return .none }
        if case .sent(.network(let running)) = state, !plan.sendsBody {
            state = .parking(running, offset: plan.resume?.offset ?? 0, nil)
            return .cancel
        }
        return comingBackWhereItCan() ?? .none
    }

    /// Bytes that were lost on the way come again after seconds, those of a new exchange at once.
    private mutating func comingBackWhereItCan() -> Step? {
        guard case .receiving(.network(let running), _) = state, canComeBack else { return nil }
        state = .parking(running, offset: resumedFrom, nil)
        return .cancel
    }

    /// It has waited for a while, and nothing says that the network carries it: that may be wrong.
    mutating func probe() -> Step {
        guard case .waiting = state, !isSuspended else { return .none }
        let step = start()
        isProbing = true
        return step
    }

    /// The other end has sent something, or taken it.
    mutating func connectivityConfirmed() { isProbing = false }

    /// Another reason than before, while it waits.
    mutating func waitChanged(_ wait: PathWait) -> Bool {
        guard case .waiting(let previous) = state, previous != wait else { return false }
        state = .waiting(wait)
        return true
    }

    /// What it waits for now.
    var wait: PathWait? {
        if case .waiting(let wait) = state { return wait }
        return pathHold
    }

    /// Whether another exchange can bring the rest of the body.
    var canComeBack: Bool {
        plan.method == .get && !plan.sendsBody && validator.ifRange != nil
            && (acceptedStatus == 200 || acceptedStatus == 206)
            && plan.answersFromCache != .stored
    }
}
