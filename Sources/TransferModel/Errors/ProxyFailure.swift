// SPDX-License-Identifier: MIT

/// Why a SOCKS proxy made no connection (RFC 1928, sections 3 and 6; RFC 1929).
///
/// The raw value is that of the stored and wire forms.
public enum ProxyFailure: String, Sendable, Hashable, CaseIterable {
    /// This side had to look the server's name up, and found no address.
    case hostNotResolved
    /// User or password were not accepted.
    case loginRefused
    /// None of the ways of logging in that were offered is taken.
    case noAcceptableLogin
    case notAllowed
    case networkUnreachable
    case hostUnreachable
    case connectionRefused
    case timeToLiveExpired
    /// No further information from the proxy.
    case generalFailure
    /// It does not support the request.
    case notSupported
    /// It closed the connection, or stopped in the middle.
    case closed
    /// Its reply is not SOCKS.
    case notSOCKS
    case other
}
