// SPDX-License-Identifier: MIT

import CCurl
import TransferModel

/// Which HTTP version to offer, given what is known of this libcurl. Pure.
///
/// Before 8.4.0 a stream that is paused while it ends may be reported whole though it is not, and uploads may stall;
/// 8.16.0 fails paused streams. There HTTP/2 is used only when asked for by name.
struct HTTPVersionPolicy {
    /// `LIBCURL_VERSION_NUM` of the library loaded at run time.
    var libraryVersion: UInt32

    var isHTTP2Sound: Bool { libraryVersion >= 0x080400 && libraryVersion != 0x081000 }

    /// The value of `CURLOPT_HTTP_VERSION`.
    func option(for wish: TransferOptions.HTTPVersion) -> Int {
        switch wish {
        case .http1: CURL_HTTP_VERSION_1_1
        // Without TLS an upgrade would be needed, which hardly any server speaks.
        case .http2: CURL_HTTP_VERSION_2TLS
        case .automatic: isHTTP2Sound ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        }
    }
}
