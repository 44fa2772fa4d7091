// SPDX-License-Identifier: MIT

import CCurl
import SessionCore
import TransferModel

extension ExchangeSetup {
    /// Makes `handle` open a connection without request. `CURLOPT_PRIVATE` stays empty, which distinguishes streams
    /// from exchanges.
    /// - Throws: as ``prepare(_:)``.
    func prepareStream(_ route: Exchange, _ handle: CurlHandle) throws(ExchangeFailure) {
        handle.reset()
        handle.set(CURLOPT_URL, route.url.string)
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_CONNECT_ONLY, 1)
        handle.set(CURLOPT_NOSIGNAL, 1)
        handle.set(CURLOPT_NOPROGRESS, 1)
        // Uses a tunnel also without TLS, and no ALPN.
        handle.set(CURLOPT_HTTPPROXYTUNNEL, 1)
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        handle.set(CURLOPT_SSL_ENABLE_ALPN, 0)
        setConnection(route, handle)
        try setProxy(route, handle)
        if route.url.isSecure { try setTLS(route, handle) }
        try setNetwork(route, handle)
        try handle.checkOptions()
    }
}
