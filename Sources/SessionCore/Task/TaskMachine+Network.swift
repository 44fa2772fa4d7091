// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// Decides what changes of the network mean.
extension TaskMachine {
    /// The network of the task is lost, or may no longer be used by it.
    ///
    /// A task that does not wait continues if the network is only lost, since a connection outlives short gaps, and
    /// fails if it may no longer be used.
    mutating func pathLost(_ wait: PathWait, _ context: DecisionContext) -> Step {
        guard !hasBeenCancelled, !isSuspended, exchange != nil else { return .none }
        guard context.waitsForConnectivity else {
            return wait.canBeLifted ? fail(Self.forbidden(wait, first.url)) : .none
        }
        switch state {
        case .sent(.network(let running)) where !plan.sendsBody || (wait.canBeLifted && canContinueUpload):
            state = .parking(running, offset: plan.resume?.offset ?? 0, wait)
            return .cancel
        // Nothing more may pass over this network, not even what the server has already sent.
        case .receiving(.network(let running), _) where wait.canBeLifted && canComeBack:
            state = .parking(running, offset: resumedFrom, wait)
            return .cancel
        case .sent, .opening, .receiving:
            // Closing a connection sends packets. Without a network they only make the kernel forget, for seconds, how
            // the next hop is reached: so a download's connection, too, stays until there is one.
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
            // A connection started without a network fails seconds after there is one.
            isProbing = false
            state = .parking(running, offset: plan.resume?.offset ?? 0, nil)
            return .cancel
        default: return .none
        }
    }

    /// The local address of the connection is gone: nothing will arrive over it.
    mutating func connectionLost() -> Step {
        guard !isSuspended, !hasBeenCancelled, pathHold == nil else { return .none }
        if case .sent(.network(let running)) = state, !plan.sendsBody || canContinueUpload {
            state = .parking(running, offset: plan.resume?.offset ?? 0, nil)
            return .cancel
        }
        return comingBackWhereItCan() ?? .none
    }

    /// Lost packets are sent again after seconds, those of a new exchange at once.
    private mutating func comingBackWhereItCan() -> Step? {
        switch state {
        case .receiving(.network(let running), _) where canComeBack:
            state = .parking(running, offset: resumedFrom, nil)
        case .sent(.network(let running)) where plan.sendsBody && canContinueUpload:
            state = .parking(running, offset: 0, nil)
        default: return nil
        }
        return .cancel
    }

    /// It has waited for a while without a sign of a network: attempts it all the same.
    mutating func probe() -> Step {
        guard case .waiting = state, !isSuspended else { return .none }
        let step = start()
        isProbing = true
        return step
    }

    /// The peer has sent or acknowledged something.
    mutating func connectivityConfirmed() { isProbing = false }

    /// Another reason than before, while it waits.
    mutating func waitChanged(_ wait: PathWait) -> Bool {
        guard case .waiting(let previous) = state, previous != wait else { return false }
        state = .waiting(wait)
        return true
    }

    /// The network condition that the task waits for now.
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
