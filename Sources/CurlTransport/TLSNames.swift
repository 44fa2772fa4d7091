// SPDX-License-Identifier: MIT

import CCurl
import Glibc

/// The names of a connection's TLS version and cipher in libcurl's TLS library.
///
/// No TLS library is linked: the functions are looked up among those that libcurl loaded. Only functions without I/O
/// are called, since libcurl's layer below TLS works only inside of libcurl's calls. Used on the engine's thread only.
struct TLSNames {
    var version: String?
    var cipher: String?

    /// - Returns: `nil` without TLS, or with an unknown library.
    init?(of handle: CurlHandle) {
        guard let session = ccurl_get_tls(handle.pointer), let connection = session.pointee.internals else {
            return nil
        }
        switch session.pointee.backend {
        case CURLSSLBACKEND_OPENSSL:
            version = Self.text(OpenSSL.version, connection)
            cipher = OpenSSL.currentCipher?(connection).flatMap {
                Self.text(OpenSSL.cipherName, UnsafeMutableRawPointer(mutating: $0))
            }
        case CURLSSLBACKEND_GNUTLS:
            version = GnuTLS.protocolVersion.flatMap { Self.text(GnuTLS.protocolName, $0(connection)) }
            cipher = Self.text(GnuTLS.cipherSuite, connection)
        default: return nil
        }
    }

    private typealias NameOfPointer = @convention(c) (UnsafeMutableRawPointer) -> UnsafePointer<CChar>?
    private typealias NameOfNumber = @convention(c) (UInt32) -> UnsafePointer<CChar>?
    private typealias PointerOfPointer = @convention(c) (UnsafeMutableRawPointer) -> UnsafeRawPointer?
    private typealias NumberOfPointer = @convention(c) (UnsafeMutableRawPointer) -> UInt32

    private enum OpenSSL {
        static let version = TLSNames.function("SSL_get_version", as: NameOfPointer.self)
        static let currentCipher = TLSNames.function("SSL_get_current_cipher", as: PointerOfPointer.self)
        static let cipherName = TLSNames.function("SSL_CIPHER_get_name", as: NameOfPointer.self)
    }

    private enum GnuTLS {
        static let protocolVersion = TLSNames.function("gnutls_protocol_get_version", as: NumberOfPointer.self)
        static let protocolName = TLSNames.function("gnutls_protocol_get_name", as: NameOfNumber.self)
        static let cipherSuite = TLSNames.function("gnutls_ciphersuite_get", as: NameOfPointer.self)
    }

    static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        // The default handle of dlsym is the null pointer here.
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }

    private static func text(_ function: NameOfPointer?, _ argument: UnsafeMutableRawPointer) -> String? {
        function?(argument).map { String(cString: $0) }
    }

    private static func text(_ function: NameOfNumber?, _ argument: UInt32) -> String? {
        function?(argument).map { String(cString: $0) }
    }
}
