// SPDX-License-Identifier: MIT

/// Why a SOCKS proxy made no connection (RFC 1928, sections 3 and 6; RFC 1929).
///
/// The raw value is that of the stored and wire forms.
public enum ProxyFailure: String, Sendable, Hashable, CaseIterable {
    /// This side had to look the server's name up, and found no address.
    case hostNotResolved
    /// None of the ways of logging in that were offered is taken.
    case noAcceptableLogin
    /// The proxy closed the connection, or stopped in the middle.
    case closed
    case loginRefused, notAllowed, networkUnreachable, hostUnreachable, connectionRefused, timeToLiveExpired
    case generalFailure, notSupported, notSOCKS, other
}
