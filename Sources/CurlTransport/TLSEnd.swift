// SPDX-License-Identifier: MIT

import CCurl

/// Whether TLS ended with close_notify: without it, a body whose end is that of the connection may have been cut by
/// anyone on the way (RFC 9112, section 9.8).
///
/// With GnuTLS, or in its latest versions, libcurl reports the lack. With OpenSSL older ones tolerate it: the state of
/// the connection is read before libcurl closes it, as ``TLSNames`` does. Used on the engine's thread only.
enum TLSEnd {
    /// - Returns: whether the current connection of `handle` has received close_notify; `nil`: without OpenSSL.
    static func hasCloseNotify(_ handle: CurlHandle) -> Bool? {
        guard let connection = connection(of: handle), let shutdown else { return nil }
        return shutdown(connection) & receivedShutdown != 0
    }

    /// libcurl makes OpenSSL 3 take the end of TCP for that of TLS.
    static func demandCloseNotify(_ handle: CurlHandle) {
        if let connection = connection(of: handle) { _ = clearOptions?(connection, ignoreUnexpectedEOF) }
    }

    private static func connection(of handle: CurlHandle) -> UnsafeMutableRawPointer? {
        guard let session = ccurl_get_tls(handle.pointer), session.pointee.backend == CURLSSLBACKEND_OPENSSL else {
            return nil
        }
        return session.pointee.internals
    }

    private typealias NumberOfPointer = @convention(c) (UnsafeMutableRawPointer) -> Int32
    private typealias ChangeOfNumber = @convention(c) (UnsafeMutableRawPointer, UInt64) -> UInt64

    private static let shutdown = TLSNames.function("SSL_get_shutdown", as: NumberOfPointer.self)
    private static let clearOptions = TLSNames.function("SSL_clear_options", as: ChangeOfNumber.self)
    /// `SSL_RECEIVED_SHUTDOWN`
    private static let receivedShutdown: Int32 = 2
    /// `SSL_OP_IGNORE_UNEXPECTED_EOF` of OpenSSL 3
    private static let ignoreUnexpectedEOF: UInt64 = 1 << 7
}
