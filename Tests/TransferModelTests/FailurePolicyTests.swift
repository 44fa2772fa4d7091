// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferModel

/// The table of what failures mean, row by row.
@Suite struct FailurePolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var error: TransferError
        var next: FailurePolicy.Next
        var path: FailurePolicy.Path
        var countsAttempt: Bool
        var isShortage: Bool
        var testDescription: String { "\(error.code.cause) \(error.systemErrno ?? 0) \(error.fields)" }

        init(
            _ code: TransferError.Code, errno: Int32? = nil, fields: TransferError.Fields = .init(),
            _ next: FailurePolicy.Next,
            _ path: FailurePolicy.Path = .innocent, counts: Bool = true, isShortage: Bool = false
        ) {
            error = TransferError(code, "", systemErrno: errno, fields: fields)
            (self.next, self.path, countsAttempt, self.isShortage) = (next, path, counts, isShortage)
        }
    }

    /// In place of the rest of a file.
    private static var portal: TransferError.Fields {
        var error = TransferError(.httpStatus, .portalPage, host: "h")
        if let url = try? TransferURL("http://login.test/") { error.notePortal(url, for: url) }
        return error.fields
    }

    private static let special: [Row] = [
        Row(.hostNotResolved, .retry, .unresolved),
        Row(.proxyNotResolved, .retry, .unresolved),
        Row(.cannotConnect, errno: ENETDOWN, .wait, .unreached),
        Row(.cannotConnect, errno: ENETUNREACH, .wait, .unreached),
        Row(.cannotConnect, errno: EHOSTUNREACH, .wait, .unreached),
        Row(.cannotConnect, errno: EADDRNOTAVAIL, .wait, .unreached),
        // One of the former tables had it retried even where the transfer was not to wait for a network; a device that
        // is gone is no network.
        Row(.cannotConnect, errno: ENODEV, .wait, .unreached),
        // The session never waited for another network after it, the queue made an early attempt when one came: both,
        // by a path of its own.
        Row(.cannotConnect, errno: ECONNREFUSED, .retry, .answered),
        Row(.cannotConnect, errno: ETIMEDOUT, .retry, .unreached),
        Row(.cannotConnect, .retry, .unreached),
        // The session waited for the interface, the queue took it for a failed connection. It waits, whatever errno
        // says.
        Row(.interfaceUnavailable, .wait, .unreached),
        Row(.interfaceUnavailable, errno: ECONNREFUSED, .wait, .unreached),
        Row(.timedOut, fields: .init(timer: .connect), .retry, .unreached),
        // The session took it for a connection that never was and sent a POST again after the wait; the server may have
        // had all of it.
        Row(.timedOut, fields: .init(timer: .request), .retry, .broke),
        Row(.timedOut, fields: .init(timer: .response), .retry, .broke),
        Row(.timedOut, fields: .init(timer: .resource), .retry, .broke),
        Row(.timedOut, .retry, .broke),
        Row(.partialFile, .retry, .broke),
        Row(.folderNotResponding, .retry),
        Row(.sendFailed, .retry, .broke),
        Row(.receiveFailed, .retry, .broke),
        Row(.noResponse, .retry, .broke),
        Row(.noResponse, fields: .init(variant: .outcomeUnknown), .end, .broke),
        // As with the request timer: by this errno the session repeated requests that the server may have carried out.
        Row(.sendFailed, errno: ENETUNREACH, .retry, .broke),
        Row(.receiveFailed, errno: ENETDOWN, .retry, .broke),
        Row(.tlsHandshake, .end),
        // The queue ended on it while the session waited; nothing was sent, so waiting is right.
        Row(.tlsHandshake, errno: ENETUNREACH, .wait, .unreached),
        // The queue retried, and did not believe that another network could help. A handshake that is cut off often is
        // the network's doing.
        Row(.tlsHandshake, errno: EPIPE, .retry, .broke),
        Row(.tlsHandshake, errno: ECONNRESET, .retry, .broke),
        Row(.tlsHandshake, errno: ETIMEDOUT, .retry, .broke),
        Row(.tlsHandshake, errno: EPROTO, .end),
        Row(.cannotWrite, errno: EACCES, .end),
        // Nothing is free later that a larger file could use.
        Row(.cannotWrite, errno: EFBIG, .end),
        Row(.cannotWrite, .end),
        // They ended every transfer for which a small limit left no descriptor.
        Row(.cannotWrite, errno: EMFILE, .retry, isShortage: true),
        Row(.cannotWrite, errno: ENFILE, .retry, isShortage: true),
        Row(.cannotWrite, errno: ENOMEM, .retry, isShortage: true),
        Row(.cannotReadSource, errno: EMFILE, .retry, isShortage: true),
        Row(.cannotReadSource, errno: ENOENT, .end),
        Row(.cannotWrite, errno: ENOSPC, .pause, counts: false),
        Row(.cannotWrite, errno: EDQUOT, .pause, counts: false),
        Row(.diskFull, .pause, counts: false),
        // It used to count: with no retries allowed, a file that had changed on the server failed instead of
        // restarting.
        Row(.rangeRefused, .restart, counts: false),
        // The same request again: a retry.
        Row(.rangeRefused, fields: .init(status: 206, variant: .unrequestedPart), .restart),
        Row(.answeredEarly, .end),
        Row(.httpStatus, fields: .init(status: 201), .end),
        Row(.httpStatus, fields: .init(status: 404), .end),
        Row(.httpStatus, fields: .init(status: 408), .retry),
        Row(.httpStatus, fields: .init(status: 429), .retry),
        Row(.httpStatus, fields: .init(status: 500), .retry),
        Row(.httpStatus, fields: .init(status: 501), .end),
        Row(.httpStatus, fields: .init(status: 502), .retry),
        Row(.httpStatus, fields: .init(status: 503), .retry),
        Row(.httpStatus, fields: .init(status: 504), .retry),
        Row(.httpStatus, fields: .init(status: 507), .end),
        Row(.httpStatus, fields: .init(status: 505), .end),
        // Locks pass.
        Row(.httpStatus, fields: .init(status: 423), .retry),
        Row(.httpStatus, fields: .init(status: 425), .retry),
        // A login page of the network (RFC 6585).
        Row(.httpStatus, fields: .init(status: 511), .retry, .answered),
        Row(.httpStatus, fields: portal, .retry, .answered),
        // Unknown ones count as 500: those of content delivery networks, and 509.
        Row(.httpStatus, fields: .init(status: 509), .retry),
        Row(.httpStatus, fields: .init(status: 520), .retry),
        Row(.httpStatus, fields: .init(status: 530), .retry),
        Row(.httpStatus, fields: .init(status: 599), .retry),
        Row(.httpStatus, fields: .init(status: 600), .end),
        Row(.httpStatus, .end),
        // To CONNECT, while proxy or server are down for a moment.
        Row(.httpStatus, fields: .init(proxy: "http://p:3128", status: 503), .retry),
        Row(.httpStatus, fields: .init(proxy: "http://p:3128", status: 429), .retry),
        Row(.httpStatus, fields: .init(proxy: "http://p:3128", status: 403), .end),
        Row(.loginDenied, fields: .init(status: 401), .end),
    ]

    /// Nothing makes a difference to these.
    private static let final: [TransferError.Code] = [
        .other, .usage, .malformedURL, .notHTTP, .cannotReadSource, .checksumMismatch, .tooManyRedirects,
        .clientCertificate,
        .certificateRefused, .certificateUntrusted, .loginDenied, .pinMismatch, .interrupted, .terminated, .cancelled,
        .insecureRedirect,
        .repeatedCrash, .secretMissing, .destinationExists,
    ]

    private static let rows = special + final.map { Row($0, .end) }

    @Test(arguments: rows) func rowHolds(_ row: Row) {
        let verdict = FailurePolicy.verdict(row.error)
        #expect(verdict.next == row.next)
        #expect(verdict.path == row.path)
        #expect(verdict.mayBePath == (row.path != .innocent))
        #expect(verdict.countsAttempt == row.countsAttempt && verdict.isShortage == row.isShortage)
    }

    @Test func everyCauseHasARow() {
        #expect(Set(Self.rows.map(\.error.code.cause)) == Set(TransferError.Code.Cause.allCases))
    }
}
