// SPDX-License-Identifier: MIT

import TransferModel

/// Every decision of one stream task: takes calls and events, returns actions. No I/O, no clock, no lock.
///
/// Reads and writes are queued in order. The transport is asked for bytes only for a pending read, so that a peer
/// without a reader fills its own buffers and no memory here.
struct StreamMachine: Sendable {
    private enum State: Equatable {
        /// Created, suspended; calls wait. → opening, ended
        case idle
        /// The connection is being opened. → open, ended; opening again when TLS is requested
        case opening
        /// Bytes may move. → ended; opening when TLS is requested before the first byte
        case open
        /// Completed. Final.
        case ended
    }

    /// Actions, in order.
    enum Action: Sendable, Equatable {
        case open(isSecure: Bool)
        case read(maximum: Int)
        case write([UInt8])
        case closeWriting
        /// Close the connection.
        case close
        /// Complete the read of this number.
        case answerRead(Int, [UInt8], atEnd: Bool)
        case refuseRead(Int, TransferError)
        case answerWrite(Int)
        case refuseWrite(Int, TransferError)
        case reportReadClosed
        case reportWriteClosed
        /// Always the last.
        case complete(TransferError?)
    }

    private struct Read: Sendable {
        var number: Int
        var minimum: Int
        var maximum: Int
    }

    private struct Write: Sendable {
        var number: Int
        var bytes: [UInt8]
    }

    /// The maximum of a read from the transport.
    static let pieceSize = 65_536

    private let authority: String
    private var state = State.idle
    private var suspensions = 1
    private var reads: [Read] = []
    private var writes: [Write] = []
    private var buffer: [UInt8] = []
    /// A transport call is pending.
    private var isReading = false
    private var isWriting = false
    /// A byte was requested or received.
    private var hasMoved = false
    private var hasMetEnd = false
    private var readClosing = false
    private var writeClosing = false
    private var askedToCloseWriting = false
    private var readIsClosed = false
    private var writeIsClosed = false
    private(set) var isSecure: Bool
    private(set) var hasBeenCancelled = false

    init(authority: String, isSecure: Bool) {
        self.authority = authority
        self.isSecure = isSecure
    }

    var isEnded: Bool { state == .ended }
    var isSuspended: Bool { suspensions > 0 }

    // MARK: Calls

    mutating func resume() -> [Action] {
        guard state != .ended, suspensions > 0 else { return [] }
        suspensions -= 1
        guard suspensions == 0 else { return [] }
        guard state == .idle else { return proceed() }
        state = .opening
        return [.open(isSecure: isSecure)] + proceed()
    }

    mutating func suspend() { if state != .ended { suspensions += 1 } }

    mutating func cancel() -> [Action] {
        guard state != .ended else { return [] }
        hasBeenCancelled = true
        return end(.cancelled)
    }

    mutating func read(_ number: Int, minimum: Int, maximum: Int) -> [Action] {
        if let refusal = refusal(isClosed: readClosing, .sessionReadingClosed) {
            return [.refuseRead(number, refusal)]
        }
        let minimum = max(1, minimum)
        reads.append(Read(number: number, minimum: minimum, maximum: max(minimum, maximum)))
        return proceed()
    }

    mutating func write(_ number: Int, _ bytes: [UInt8]) -> [Action] {
        if let refusal = refusal(isClosed: writeClosing, .sessionWritingClosed) {
            return [.refuseWrite(number, refusal)]
        }
        writes.append(Write(number: number, bytes: bytes))
        return proceed()
    }

    /// After the pending reads, no more bytes are accepted.
    mutating func closeRead() -> [Action] {
        readClosing = true
        return proceed()
    }

    /// After the pending writes, the peer gets the end.
    mutating func closeWrite() -> [Action] {
        writeClosing = true
        return proceed()
    }

    /// - Throws: code `usage` once bytes have moved or are about to.
    mutating func startSecureConnection() throws(TransferError) -> [Action] {
        if isSecure { return [] }
        guard state != .ended, !hasMoved else {
            throw TransferError(.sessionLateTLS, authority, state == .ended)
        }
        isSecure = true
        guard state != .idle else { return [] }
        state = .opening
        return [.close, .open(isSecure: true)]
    }

    // MARK: Timers

    /// A read or write timed out, or was abandoned.
    mutating func giveUp(_ number: Int, _ error: TransferError) -> [Action] {
        if let index = reads.firstIndex(where: { $0.number == number }) {
            reads.remove(at: index)
            return [.refuseRead(number, error)] + proceed()
        }
        guard let index = writes.firstIndex(where: { $0.number == number }) else { return [] }
        // Part of it may have been sent: nothing meaningful can follow.
        if index == 0, isWriting { return end(error) }
        writes.remove(at: index)
        return [.refuseWrite(number, error)] + proceed()
    }

    // MARK: Events

    mutating func opened() -> [Action] {
        guard state == .opening else { return [] }
        state = .open
        return proceed()
    }

    mutating func received(_ bytes: [UInt8]) -> [Action] {
        isReading = false
        if bytes.isEmpty { hasMetEnd = true } else if buffer.isEmpty { buffer = bytes } else { buffer += bytes }
        return proceed()
    }

    mutating func wrote() -> [Action] {
        guard isWriting, !writes.isEmpty else { return [] }
        isWriting = false
        return [.answerWrite(writes.removeFirst().number)] + proceed()
    }

    mutating func closedWriting() -> [Action] {
        guard state == .open, !writeIsClosed else { return [] }
        writeIsClosed = true
        return [.reportWriteClosed] + proceed()
    }

    mutating func failed(_ error: TransferError) -> [Action] { state == .ended ? [] : end(error) }

    // MARK: Decisions

    private func refusal(isClosed: Bool, _ problem: TransferProblem.LocalKind) -> TransferError? {
        if state == .ended { return hasBeenCancelled ? .cancelled : TransferError(.sessionStreamEnded, authority) }
        return isClosed ? TransferError(problem, authority) : nil
    }

    /// Completes what can be completed and requests what is missing.
    private mutating func proceed() -> [Action] {
        guard state != .ended, suspensions == 0 else { return [] }
        var actions: [Action] = []
        while let read = reads.first, buffer.count >= read.minimum || hasMetEnd {
            reads.removeFirst()
            let piece = Array(buffer.prefix(read.maximum))
            buffer.removeFirst(piece.count)
            actions.append(.answerRead(read.number, piece, atEnd: hasMetEnd && buffer.isEmpty))
        }
        if !readIsClosed, reads.isEmpty, readClosing || hasMetEnd && buffer.isEmpty {
            readIsClosed = true
            actions.append(.reportReadClosed)
        }
        guard state == .open else { return actions }
        if let read = reads.first, !isReading {
            isReading = true
            hasMoved = true
            actions.append(.read(maximum: min(Self.pieceSize, read.maximum - buffer.count)))
        }
        if let write = writes.first {
            if !isWriting {
                isWriting = true
                hasMoved = true
                actions.append(.write(write.bytes))
            }
        } else if writeClosing, !askedToCloseWriting {
            askedToCloseWriting = true
            hasMoved = true
            actions.append(.closeWriting)
        }
        if readIsClosed, writeIsClosed { actions += end(nil) }
        return actions
    }

    private mutating func end(_ error: TransferError?) -> [Action] {
        let wasIdle = state == .idle
        state = .ended
        let cause = error ?? TransferError(.sessionStreamEnded, authority)
        let refused = reads.map { Action.refuseRead($0.number, cause) } + writes.map { .refuseWrite($0.number, cause) }
        (reads, writes, buffer) = ([], [], [])
        return (wasIdle ? [] : [.close]) + refused + [.complete(error)]
    }
}
