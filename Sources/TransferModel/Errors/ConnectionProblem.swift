// SPDX-License-Identifier: MIT

/// Why a request got no response, or none that can be used. ``TransferError/Fields/host`` is the server,
/// ``TransferError/Fields/proxy`` the proxy.
public enum ConnectionProblem: Sendable, Hashable {
    /// The code, the `errno` and the transport's number say how.
    case failed
    /// In the words of the transport.
    case reported(String)
    /// As ``failed``, where TLS may have been wanted.
    case withoutTLS
    case requestTimeout(seconds: Double, received: Int64, sent: Int64)
    /// After the last byte of the request.
    case responseTimeout(seconds: Double, sent: Int64)
    case connectTimeout(seconds: Double)
    case resourceTimeout(seconds: Double, received: Int64, sent: Int64)

    /// ``TransferError/Fields/status`` is the response to `CONNECT`.
    case proxyRefused
    case proxyFailed(ProxyFailure)
    /// In an environment variable.
    case proxyVariable(name: String, InvalidValue.ProxyProblem)

    /// The server does not speak TLS.
    case notTLS
    case noTLSVersion
    case closedDuringTLS
    /// A body without a length ended with the connection, and TLS did not: it may have been cut (RFC 9112, section
    /// 9.8).
    case withoutCloseNotify
    case certificateUnreadable
    /// By the program or the user.
    case certificateNotApproved(CertificateProblem?)
    case certificateNotPinned
    /// The key of an exception is not one of the pins.
    case exceptionNotPinned
    /// A pin without https.
    case pinWithoutTLS
    case clientCertificateRequired
    /// - Parameter alert: of TLS.
    case clientCertificateRefused(alert: String)
    case clientCertificateUnreadable(path: String, errno: Int32)
    case clientKeyUnreadable(path: String, errno: Int32)
    /// The user declined the certificate in ``TransferError/Fields/certificate``.
    case certificateDeclined

    /// The user declined to log in.
    case loginDeclined(realm: String?)
    /// The password was sent unencrypted.
    case passwordInClearText
    case bearerToken
    case userName
    case proxyScheme
    case socksScheme
    /// libcurl lacks the scheme.
    case schemeNotBuiltIn(scheme: String, libraryVersion: String)

    case headTooLarge
    case contentLength
    /// The program refused the response.
    case responseRefused
    case noResponse
    case unrequestedResponse
    case tooManyRedirects(maximum: Int)
    /// From https to http.
    case insecureRedirect(to: String)
    case redirectToNoURL
    case redirectToInvalidURL(InvalidValue.URLProblem)

    /// The transfer may not use the network, for the reason in ``TransferError/Fields/wait``.
    case networkForbidden
    /// Neither an interface nor an address.
    case noInterface(String)
    case tlsLimits(lowest: String, highest: String)
    /// Of libcurl, in its words.
    case optionRefused(String, libraryVersion: String, reason: String)
    case libraryNotStarted
    case noFreeDescriptor
    case programEnds
}
