// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The decisions of the machine.
extension TaskMachine {
    /// The action for the body of a response.
    enum HeadDecision: Sendable, Equatable {
        /// Announce the response; its body is the task's data.
        case deliver
        /// The body continues the data; the response is not announced.
        case proceed
        /// Announce the response; truncate the file to `offset`, and write the body from there on.
        case write(offset: Int64, expectedEnd: Int64?)
        /// Announce the response; the body is read as a stream.
        case pipe
        /// Read it to the end and discard it.
        case discard
        /// End the exchange immediately.
        case abort
        /// Hold the body until the delegate has replied.
        case ask(Question)
    }

    /// The action when an exchange has ended, or a call has been made.
    enum Step: Sendable, Equatable {
        case none
        /// An exchange is wanted: call ``TaskMachine/prepare(_:)``.
        case begin
        /// Call ``TaskMachine/delayPassed()`` after so many seconds.
        case delay(Double)
        case askAboutDelay
        case consultCache
        /// The stored response is the response.
        case replay
        /// Make the exchange of ``TaskMachine/plan``, start it and call ``TaskMachine/started(_:)``, all before any
        /// other event.
        case make
        case askForBody
        /// Hold the bytes of the exchange, and call ``TaskMachine/suspensionLasted(_:)`` after a while.
        case pause
        /// Let the bytes of the exchange move again, and check whether the network has changed meanwhile.
        case proceed
        /// End the exchange under way.
        case cancel
        case ask(Question)
        /// Report the wait, and call ``TaskMachine/connectivityReturned()`` when the network may carry the task again.
        case wait(PathWait)
        /// As `wait`, but the exchange still runs: hold its bytes.
        case hold(PathWait)
        case checkName(host: String)
        case finish(TransferError?)
    }

    /// The action when a delegate has replied.
    enum Resolution: Sendable, Equatable {
        /// Too late, or not asked.
        case none
        /// For the head whose body is held.
        case decide(HeadDecision, HTTPResponse)
        case step(Step)
    }
}
