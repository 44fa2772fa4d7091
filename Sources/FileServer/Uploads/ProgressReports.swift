// SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Reports to the client, while an upload is received, how many of its bytes are durable: interim responses with
/// `Upload-Offset` by a timer of the connection, whether or not further bytes arrive, as
/// draft-ietf-httpbis-resumable-upload describes them.
final class ProgressReports: Sendable {
    private struct State {
        var timer: RepeatedTask?
        var isRunning = false
        var hasEnded = false
        var reported: Int64 = 0
        var failure: (any Error)?
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// Seconds; a shorter interval would keep the event loop busy.
    private static let shortest = 0.01

    private let channel: any Channel
    private let pool: NIOThreadPool
    private let sync: @Sendable (_ reported: Int64) throws -> Int64?
    private let head: @Sendable (Int64) -> HTTPResponse
    private let state = Mutex(State())

    /// - Parameters:
    ///   - interval: seconds between reports.
    ///   - sync: makes the bytes so far durable, and returns their number; `nil`: nothing to report. Blocks; called on
    ///     threads of `pool`, never twice at a time.
    ///   - head: the interim response for an offset.
    init(
        on channel: any Channel, interval: Double, pool: NIOThreadPool,
        sync: @escaping @Sendable (_ reported: Int64) throws -> Int64?,
        head: @escaping @Sendable (Int64) -> HTTPResponse
    ) {
        (self.channel, self.pool, self.sync, self.head) = (channel, pool, sync, head)
        let pause = TimeAmount.nanoseconds(Int64(max(Self.shortest, interval) * 1e9))
        let timer = channel.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { [weak self] _ in
            self?.timerFired()
        }
        state.withLock { $0.timer = timer }
    }

    /// - Throws: the error of a sync.
    func check() throws {
        if let failure = state.withLock(\.failure) { throw failure }
    }

    /// Returns when no sync is running; no report follows.
    func end() async {
        let timer = state.withLock { state in
            state.hasEnded = true
            return state.timer
        }
        timer?.cancel()
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isRunning { state.waiting = continuation }
                return !state.isRunning
            }
            if isIdle { continuation.resume() }
        }
    }

    private func timerFired() {
        // A client that does not read gets no further report.
        guard channel.isWritable else { return }
        let reported = state.withLock { state -> Int64? in
            guard !state.hasEnded, !state.isRunning, state.failure == nil else { return nil }
            state.isRunning = true
            return state.reported
        }
        guard let reported else { return }
        pool.submit { _ in
            let result = Result { try self.sync(reported) }
            let waiting = self.state.withLock { state in
                state.isRunning = false
                if case .failure(let error) = result { state.failure = error }
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume()
            if case .success(let offset?) = result { self.channel.eventLoop.execute { self.report(offset) } }
        }
    }

    /// On the event loop, as is the write of the final response, which comes after ``end()``.
    private func report(_ offset: Int64) {
        let isDue = state.withLock { state in
            guard !state.hasEnded, offset > state.reported else { return false }
            state.reported = offset
            return true
        }
        // Behind the handlers of HTTP types, which have no part in interim responses.
        guard isDue, let context = try? channel.pipeline.syncOperations.context(handlerType: HeadGuard.self),
            let headGuard = context.handler as? HeadGuard, !headGuard.isHTTP10
        else { return }
        let response = head(offset)
        var fields = HTTPHeaders()
        for field in response.headerFields { fields.add(name: field.name.rawName, value: field.value) }
        let status = HTTPResponseStatus(statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase)
        let part = HTTPServerResponsePart.head(.init(version: .http1_1, status: status, headers: fields))
        context.writeAndFlush(NIOAny(part), promise: nil)
    }
}
