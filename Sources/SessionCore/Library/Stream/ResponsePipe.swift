// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
import TransferModel

/// A response body as a stream, for a data task that became a ``StreamTask``. Read-only.
///
/// Buffers about a megabyte: beyond that the exchange is paused until some of it was read.
final class ResponsePipe: StreamTransport {
    private struct Guarded {
        var buffer: [UInt8] = []
        var handler: (any StreamHandler)?
        var wanted: Int?
        var isPaused = false
        var ending: End?
    }

    private enum End {
        case whole
        case failed(TransferError)
    }

    private enum Act {
        case none
        case read([UInt8], isPauseOver: Bool)
        case fail(TransferError)
    }

    private static let capacity = 1 << 20
    private static let id = StreamID(rawValue: 0)
    private let guarded = Mutex(Guarded())
    private let queue = DispatchQueue(label: "fileq.session.pipe")
    private let setPaused: @Sendable (Bool) -> Void
    private let cancel: @Sendable () -> Void

    /// - Parameters:
    ///   - setPaused: pauses or resumes the exchange; one call at a time.
    ///   - cancel: the reader is gone.
    init(setPaused: @escaping @Sendable (Bool) -> Void, cancel: @escaping @Sendable () -> Void) {
        self.setPaused = setPaused
        self.cancel = cancel
    }

    // MARK: The exchange's side

    func received(_ bytes: [UInt8]) {
        guarded.withLock { $0.buffer += bytes }
        queue.async {
            self.hold()
            self.serve()
        }
    }

    /// On the queue, like the release: neither overtakes the other.
    private func hold() {
        let mustPause = guarded.withLock { guarded in
            guard guarded.buffer.count > Self.capacity, !guarded.isPaused else { return false }
            guarded.isPaused = true
            return true
        }
        if mustPause { setPaused(true) }
    }

    func ended(_ error: TransferError?) {
        guarded.withLock { $0.ending = error.map { .failed($0) } ?? .whole }
        queue.async { self.serve() }
    }

    /// On the queue: completes the pending read, if possible.
    private func serve() {
        let (act, handler) = guarded.withLock { guarded -> (Act, (any StreamHandler)?) in
            guard let wanted = guarded.wanted, let handler = guarded.handler else { return (.none, nil) }
            if guarded.buffer.isEmpty {
                switch guarded.ending {
                case nil: return (.none, nil)
                case .failed(let error): return (.fail(error), handler)
                case .whole: break
                }
            }
            guarded.wanted = nil
            let piece = Array(guarded.buffer.prefix(wanted))
            guarded.buffer.removeFirst(piece.count)
            let isPauseOver = guarded.isPaused && guarded.buffer.count < Self.capacity / 2
            if isPauseOver { guarded.isPaused = false }
            return (.read(piece, isPauseOver: isPauseOver), handler)
        }
        switch act {
        case .none: break
        case .read(let piece, let isPauseOver):
            if isPauseOver { setPaused(false) }
            handler?.stream(Self.id, didRead: piece)
        case .fail(let error):
            handler?.stream(Self.id, didFail: ExchangeFailure(.misconfigured(error.code), detail: error.message))
        }
    }

    // MARK: The stream's side

    func openStream(_ route: Exchange, handler: any StreamHandler) -> StreamID {
        guarded.withLock { $0.handler = handler }
        queue.async { handler.streamDidOpen(Self.id) }
        return Self.id
    }

    func readStream(_ id: StreamID, maximum: Int) {
        guarded.withLock { $0.wanted = maximum }
        queue.async { self.serve() }
    }

    func writeStream(_ id: StreamID, _ bytes: [UInt8]) {
        let handler = guarded.withLock { $0.handler }
        let failure = ExchangeFailure(.misconfigured(.usage), detail: TransferError(.sessionBodyIsReadOnly).message)
        queue.async { handler?.stream(id, didFail: failure) }
    }

    func closeStreamWriting(_ id: StreamID) {
        let handler = guarded.withLock { $0.handler }
        queue.async { handler?.streamDidCloseWriting(id) }
    }

    func closeStream(_ id: StreamID) {
        let isUnfinished = guarded.withLock { guarded in
            guarded.handler = nil
            return guarded.ending == nil
        }
        if isUnfinished { cancel() }
    }
}
