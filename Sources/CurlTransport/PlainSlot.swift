// SPDX-License-Identifier: MIT

import CCurl
import Platform
import SessionCore
import TransferModel

/// One libcurl handle that carries out one fetch after the other. Nothing is allocated for a fetch but its bodies. Used
/// on the engine's thread only.
final class PlainSlot: HandleOwner {
    let handle: CurlHandle
    /// The request that the handle is set up for; `nil`: none.
    var template: PlainTemplate?
    /// Its place among the running ones.
    var index = 0

    private(set) var key = 0
    private(set) var url = ""
    private(set) var began: (engine: Double, wall: Double) = (0, 0)
    /// An exchange is to continue the request, or to take its result.
    var isHandedOver = false
    /// libcurl's, once it has ended.
    var result: CURLcode?

    private(set) var head = PlainHead()
    /// The body of the request, to which libcurl has a pointer.
    private(set) var upload: PlainUpload?
    private var body: UnsafeMutableRawBufferPointer?
    private var received = 0
    private(set) var tlsNames: TLSNames?
    private var addresses = ExchangeMetrics.HandleAddresses()

    private let needsTask: (PlainSlot) -> Void

    /// - Parameter needsTask: called in libcurl's callback, once for a head that a task has to decide about.
    init(handle: CurlHandle, needsTask: @escaping (PlainSlot) -> Void) {
        self.handle = handle
        self.needsTask = needsTask
    }

    deinit { body?.deallocate() }

    /// Before the handle is given to libcurl.
    /// - Returns: false where the body is not what was expected, or an option found no memory.
    func begin(_ fetch: PlainFetch, at now: (engine: Double, wall: Double)) -> Bool {
        if let upload = fetch.upload {
            guard let bytes = upload.load() else { return false }
            handle.setBody(bytes)
        }
        upload = fetch.upload
        (key, url, began) = (fetch.key, fetch.url, now)
        (isHandedOver, result, received, tlsNames) = (false, nil, 0, nil)
        body?.deallocate()
        body = nil
        head.begin(
            isSecure: template?.exchange.url.isSecure == true, isOfUpload: upload != nil,
            knownPolicy: template?.securityPolicy)
        handle.set(CURLOPT_URL, fetch.url)
        return !handle.lacksOption
    }

    /// After libcurl has ended with the handle: closes the file of an upload.
    func releaseUpload() { upload = nil }

    func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        handle.set(CURLOPT_PRIVATE, pointer: Unmanaged<HandleOwner>.passUnretained(self).toOpaque())
        handle.set(CURLOPT_WRITEDATA, pointer: context)
        handle.set(CURLOPT_HEADERDATA, pointer: context)
        ccurl_set_data_function(handle.pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            return Unmanaged<PlainSlot>.fromOpaque(context).takeUnretainedValue()
                .bodyArrived(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        ccurl_set_data_function(handle.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            return Unmanaged<PlainSlot>.fromOpaque(context).takeUnretainedValue()
                .headerArrived(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
    }

    private func headerArrived(_ line: UnsafeRawBufferPointer) -> Int {
        if head.bytes.isEmpty, template?.exchange.url.isSecure == true, handle.long(CURLINFO_NUM_CONNECTS) > 0 {
            tlsNames = TLSNames(of: handle)
        }
        let before = head.verdict
        guard head.take(line) else { return 0 }
        guard head.verdict != before else { return line.count }
        switch head.verdict {
        case .plain(let length):
            if let upload, handle.bytesUploaded < upload.size {
                // The response does not wait for the body.
                head.demandTask()
                needsTask(self)
            } else if body == nil {
                body = .allocate(byteCount: length, alignment: 1)
            }
        case .other:
            // The end of an empty body may follow at once.
            if template?.exchange.url.isSecure == true { handle.watchEndOfTLS() }
            needsTask(self)
        case .incomplete: break
        }
        return line.count
    }

    private func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> Int {
        // It waits for the exchange that continues the request.
        guard let body, case .plain = head.verdict else { return ccurl_write_pause }
        guard received + bytes.count <= body.count else { return 0 }
        if let source = bytes.baseAddress {
            (body.baseAddress! + received).copyMemory(from: source, byteCount: bytes.count)
        }
        received += bytes.count
        return bytes.count
    }

    /// The response's body as far as it is here.
    var bodyBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(body ?? .init(start: nil, count: 0))[..<received])
    }

    /// The whole response, once libcurl has ended without failure; `nil` where a task has to decide about it.
    func takeResult() -> FetchReport? {
        guard case .plain(let length) = head.verdict, received == length, let body else { return nil }
        var metrics = ExchangeMetrics(of: handle, &addresses)
        metrics.began = began.wall
        metrics.tlsVersion = tlsNames?.version
        metrics.tlsCipher = tlsNames?.cipher
        if upload != nil {
            metrics.bodySent = metrics.requestSent
            return .sent(key, metrics, location: head.location)
        }
        self.body = nil
        return .finished(key, FetchedFile(body: body, modified: head.modified, metrics: metrics))
    }
}

/// The request of many fetches.
final class PlainTemplate {
    let exchange: Exchange
    let receiver: any PlainFetchReceiver
    /// The first `Strict-Transport-Security` line that came: a task has taken note of it.
    var securityPolicy: [UInt8]?

    init(_ exchange: Exchange, _ receiver: any PlainFetchReceiver) {
        (self.exchange, self.receiver) = (exchange, receiver)
    }
}
