// SPDX-License-Identifier: MIT

package import Dispatch
import HTTPTypes
import Synchronization
public import TransferModel

/// A connection to read from and write to, without HTTP (`URLSessionStreamTask`).
///
/// Created suspended; calls before ``resume()`` are queued. Thread-safe. Reads complete in order, and so do writes;
/// completions and events come on the queue given to the initializer, one at a time. Its transport retains a running
/// task.
public final class StreamTask: Sendable {
    /// The bytes, and whether they are the last; or an error.
    public typealias ReadHandler = @Sendable (_ bytes: [UInt8], _ atEnd: Bool, _ error: TransferError?) -> Void
    public typealias WriteHandler = @Sendable (_ error: TransferError?) -> Void

    private struct Guarded {
        var machine: StreamMachine
        var stream: StreamID?
        var readers: [Int: ReadHandler] = [:]
        var writers: [Int: WriteHandler] = [:]
        var nextNumber = 1
        var hasReportedEnd = false
        var description: String?
    }

    public let identifier: Int
    private let route: Exchange
    private let transport: any StreamTransport
    private let queue: DispatchQueue
    private let scheduler: any Scheduler
    private let events: @Sendable (StreamEvent) -> Void
    private let guarded: Mutex<Guarded>

    /// - Parameters:
    ///   - route: the destination; see ``StreamTransport/openStream(_:handler:)``. With an `https` URL the connection
    ///     has TLS from its first byte.
    ///   - queue: must be serial.
    package init(
        identifier: Int, route: Exchange, transport: any StreamTransport, queue: DispatchQueue,
        scheduler: any Scheduler = SystemScheduler(), events: @escaping @Sendable (StreamEvent) -> Void = { _ in }
    ) {
        self.identifier = identifier
        self.route = route
        self.transport = transport
        self.queue = queue
        self.scheduler = scheduler
        self.events = events
        guarded = Mutex(
            Guarded(machine: StreamMachine(authority: Self.authority(of: route.url), isSecure: route.url.isSecure)))
    }

    /// The route to a host by name or address, without brackets.
    /// - Throws: code `malformedURL` where there can be no such host or port.
    package static func route(host: String, port: Int, isSecure: Bool = false) throws(TransferError) -> Exchange {
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return Exchange(url: try TransferURL("\(isSecure ? "https" : "http")://\(name):\(port)/"), method: .connect)
    }

    public var taskDescription: String? {
        get { guarded.withLock { $0.description } }
        set { guarded.withLock { $0.description = newValue } }
    }

    public var state: TransferTask.State {
        guarded.withLock { guarded in
            if guarded.machine.isEnded, guarded.hasReportedEnd { return .completed }
            if guarded.machine.hasBeenCancelled { return .canceling }
            return guarded.machine.isSuspended ? .suspended : .running
        }
    }

    /// Connects, or undoes one ``suspend()``. Calls nest.
    public func resume() { change { $0.machine.resume() } }

    /// Moves no bytes and completes no read; the connection stays open. Timeouts of reads and writes continue.
    public func suspend() {
        change { guarded in
            guarded.machine.suspend()
            return []
        }
    }

    /// Ends the task immediately; pending reads and writes complete with ``TransferModel/TransferError/cancelled``.
    public func cancel() { change { $0.machine.cancel() } }

    // MARK: Reading and writing

    /// Completes with `minLength` to `maxLength` bytes; fewer only at the end.
    /// - Parameters:
    ///   - timeout: seconds from now, connecting included; 0: none. When they are over the read fails with code
    ///     `timedOut`; bytes that have come stay for the next read.
    ///   - completion: called once. After the end of all bytes: no bytes, and `atEnd`.
    public func readData(minLength: Int, maxLength: Int, timeout: Double = 0, completion: @escaping ReadHandler) {
        let number = takeNumber()
        read(number, minLength, maxLength, timeout, completion)
    }

    /// As the other. Cancelling the Swift task cancels only this read.
    public func readData(
        minLength: Int, maxLength: Int, timeout: Double = 0
    ) async throws(TransferError) -> (bytes: [UInt8], atEnd: Bool) {
        let number = takeNumber()
        let result: Result<([UInt8], Bool), TransferError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                read(number, minLength, maxLength, timeout) { bytes, atEnd, error in
                    continuation.resume(returning: error.map { .failure($0) } ?? .success((bytes, atEnd)))
                }
                if Task.isCancelled { change { $0.machine.giveUp(number, .cancelled) } }
            }
        } onCancel: {
            change { $0.machine.giveUp(number, .cancelled) }
        }
        let (bytes, atEnd) = try result.get()
        return (bytes, atEnd)
    }

    /// Writes all of `bytes`.
    /// - Parameters:
    ///   - timeout: seconds from now, connecting included; 0: none. When they are over the write fails with code
    ///     `timedOut`; where part of it may have gone, the whole task does.
    ///   - completion: called once, when the kernel has accepted all of it.
    public func write(_ bytes: [UInt8], timeout: Double = 0, completion: @escaping WriteHandler) {
        let number = takeNumber()
        change { guarded in
            guarded.writers[number] = completion
            return guarded.machine.write(number, bytes)
        }
        arm(number, timeout, .sessionNotWritten)
    }

    /// As the other. Cancelling the Swift task does not stop the write.
    public func write(_ bytes: [UInt8], timeout: Double = 0) async throws(TransferError) {
        let error: TransferError? = await withCheckedContinuation { continuation in
            write(bytes, timeout: timeout) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    /// Accepts no reads after the pending ones. With both directions closed the task completes.
    public func closeRead() { change { $0.machine.closeRead() } }

    /// Sends the end after the pending writes. Under TLS the peer sees the end of TCP without a `close_notify`, which
    /// strict peers treat as a broken connection: mark the end in the bytes instead.
    public func closeWrite() { change { $0.machine.closeWrite() } }

    /// Starts TLS from the first byte: an open connection is replaced.
    /// - Throws: code `usage` once a byte was read or written, or a read or write has begun: libcurl cannot switch a
    ///   connection in use to TLS, as `STARTTLS` requires.
    public func startSecureConnection() throws(TransferError) {
        let result: Result<Void, TransferError> = guarded.withLock { guarded in
            do throws(TransferError) {
                act(try guarded.machine.startSecureConnection(), &guarded)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    // MARK: The funnel

    private func read(
        _ number: Int, _ minimum: Int, _ maximum: Int, _ timeout: Double, _ completion: @escaping ReadHandler
    ) {
        change { guarded in
            guarded.readers[number] = completion
            return guarded.machine.read(number, minimum: minimum, maximum: maximum)
        }
        arm(number, timeout, .sessionNotRead)
    }

    private func takeNumber() -> Int {
        guarded.withLock { guarded in
            defer { guarded.nextNumber += 1 }
            return guarded.nextNumber
        }
    }

    private func arm(_ number: Int, _ timeout: Double, _ problem: TransferProblem.LocalKind) {
        guard timeout > 0, timeout.isFinite else { return }
        scheduler.schedule(at: scheduler.now + timeout) { [weak self] in
            guard let self else { return }
            let error = TransferError(.timedOut, problem, Self.authority(of: route.url), timeout)
            change { $0.machine.giveUp(number, error) }
        }
    }

    private func change(_ transform: (inout Guarded) -> [StreamMachine.Action]) {
        guarded.withLock { guarded in act(transform(&guarded), &guarded) }
    }

    /// Under the lock, so that completions and calls keep their order: this only posts to the transport's list or to
    /// the queue, and neither calls back immediately.
    private func act(_ actions: [StreamMachine.Action], _ guarded: inout Guarded) {
        for action in actions {
            switch action {
            case .open(let isSecure): guarded.stream = transport.openStream(route(isSecure: isSecure), handler: self)
            case .read(let maximum): if let stream = guarded.stream { transport.readStream(stream, maximum: maximum) }
            case .write(let bytes): if let stream = guarded.stream { transport.writeStream(stream, bytes) }
            case .closeWriting: if let stream = guarded.stream { transport.closeStreamWriting(stream) }
            case .close:
                if let stream = guarded.stream { transport.closeStream(stream) }
                guarded.stream = nil
            case .answerRead(let number, let bytes, let atEnd):
                answer(guarded.readers.removeValue(forKey: number), bytes, atEnd, nil)
            case .refuseRead(let number, let error):
                answer(guarded.readers.removeValue(forKey: number), [], false, error)
            case .answerWrite(let number): answer(guarded.writers.removeValue(forKey: number), nil)
            case .refuseWrite(let number, let error): answer(guarded.writers.removeValue(forKey: number), error)
            case .reportReadClosed: queue.async { self.events(.readClosed) }
            case .reportWriteClosed: queue.async { self.events(.writeClosed) }
            case .complete(let error):
                queue.async {
                    self.guarded.withLock { $0.hasReportedEnd = true }
                    self.events(.completed(error))
                }
            }
        }
    }

    private func answer(_ handler: ReadHandler?, _ bytes: [UInt8], _ atEnd: Bool, _ error: TransferError?) {
        guard let handler else { return }
        queue.async { handler(bytes, atEnd, error) }
    }

    private func answer(_ handler: WriteHandler?, _ error: TransferError?) {
        guard let handler else { return }
        queue.async { handler(error) }
    }

    private func route(isSecure: Bool) -> Exchange {
        guard isSecure != route.url.isSecure,
            let other = try? Self.route(host: route.url.host, port: route.url.port, isSecure: isSecure)
        else { return route }
        var changed = route
        changed.url = other.url
        return changed
    }

    /// The host to connect to: the proxy, if there is one.
    var peer: String { route.proxy?.host ?? route.url.host }

    /// Always with port: there is no default.
    private static func authority(of url: TransferURL) -> String {
        "\(url.host.contains(":") ? "[\(url.host)]" : url.host):\(url.port)"
    }
}

extension StreamTask: StreamHandler {
    public func streamDidOpen(_ id: StreamID) { note(id) { $0.opened() } }
    public func stream(_ id: StreamID, didRead bytes: [UInt8]) { note(id) { $0.received(bytes) } }
    public func streamDidWrite(_ id: StreamID) { note(id) { $0.wrote() } }
    public func streamDidCloseWriting(_ id: StreamID) { note(id) { $0.closedWriting() } }

    public func stream(_ id: StreamID, didFail failure: ExchangeFailure) {
        let error = TransferError(failure, authority: Self.authority(of: route.url), proxy: route.proxy, moved: .init())
        note(id) { $0.failed(error) }
    }

    /// Ignores events of a replaced connection.
    private func note(_ id: StreamID, _ transform: (inout StreamMachine) -> [StreamMachine.Action]) {
        change { guarded in guarded.stream == id ? transform(&guarded.machine) : [] }
    }
}
