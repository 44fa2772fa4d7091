// SPDX-License-Identifier: MIT

import CCurl
import Glibc

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

    /// Writes every jar in Netscape's format, whole or not at all. A new one is readable for its owner alone; one that was
    /// there keeps its permissions.
    func flush() {
        for (path, share) in shares {
            let temporary = path + ".new"
            guard Self.prepare(temporary, like: path) else { continue }
            write(share, to: temporary)
            // libcurl does not say whether it could write; a jar that it wrote is never empty.
            var written = stat()
            guard stat(temporary, &written) == 0, written.st_size > 0, rename(temporary, path) == 0 else {
                unlink(temporary)
                continue
            }
        }
    }

    private func write(_ share: UnsafeMutableRawPointer, to path: String) {
        guard let handle = CurlHandle() else { return }
        handle.reset()
        handle.set(CURLOPT_SHARE, pointer: share)
        handle.set(CURLOPT_COOKIEFILE, "")
        handle.set(CURLOPT_COOKIEJAR, path)
        handle.set(CURLOPT_COOKIELIST, "FLUSH")
        // Before it is freed, or it writes once more, then without the share and so without cookies.
        handle.reset()
    }

    /// libcurl takes over the permissions of the file that it replaces.
    private static func prepare(_ temporary: String, like path: String) -> Bool {
        var old = stat()
        let mode = stat(path, &old) == 0 ? old.st_mode & 0o777 : 0o600
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        fchmod(descriptor, mode)
        close(descriptor)
        return true
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
