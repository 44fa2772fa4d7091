// SPDX-License-Identifier: MIT

import CCurl
import SessionCore

extension ExchangeMetrics {
    /// What libcurl measured of the transfer that has just ended on `handle`.
    init(of handle: CurlHandle) {
        self.init()
        isReusedConnection = handle.long(CURLINFO_NUM_CONNECTS) == 0
        if !isReusedConnection {
            nameLookup = handle.seconds(CURLINFO_NAMELOOKUP_TIME_T)
            connect = handle.seconds(CURLINFO_CONNECT_TIME_T)
            tls = handle.seconds(CURLINFO_APPCONNECT_TIME_T)
        }
        requestSent = handle.seconds(CURLINFO_PRETRANSFER_TIME_T)
        firstByte = handle.seconds(CURLINFO_STARTTRANSFER_TIME_T)
        total = handle.seconds(CURLINFO_TOTAL_TIME_T) ?? 0
        protocolName = switch handle.long(CURLINFO_HTTP_VERSION) {
        case CURL_HTTP_VERSION_1_0: "http/1.0"
        case CURL_HTTP_VERSION_1_1: "http/1.1"
        case CURL_HTTP_VERSION_2_0: "h2"
        case CURL_HTTP_VERSION_3: "h3"
        default: nil
        }
        if let address = handle.string(CURLINFO_PRIMARY_IP), !address.isEmpty {
            let host = address.contains(":") ? "[\(address)]" : address
            remoteAddress = "\(host):\(handle.long(CURLINFO_PRIMARY_PORT))"
        }
    }
}
