// SPDX-License-Identifier: MIT

import Glibc

/// What a failure means for what happens next: the one table. Pure.
///
/// `Tests/TransferModelTests/FailurePolicyTests.swift` holds it row by row.
package enum FailurePolicy {
    package struct Verdict: Sendable, Hashable {
        package var next: Next
        package var path: Path
        /// `false`: the attempt does not predict the next one, and does not count against the limit.
        package var countsAttempt: Bool
        /// The system lacks what another transfer at the same time needs, whatever that is: fewer of them may be
        /// spared it. Also if the attempt has not begun.
        package var isShortage: Bool

        /// Another network path might have spared the failure.
        package var mayBePath: Bool { path != .innocent }

        init(_ next: Next, _ path: Path = .innocent, countsAttempt: Bool = true, isShortage: Bool = false) {
            self.next = next
            self.path = path
            self.countsAttempt = countsAttempt
            self.isShortage = isShortage
        }
    }

    package enum Next: Sendable, Hashable {
        /// The network cannot carry it now: as ``retry``, but only for transfers that wait for connectivity.
        case wait
        /// Transient: another attempt after a delay, from the partial file.
        case retry
        /// The partial file does not match the server's version: once more, from the first byte.
        case restart
        /// The destination cannot take it now: not before a person has made room.
        case pause
        case end
    }

    /// Whether the network path may have caused the failure.
    package enum Path: Sendable, Hashable {
        /// It would have failed on any path.
        case innocent
        /// A host responded on this path. Another path may lead to another host of that name: a later change of the
        /// network is worth an early attempt, but there is no point in waiting for one.
        case answered
        /// No address was found for a name. Only the resolver can say whether that is final.
        case unresolved
        /// There was no connection, so nothing of the request was sent.
        case unreached
        /// There was a connection, and it broke; the request may have been carried out.
        case broke
    }

    package static func verdict(_ error: TransferError) -> Verdict {
        switch error.code.cause {
        case .hostNotResolved, .proxyNotResolved: Verdict(.retry, .unresolved)
        case .cannotConnect: connecting(error.systemErrno)
        // The interface is not there: nothing else can bring it back than a change of the network.
        case .interfaceUnavailable: Verdict(.wait, .unreached)
        case .timedOut: Verdict(.retry, error.fields.timer == .connect ? .unreached : .broke)
        // The user decides: what another attempt sends may be stored twice.
        case .noResponse where error.fields.variant == .outcomeUnknown: Verdict(.end, .broke)
        // Even with an errno that means "no network": bytes may have arrived before, so only what is safe to repeat may
        // be repeated.
        case .partialFile, .sendFailed, .receiveFailed, .noResponse: Verdict(.retry, .broke)
        case .tlsHandshake: handshake(error.systemErrno)
        case .httpStatus: status(error.fields)
        // A network file system whose server is unreachable: it may return.
        case .folderNotResponding: Verdict(.retry)
        case .diskFull: Verdict(.pause, countsAttempt: false)
        // What the server has now is another file; the attempt that found out is none that failed. Happens once to a
        // transfer. If the whole was requested before, too, the next attempt is a retry.
        case .rangeRefused: Verdict(.restart, countsAttempt: error.fields.variant == .unrequestedPart)
        // The server would answer as early as before.
        case .answeredEarly: Verdict(.end)
        case .cannotWrite, .cannotReadSource: file(error.systemErrno)
        case .other, .usage, .malformedURL, .notHTTP, .checksumMismatch, .tooManyRedirects,
            .clientCertificate, .certificateRefused, .loginDenied, .pinMismatch, .interrupted, .terminated, .cancelled,
            .insecureRedirect,
            .repeatedCrash, .secretMissing, .certificateUntrusted, .destinationExists:
            Verdict(.end)
        }
    }

    private static func connecting(_ errno: Int32?) -> Verdict {
        switch errno {
        case let errno? where noNetwork.contains(errno): Verdict(.wait, .unreached)
        case ECONNREFUSED?: Verdict(.retry, .answered)
        default: Verdict(.retry, .unreached)
        }
    }

    /// What a process or the system may have open, and memory, are free again when others have ended.
    private static func file(_ errno: Int32?) -> Verdict {
        switch errno {
        case EMFILE?, ENFILE?, ENOMEM?: Verdict(.retry, isShortage: true)
        default: Verdict(.end)
        }
    }

    /// Nothing of the request was sent.
    private static func handshake(_ errno: Int32?) -> Verdict {
        switch errno {
        case let errno? where noNetwork.contains(errno): Verdict(.wait, .unreached)
        case EPIPE?, ECONNRESET?, ETIMEDOUT?: Verdict(.retry, .broke)
        default: Verdict(.end)
        }
    }

    /// A 5xx that is not known means what 500 does (RFC 9110, section 15), such as those of content delivery networks.
    /// 423 is that of a lock (RFC 4918), 425 asks for the request again (RFC 8470). Also the response of a proxy to
    /// CONNECT: some respond so for names that do not exist, so that the queue asks them for a day alone.
    private static func status(_ fields: TransferError.Fields) -> Verdict {
        switch fields.status {
        // Until the user has signed in, or uses another network (RFC 6585, section 6).
        case _ where fields.refusal?.portal != nil, 511: Verdict(.retry, .answered)
        // Not supported, or no space.
        case 501, 505, 507: Verdict(.end)
        case 408, 423, 425, 429: Verdict(.retry)
        case .some(500...599): Verdict(.retry)
        default: Verdict(.end)
        }
    }

    /// The kernel knows no way.
    private static let noNetwork: Set<Int32> = [ENETDOWN, ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, ENODEV]
}
