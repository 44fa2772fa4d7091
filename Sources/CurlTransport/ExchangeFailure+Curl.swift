// SPDX-License-Identifier: MIT

import CCurl
import SessionCore

extension ExchangeFailure {
    /// What libcurl's verdict on `handle` means; `nil` where there is nothing wrong.
    init?(_ code: CURLcode, on handle: CurlHandle, connectTimeout: Double) {
        guard code != CURLE_OK else { return nil }
        if code == CURLE_OPERATION_TIMEDOUT {
            self.init(.connectTimeout(seconds: connectTimeout))
        } else if code == CURLE_PROXY {
            self.init(.proxyFailed(ProxyFailure(CURLproxycode(UInt32(handle.long(CURLINFO_PROXY_ERROR))))), detail: handle.errorMessage)
        } else {
            let text = handle.errorMessage
            let errno = Int32(truncatingIfNeeded: handle.long(CURLINFO_OS_ERRNO))
            self.init(.curl(code: Int32(code.rawValue), errno: errno),
                      detail: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text)
        }
    }
}

extension ProxyFailure {
    /// `CURLINFO_PROXY_ERROR`.
    init(_ code: CURLproxycode) {
        self = switch code {
        case CURLPX_RESOLVE_HOST: .hostNotResolved
        case CURLPX_USER_REJECTED, CURLPX_IDENTD, CURLPX_IDENTD_DIFFER: .loginRefused
        case CURLPX_NO_AUTH, CURLPX_GSSAPI, CURLPX_GSSAPI_PERMSG, CURLPX_GSSAPI_PROTECTION, CURLPX_LONG_PASSWD, CURLPX_LONG_USER: .noAcceptableLogin
        case CURLPX_REPLY_NOT_ALLOWED: .notAllowed
        case CURLPX_REPLY_NETWORK_UNREACHABLE: .networkUnreachable
        case CURLPX_REPLY_HOST_UNREACHABLE: .hostUnreachable
        case CURLPX_REPLY_CONNECTION_REFUSED: .connectionRefused
        case CURLPX_REPLY_TTL_EXPIRED: .timeToLiveExpired
        case CURLPX_REPLY_GENERAL_SERVER_FAILURE, CURLPX_REQUEST_FAILED: .generalFailure
        case CURLPX_REPLY_COMMAND_NOT_SUPPORTED, CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED, CURLPX_LONG_HOSTNAME: .notSupported
        case CURLPX_CLOSED, CURLPX_RECV_ADDRESS, CURLPX_RECV_AUTH, CURLPX_RECV_CONNECT, CURLPX_RECV_REQACK, CURLPX_SEND_AUTH,
            CURLPX_SEND_CONNECT, CURLPX_SEND_REQUEST: .closed
        case CURLPX_BAD_VERSION, CURLPX_BAD_ADDRESS_TYPE, CURLPX_UNKNOWN_MODE: .notSOCKS
        default: .other
        }
    }
}
