// SPDX-License-Identifier: MIT

/// What an exchange over TLS demands of the server's certificate. Whatever it is, nothing of the request is sent before
/// it is met.
///
/// The two kinds of pins hold in addition, except under ``capture``.
public enum TrustDemand: Sendable, Equatable {
    /// The system's check: chain, dates and name.
    case system
    /// The system's check, and the SHA-256 of the server's own certificate (DER) must be in `approved`; if it is not,
    /// the exchange ends with ``ExchangeFailure/Cause/trustUndecided(_:)``. Where the system's check fails, it ends
    /// with libcurl's code 60 and without a chain: see ``capture``. Also a connection that is used again is held
    /// against `approved`.
    case ask(approved: Set<[UInt8]>)
    /// No check, and no request: the exchange always ends with ``ExchangeFailure/Cause/trustUndecided(_:)``, or with
    /// the failure to get so far. For showing a person what was refused. No client certificate is given out.
    case capture
    /// Neither chain, nor dates, nor name are checked, but the server must have exactly this public key: SHA-256 of its
    /// SubjectPublicKeyInfo. Its connections are never used by exchanges with another demand.
    case exception(publicKeySHA256: [UInt8])
}
