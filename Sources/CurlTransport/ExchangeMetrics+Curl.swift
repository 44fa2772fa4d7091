// SPDX-License-Identifier: MIT

import CCurl
import CLinux
import Glibc
import SessionCore
import TransferModel

extension ExchangeMetrics {
    /// libcurl's measurements of the transfer that has just ended on `handle`. The owner adds what needs the clock or
    /// the callbacks.
    init(of handle: CurlHandle) {
        var addresses = HandleAddresses()
        self.init(of: handle, &addresses)
    }

    /// - Parameter addresses: of earlier transfers.
    init(of handle: CurlHandle, _ addresses: inout HandleAddresses) {
        self.init()
        let newConnections = handle.long(CURLINFO_NUM_CONNECTS)
        requestSent = handle.seconds(CURLINFO_PRETRANSFER_TIME_T)
        firstByte = handle.seconds(CURLINFO_STARTTRANSFER_TIME_T)
        total = handle.seconds(CURLINFO_TOTAL_TIME_T) ?? 0
        let status = handle.long(CURLINFO_RESPONSE_CODE)
        self.status = status > 0 ? status : nil
        protocolName =
            switch handle.long(CURLINFO_HTTP_VERSION) {
            case CURL_HTTP_VERSION_1_0: "http/1.0"
            case CURL_HTTP_VERSION_1_1: "http/1.1"
            case CURL_HTTP_VERSION_2_0: "h2"
            case CURL_HTTP_VERSION_3: "h3"
            default: nil
            }
        if let address = addresses.remote.text(ccurl_get_string(handle.pointer, CURLINFO_PRIMARY_IP)) {
            remoteAddress = address
            remotePort = handle.long(CURLINFO_PRIMARY_PORT)
            isReusedConnection = newConnections == 0
        }
        if let address = addresses.local.text(ccurl_get_string(handle.pointer, CURLINFO_LOCAL_IP)) {
            localAddress = address
            localPort = handle.long(CURLINFO_LOCAL_PORT)
        }
        if !isReusedConnection {
            nameLookup = handle.seconds(CURLINFO_NAMELOOKUP_TIME_T)
            connect = handle.seconds(CURLINFO_CONNECT_TIME_T)
            tls = handle.seconds(CURLINFO_APPCONNECT_TIME_T)
            if newConnections > 0 { isMultipath = clinux_is_multipath(ccurl_get_socket(handle.pointer)) == 1 }
        }
        requestHeaderBytes = Int64(handle.long(CURLINFO_REQUEST_SIZE))
        responseHeaderBytes = Int64(handle.long(CURLINFO_HEADER_SIZE))
        requestBodyBytesSent = Int64(ccurl_get_offset(handle.pointer, CURLINFO_SIZE_UPLOAD_T))
        responseBodyBytesReceived = Int64(ccurl_get_offset(handle.pointer, CURLINFO_SIZE_DOWNLOAD_T))
    }

    /// The ends of the last connection as texts, which are usually those of the next one.
    struct HandleAddresses {
        struct Address {
            private var last = ""

            /// - Returns: `nil` without an address.
            mutating func text(_ address: UnsafePointer<CChar>?) -> String? {
                guard let address, address.pointee != 0 else { return nil }
                if last.utf8.count == strlen(address), last.withCString({ strcmp($0, address) }) == 0 { return last }
                last = String(cString: address)
                return last
            }
        }

        var remote = Address()
        var local = Address()
    }

    /// Whether a proxy was used.
    static func usedProxy(_ handle: CurlHandle, _ exchange: Exchange, port: Int?) -> Bool {
        let reported = ccurl_used_proxy(handle.pointer)
        if reported >= 0 { return reported == 1 }
        if handle.long(CURLINFO_HTTP_CONNECTCODE) > 0 { return true }
        guard !exchange.url.isSecure, exchange.alternative == nil, let port else { return false }
        return port != exchange.url.port
    }
}
