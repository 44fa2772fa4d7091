// SPDX-License-Identifier: MIT

import CCurl
import SessionCore

/// All streams of an engine. Used on its thread only.
///
/// libcurl makes the connection and leaves it to the caller (`CURLOPT_CONNECT_ONLY`); the handle must stay in the multi
/// handle for reading and writing. Removing it closes the connection.
final class EngineStreams {
    private let multi: UnsafeMutableRawPointer
    private let setup: ExchangeSetup
    private var running: [StreamID: RunningStream] = [:]
    private var byHandle: [UnsafeMutableRawPointer: StreamID] = [:]
    /// The polled streams, in the order of ``waits()``.
    private var waiting: [StreamID] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    init(multi: UnsafeMutableRawPointer, setup: ExchangeSetup) {
        self.multi = multi
        self.setup = setup
    }

    deinit { buffer.deallocate() }

    func obey(_ command: StreamCommand) {
        switch command {
        case .open(let id, let route, let handler): open(id, route, handler)
        case .read(let id, let maximum): with(id) { $0.startReading(maximum, buffer: buffer) }
        case .write(let id, let bytes): with(id) { $0.startWriting(bytes) }
        case .closeWriting(let id): running[id]?.closeWriting()
        case .close(let id): _ = remove(id)
        }
    }

    private func open(_ id: StreamID, _ route: Exchange, _ handler: any StreamHandler) {
        guard let handle = CurlHandle() else { return handler.stream(id, didFail: .outOfMemory) }
        do throws(ExchangeFailure) { try setup.prepareStream(route, handle) } catch {
            return handler.stream(id, didFail: error)
        }
        running[id] = RunningStream(id: id, route: route, handler: handler, handle: handle)
        byHandle[handle.pointer] = id
        let code = curl_multi_add_handle(multi, handle.pointer)
        if code != CURLM_OK { fail(id, ExchangeFailure(CURLE_FAILED_INIT)) }
    }

    /// libcurl has connected, or failed.
    func connected(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard let id = byHandle[handle] else { return }
        with(id) { $0.failure(code) ?? $0.open() }
    }

    /// The descriptors to poll for the streams.
    func waits() -> [curl_waitfd] {
        waiting.removeAll(keepingCapacity: true)
        guard !running.isEmpty else { return [] }
        return running.values.compactMap { stream in
            guard let wait = stream.wait else { return nil }
            waiting.append(stream.id)
            return wait
        }
    }

    /// - Parameter polled: the result of ``waits()``, after polling.
    func proceed(_ polled: ArraySlice<curl_waitfd>) {
        for (id, wait) in zip(waiting, polled) where wait.revents != 0 { with(id) { $0.proceed(buffer) } }
    }

    /// Streams end with the engine.
    func end() {
        for id in Array(running.keys) { fail(id, ExchangeFailure(.cancelled)) }
    }

    /// As ``end()``, without calling handlers.
    func quit() {
        for id in Array(running.keys) { _ = remove(id) }
    }

    private func with(_ id: StreamID, _ body: (RunningStream) -> ExchangeFailure?) {
        guard let stream = running[id], let failure = body(stream) else { return }
        fail(id, failure)
    }

    private func fail(_ id: StreamID, _ failure: ExchangeFailure) {
        remove(id)?.handler.stream(id, didFail: failure)
    }

    private func remove(_ id: StreamID) -> RunningStream? {
        guard let stream = running.removeValue(forKey: id) else { return nil }
        byHandle[stream.handle.pointer] = nil
        curl_multi_remove_handle(multi, stream.handle.pointer)
        return stream
    }
}
