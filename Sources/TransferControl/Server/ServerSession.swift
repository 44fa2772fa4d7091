// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Synchronization
import TransferModel

/// The connection of a client, on the server's side.
///
/// Requests are handled in order, with replies in the same order, but for calls that may take long. While too many
/// requests or unread reply bytes are pending, nothing more is read.
final class ServerSession: Sendable {
    private struct State {
        var isGreeted = false
        /// Lines waiting for their turn.
        var pending: [Pending] = []
        var isWorking = false
        /// Calls that may take long, without a reply so far.
        var outstanding = 0
        var isReadingPaused = false
        var subscriptions: [Int: Task<Void, Never>] = [:]
        /// The windows of the subscriptions that have one.
        var windows: [Int: WindowFeed] = [:]
        var lists = PartialLists()
        var attends = false
        /// Whether the connection closes when it becomes idle.
        var isFinishing = false
        var isClosed = false
    }

    private enum Pending {
        case line([UInt8])
        case tooLong
    }

    /// Pending requests before reading stops; one read of the socket may exceed it.
    private static let pendingLimit = 32

    let connection: LineConnection
    /// Whether this is the reserved connection: only for `hello` with `reserved`, and for a few seconds.
    let isReserved: Bool
    /// Sessions retain the server.
    let server: ControlServer
    private let state = Mutex(State())

    init(connection: LineConnection, server: ControlServer, isReserved: Bool = false) {
        self.connection = connection
        self.isReserved = isReserved
        self.server = server
    }

    /// Greets, then listens.
    /// - Parameter ended: called once, when the connection is closed.
    func start(_ ended: @escaping @Sendable () -> Void) {
        connection.start { [self] event in
            switch event {
            case .line(let line): enqueue(.line(line))
            case .tooLong: enqueue(.tooLong)
            case .endOfInput: inputEnded()
            case .closed:
                closed()
                ended()
            }
        }
        send(Notice(method: ControlNotice.hello, params: hello))
    }

    var hello: ServerHello {
        ServerHello(
            protocol: ControlProtocol.version, version: server.options.version, pid: getpid(),
            maximumMessage: server.options.maximumMessage, home: server.options.home)
    }

    func send(_ message: some Encodable) {
        // Messages consist of plain values, so JSON encoding cannot fail.
        if let line = try? line(message) { connection.send(line) }
    }

    func line(_ message: some Encodable) throws -> Data {
        try ControlCoding.line(message, words: server.options.words)
    }

    // MARK: Requests, one after the other

    private func enqueue(_ pending: Pending) {
        let startsWorking = state.withLock { state in
            state.pending.append(pending)
            defer { state.isWorking = true }
            if state.pending.count >= Self.pendingLimit { setReading(false, &state) }
            return !state.isWorking
        }
        if startsWorking { Task { await workOff() } }
    }

    private func workOff() async {
        while let next = takeNext() {
            switch next {
            case .line(let line):
                await answer(line)
                await connection.waitForCapacity()
            case .tooLong:
                send(
                    ErrorReply(
                        id: nil,
                        error: ControlError(
                            .tooLong,
                            "a message is longer than \(server.options.maximumMessage) bytes; the connection ends")))
                finish()
            }
        }
        closeIfDone()
    }

    private func takeNext() -> Pending? {
        state.withLock { state in
            guard !state.pending.isEmpty, !state.isClosed else {
                state.isWorking = false
                state.pending = []
                setReading(true, &state)
                return nil
            }
            return state.pending.removeFirst()
        }
    }

    /// Decides and posts under one lock, so that decisions take effect in order.
    private func setReading(_ isOn: Bool, _ state: inout State) {
        guard state.isReadingPaused == isOn else { return }
        state.isReadingPaused = !isOn
        connection.setReading(isOn)
    }

    // MARK: Ends

    /// Closes the connection after all replies and subscriptions.
    func finish() {
        state.withLock { $0.isFinishing = true }
        closeIfDone()
    }

    /// The `hello` timeout: a silent connection makes room for others.
    func endIfIdle() {
        guard isReserved || !isGreeted else { return }
        if !isGreeted {
            send(
                ErrorReply(id: nil, error: ControlError(.helloExpected, "no hello came in time; the connection ends")))
        }
        connection.close()
    }

    private func inputEnded() {
        for task in state.withLock({ Array($0.subscriptions.values) }) { task.cancel() }
        finish()
    }

    private func closed() {
        let tasks = state.withLock { state in
            state.isClosed = true
            return Array(state.subscriptions.values)
        }
        for task in tasks { task.cancel() }
    }

    private func closeIfDone() {
        let isDone = state.withLock {
            $0.isFinishing && !$0.isWorking && $0.outstanding == 0 && $0.subscriptions.isEmpty
        }
        if isDone { connection.closeWhenSent() }
    }

    // MARK: What requests change

    /// - Returns: whether the client has sent `hello` before.
    var isGreeted: Bool { state.withLock { $0.isGreeted } }

    /// Whether the client notifies its user of ends.
    var attends: Bool { state.withLock { $0.attends && !$0.isClosed } }

    func attend(_ attends: Bool) { state.withLock { $0.attends = attends } }

    func greet() { state.withLock { $0.isGreeted = true } }

    /// See ``PartialLists/keep(_:of:offset:bytes:)``.
    func keep(_ part: [Spec], of list: Int, offset: Int, bytes: Int) throws(TransferError) -> Int {
        try state.withLock { state throws(TransferError) in
            try state.lists.keep(part, of: list, offset: offset, bytes: bytes)
        }
    }

    /// See ``PartialLists/complete(_:offset:with:)``.
    func complete(_ list: Int, offset: Int, with last: [Spec]) throws(TransferError) -> [Spec] {
        try state.withLock { state throws(TransferError) in try state.lists.complete(list, offset: offset, with: last) }
    }

    /// - Throws: if the number is in use, or there are too many.
    func checkSubscription(_ number: Int, hasWindow: Bool) throws(ControlError) {
        let (isTaken, count, windows) = state.withLock {
            ($0.subscriptions[number] != nil, $0.subscriptions.count, $0.windows.count)
        }
        if isTaken { throw ControlError(.invalidParams, "subscription \(number) is there already") }
        if count >= server.options.maximumSubscriptions {
            throw ControlError(
                .invalidParams, "a connection has at most \(server.options.maximumSubscriptions) subscriptions")
        }
        if hasWindow, windows >= server.options.maximumWindows {
            throw ControlError(
                .invalidParams, "a connection has at most \(server.options.maximumWindows) windows")
        }
    }

    func subscribe(_ number: Int, _ session: String?) {
        state.withLock { state in
            guard !state.isClosed, !state.isFinishing, state.subscriptions[number] == nil else { return }
            state.subscriptions[number] = Task {
                await sendUpdates(number, session)
                ended(number)
            }
        }
    }

    func subscribe(_ number: Int, _ request: WindowRequest) {
        let feed = WindowFeed(request, reason: filterReason, wallClock: { Date().timeIntervalSince1970 })
        state.withLock { state in
            guard !state.isClosed, !state.isFinishing, state.subscriptions[number] == nil else { return }
            state.windows[number] = feed
            state.subscriptions[number] = Task {
                await sendWindow(number, feed)
                ended(number)
            }
        }
    }

    func window(_ number: Int) -> WindowFeed? { state.withLock { $0.windows[number] } }

    private func ended(_ number: Int) {
        state.withLock { ($0.subscriptions[number], $0.windows[number]) = (nil, nil) }
        closeIfDone()
    }

    /// Carries out a call that may take long, while others follow.
    func detach(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { $0.outstanding += 1 }
        Task {
            await body()
            state.withLock { $0.outstanding -= 1 }
            closeIfDone()
        }
    }

    /// Returns when the last message of the subscription is queued.
    func unsubscribe(_ number: Int) async {
        let task = state.withLock { $0.subscriptions[number] }
        task?.cancel()
        await task?.value
    }
}
