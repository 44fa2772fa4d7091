// SPDX-License-Identifier: MIT

import CCurl
import SessionCore
import TransferModel

extension ExchangeSetup {
    func setProxy(_ exchange: Exchange, _ handle: CurlHandle) throws(ExchangeFailure) {
        guard let proxy = exchange.proxy else {
            // Otherwise libcurl reads the environment.
            handle.set(CURLOPT_PROXY, "")
            return
        }
        try handle.demand(CURLOPT_PROXY, proxy.description, "the proxy \(proxy)")
        handle.set(CURLOPT_NOPROXY, "")
        if proxy.scheme == .https {
            // The server's authorities do not apply to the proxy.
            if let file = configuration.certificateFile {
                try handle.demand(CURLOPT_PROXY_CAINFO, file, "the certificate file")
            }
            if let folder = configuration.certificateFolder {
                try handle.demand(CURLOPT_PROXY_CAPATH, folder, "the certificate folder")
            }
        }
        try setProxyAuthentication(exchange, proxy, handle)
    }

    private func setProxyAuthentication(
        _ exchange: Exchange, _ proxy: ProxyServer, _ handle: CurlHandle
    ) throws(ExchangeFailure) {
        var authentication = exchange.proxyAuthentication
        if authentication == .none {
            guard let own = proxy.credential else { return }
            authentication = .basic(own)
        }
        let (credential, scheme) = try Self.scheme(authentication)
        try handle.demand(CURLOPT_PROXYUSERNAME, credential.user, "a proxy's user name")
        try handle.demand(CURLOPT_PROXYPASSWORD, credential.password, "a proxy's password")
        if proxy.scheme.isSOCKS {
            guard case .basic = authentication else {
                throw ExchangeFailure(.misconfigured(.usage), problem: .init(.socksScheme))
            }
            return
        }
        try handle.demand(CURLOPT_PROXYAUTH, scheme, "a proxy's authentication")
        bindConnection(authentication, handle)
    }
}

extension Exchange {
    /// Whether the request goes through a CONNECT tunnel.
    var opensTunnel: Bool { url.isSecure && proxy.map { !$0.scheme.isSOCKS } ?? false }
}
