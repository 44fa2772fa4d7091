// SPDX-License-Identifier: MIT

import CCurl

/// One cookie store for each jar file, shared by all exchanges that name it. Used on the engine's thread alone.
final class CookieJars {
    private var shares: [String: UnsafeMutableRawPointer] = [:]

    /// Lets `handle` read and add to the jar; the first one also reads the file.
    func attach(_ path: String, to handle: CurlHandle) {
        let isNew = shares[path] == nil
        guard let share = shares[path] ?? makeShare() else { return }
        shares[path] = share
        handle.set(CURLOPT_SHARE, pointer: share)
        handle.set(CURLOPT_COOKIEFILE, isNew ? path : "")
        // At once: an exchange that is cancelled before it begins would never read the file, and the end would write it empty.
        if isNew { handle.set(CURLOPT_COOKIELIST, "RELOAD") }
    }

    /// Writes every jar in Netscape's format: through a temporary file, so that none is ever half written. libcurl gives a
    /// new file the mode 0600.
    func flush() {
        for (path, share) in shares {
            guard let handle = CurlHandle() else { continue }
            handle.reset()
            handle.set(CURLOPT_SHARE, pointer: share)
            handle.set(CURLOPT_COOKIEJAR, path)
            handle.set(CURLOPT_COOKIELIST, "FLUSH")
            // Without the jar's name: closing a handle that still has it writes the handle's own, empty store over the file.
            handle.reset()
        }
    }

    /// Only when no handle uses a share any more.
    deinit {
        for share in shares.values { curl_share_cleanup(share) }
    }

    private func makeShare() -> UnsafeMutableRawPointer? {
        guard let share = curl_share_init() else { return nil }
        guard ccurl_share_cookies(share) == CURLSHE_OK else {
            curl_share_cleanup(share)
            return nil
        }
        return share
    }
}
