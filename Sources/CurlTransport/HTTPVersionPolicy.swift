// SPDX-License-Identifier: MIT

import CCurl
import TransferModel

/// Which HTTP version to offer with this libcurl. No I/O.
///
/// Before 8.4.0 a stream paused at its end may be reported as complete when it is not, and uploads may stall; 8.16.0
/// fails paused streams. With these, HTTP/2 is used only on explicit request.
struct HTTPVersionPolicy {
    /// `LIBCURL_VERSION_NUM` of the library loaded at run time.
    var libraryVersion: UInt32
    /// Whether the loaded libcurl was built with HTTP/3.
    var hasHTTP3 = false

    /// The policy for the loaded libcurl.
    static let loaded = HTTPVersionPolicy(
        libraryVersion: ccurl_version().pointee.version_num,
        hasHTTP3: ccurl_version().pointee.features & CURL_VERSION_HTTP3 != 0)

    var isHTTP2Sound: Bool { libraryVersion >= 0x080400 && libraryVersion != 0x081000 }

    /// The value of `CURLOPT_HTTP_VERSION`.
    /// - Parameters:
    ///   - isSecure: HTTP/3 needs TLS, and libcurl rejects it without.
    ///   - assumesHTTP3: try it first if the transport may choose the version.
    func option(for requested: TransferOptions.HTTPVersion, isSecure: Bool = true, assumesHTTP3: Bool = false) -> Int {
        switch requested {
        case .http1: CURL_HTTP_VERSION_1_1
        // Without TLS it needs an upgrade, which hardly any server supports.
        case .http2: CURL_HTTP_VERSION_2TLS
        // libcurl falls back to TCP automatically.
        case .http3 where hasHTTP3 && isSecure: CURL_HTTP_VERSION_3
        case .automatic where assumesHTTP3 && hasHTTP3 && isSecure: CURL_HTTP_VERSION_3
        case .automatic, .http3: isHTTP2Sound ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        }
    }

    /// Whether exchanges may share a connection under `option`, so that waiting for a connection pays off.
    static func multiplexes(_ option: Int, isSecure: Bool) -> Bool { isSecure && option != CURL_HTTP_VERSION_1_1 }

    /// `CURLOPT_STREAM_WEIGHT` for a priority from 0 to 1 (RFC 7540, section 5.3.2).
    static func streamWeight(_ priority: Double) -> Int {
        priority.isFinite ? 1 + Int((min(1, max(0, priority)) * 255).rounded()) : 16
    }
}
