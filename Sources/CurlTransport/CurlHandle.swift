// SPDX-License-Identifier: MIT

import CCurl
import SessionCore
import TransferModel

/// The owner of a handle, to which `CURLOPT_PRIVATE` points.
class HandleOwner {}

/// Owns a `CURL *` and the memory that libcurl keeps pointers to. Used on the engine's thread only, and reused.
final class CurlHandle {
    let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var routeList: UnsafeMutablePointer<curl_slist>?
    /// Whether an option is missing since the last reset, for want of memory: the request would be another one.
    private(set) var lacksOption = false
    /// As of libcurl's last call, see ``watchEndOfTLS()``.
    private(set) var hasCloseNotify: Bool?

    /// - Returns: `nil` if out of memory.
    init?() {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headerList)
        curl_slist_free_all(routeList)
        errorText.deallocate()
    }

    /// Resets to defaults; connections, names and TLS sessions stay with the multi handle.
    func reset() {
        curl_easy_reset(pointer)
        // A reset keeps the share, and with it the cookies of the previous exchange.
        ccurl_set_pointer(pointer, CURLOPT_SHARE, nil)
        curl_slist_free_all(headerList)
        headerList = nil
        curl_slist_free_all(routeList)
        routeList = nil
        lacksOption = false
        hasCloseNotify = nil
        errorText[0] = 0
        ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
    }

    /// libcurl's text for the last failure; empty if it has none.
    var errorMessage: String { String(cString: errorText) }

    // An option that this libcurl does not know is left out; ``checkOptions()`` reports one that found no memory.

    func set(_ option: CURLoption, _ value: Int) { note(ccurl_set_long(pointer, option, value)) }
    func setOffset(_ option: CURLoption, _ value: Int64) { note(ccurl_set_offset(pointer, option, curl_off_t(value))) }
    func set(_ option: CURLoption, _ value: String) { note(ccurl_set_string(pointer, option, value)) }
    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) {
        note(ccurl_set_pointer(pointer, option, value))
    }

    /// Takes note of libcurl's result for an option.
    func note(_ code: CURLcode) { if code == CURLE_OUT_OF_MEMORY { lacksOption = true } }

    /// Before the handle is given to libcurl.
    /// - Throws: if an option is missing for want of memory.
    func checkOptions() throws(ExchangeFailure) { if lacksOption { throw .outOfMemory } }

    /// Sends `bytes`, which must stay, with the head in one piece if they are few; the method is set apart.
    func setBody(_ bytes: UnsafeRawBufferPointer) {
        ccurl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
        ccurl_set_pointer(pointer, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    /// Has ``hasCloseNotify`` noted from now on: libcurl reports progress a last time before it closes a connection,
    /// and the end of the transfer only afterwards.
    func watchEndOfTLS() {
        TLSEnd.demandCloseNotify(self)
        set(CURLOPT_XFERINFODATA, pointer: Unmanaged.passUnretained(self).toOpaque())
        ccurl_set_progress_function(pointer) { context, _, _, _, _ in
            guard let context else { return 0 }
            let handle = Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
            handle.hasCloseNotify = TLSEnd.hasCloseNotify(handle)
            return 0
        }
        set(CURLOPT_NOPROGRESS, 0)
    }

    /// As ``set(_:_:)-(_,String)``, for options that the exchange cannot do without.
    /// - Parameter what: the option's name in the failure.
    func demand(_ option: CURLoption, _ value: String, _ what: String) throws(ExchangeFailure) {
        try Self.check(ccurl_set_string(pointer, option, value), what)
    }

    func demand(_ option: CURLoption, _ value: Int, _ what: String) throws(ExchangeFailure) {
        try Self.check(ccurl_set_long(pointer, option, value), what)
    }

    private static func check(_ code: CURLcode, _ what: String) throws(ExchangeFailure) {
        guard code != CURLE_OK else { return }
        throw ExchangeFailure(
            .misconfigured(.other),
            problem: .init(
                .optionRefused, what, CurlTransport.libraryVersion,
                TextLine.first(of: String(cString: curl_easy_strerror(code)))))
    }

    /// - Parameter lines: `Name: value`; `Name:` removes a field of libcurl, `Name;` sends an empty one.
    func setHeaders(_ lines: [String]) {
        for line in lines {
            guard let longer = curl_slist_append(headerList, line) else {
                lacksOption = true
                return
            }
            headerList = longer
        }
        note(ccurl_set_list(pointer, CURLOPT_HTTPHEADER, headerList))
    }

    /// Connects there, whatever host and port the URL has.
    func setRoute(host: String, port: Int) {
        let route = "::\(host.contains(":") ? "[\(host)]" : host):\(port)"
        guard let longer = curl_slist_append(routeList, route) else {
            lacksOption = true
            return
        }
        routeList = longer
        note(ccurl_set_list(pointer, CURLOPT_CONNECT_TO, routeList))
    }

    func long(_ info: CURLINFO) -> Int { ccurl_get_long(pointer, info) }
    /// Bytes of the request body given to the connection, including chunk framing.
    var bytesUploaded: Int64 { Int64(ccurl_get_offset(pointer, CURLINFO_SIZE_UPLOAD_T)) }
    func string(_ info: CURLINFO) -> String? { ccurl_get_string(pointer, info).map { String(cString: $0) } }

    /// A libcurl time in microseconds from the start; `nil` for 0: the stage did not occur.
    func seconds(_ info: CURLINFO) -> Double? {
        let value = ccurl_get_offset(pointer, info)
        return value > 0 ? Double(value) / 1e6 : nil
    }
}
