// SPDX-License-Identifier: MIT

import CCurl
import SessionCore

extension ExchangeFailure {
    /// What libcurl's verdict on `handle` means; `nil` where there is nothing wrong.
    init?(_ code: CURLcode, on handle: CurlHandle, connectTimeout: Double) {
        guard code != CURLE_OK else { return nil }
        if code == CURLE_OPERATION_TIMEDOUT {
            self.init(.connectTimeout(seconds: connectTimeout))
        } else {
            let text = handle.errorMessage
            let errno = Int32(truncatingIfNeeded: handle.long(CURLINFO_OS_ERRNO))
            self.init(.curl(code: Int32(code.rawValue), errno: errno),
                      detail: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text)
        }
    }
}
