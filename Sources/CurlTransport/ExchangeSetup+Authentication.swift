// SPDX-License-Identifier: MIT

import CCurl
import SessionCore
import TransferModel

extension ExchangeSetup {
    func setAuthentication(_ exchange: Exchange, _ handle: CurlHandle) throws(ExchangeFailure) {
        switch exchange.authentication {
        case .none: return
        case .bearer(let token):
            // libcurl inserts it into a field unchanged.
            guard !token.value.isEmpty, token.value.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw ExchangeFailure(.misconfigured(.usage), problem: .init(.bearerToken))
            }
            try handle.demand(CURLOPT_XOAUTH2_BEARER, token.value, "a bearer token")
            try handle.demand(CURLOPT_HTTPAUTH, ccurl_auth_bearer, "bearer authentication")
        case .basic, .digest, .ntlm, .negotiate:
            let (credential, scheme) = try Self.scheme(exchange.authentication)
            try handle.demand(CURLOPT_USERNAME, credential.user, "a user name")
            try handle.demand(CURLOPT_PASSWORD, credential.password, "a password")
            try handle.demand(CURLOPT_HTTPAUTH, scheme, "authentication")
        }
        bindConnection(exchange.authentication, handle)
    }

    /// Schemes that authenticate a connection instead of a request. HTTP/2 does not support them. Their connections
    /// serve one exchange: for Negotiate libcurl does not track the identity, and for the second step of NTLM it may
    /// reuse a connection that another exchange has authenticated, even if a fresh one is requested.
    func bindConnection(_ authentication: Exchange.Authentication, _ handle: CurlHandle) {
        switch authentication {
        case .none, .basic, .digest, .bearer: break
        case .ntlm, .negotiate:
            handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
            handle.set(CURLOPT_FRESH_CONNECT, 1)
            handle.set(CURLOPT_FORBID_REUSE, 1)
        }
    }

    /// libcurl's bit for a scheme with user and password, if supported.
    static func scheme(_ authentication: Exchange.Authentication) throws(ExchangeFailure) -> (Credential, Int) {
        switch authentication {
        case .basic(let credential): return (credential, ccurl_auth_basic)
        case .digest(let credential):
            guard credential.user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
                throw ExchangeFailure(.misconfigured(.usage), problem: .init(.userName))
            }
            return (credential, ccurl_auth_digest)
        case .ntlm(let credential):
            try require(CURL_VERSION_NTLM, "NTLM")
            return (credential, ccurl_auth_ntlm)
        case .negotiate:
            try require(CURL_VERSION_SPNEGO, "Negotiate (Kerberos)")
            // An empty name makes libcurl use the system's tickets.
            return (Credential(user: "", password: ""), ccurl_auth_negotiate)
        case .none, .bearer:
            throw ExchangeFailure(.misconfigured(.usage), problem: .init(.proxyScheme))
        }
    }

    private static func require(_ feature: Int32, _ name: String) throws(ExchangeFailure) {
        guard ccurl_version().pointee.features & feature == 0 else { return }
        throw ExchangeFailure(
            .misconfigured(.other),
            problem: .init(.schemeNotBuiltIn, name, CurlTransport.libraryVersion))
    }
}
