// SPDX-License-Identifier: MIT

public import HTTPTypes
public import TransferModel

extension TransferSession {
    /// Runs a data task whose body is read while it arrives.
    ///
    /// Returns with the response's head. Cancelling the calling task cancels the task, before and after that; so does
    /// releasing the sequence and its iterators before the end. When more than 1 MiB is unread, the task is suspended
    /// until half of it has been read.
    /// - Parameter delegate: as ``data(for:body:delegate:)``.
    /// - Throws: a ``TransferError``; HTTP statuses are responses, not errors. The sequence throws errors after the
    ///   head.
    public func bytes(
        for request: TransferRequest, body: [UInt8]? = nil, delegate: (any TransferSessionDelegate)? = nil
    )
        async throws(TransferError) -> (bytes: ByteSequence, response: HTTPResponse)
    {
        let flow = BodyFlow(queue: delegateQueue)
        let task = dataTask(with: request, body: body) { flow.take($0) }
        task.delegate = delegate
        flow.setTask(task)
        let reading = BodyReading(task: task, flow: flow)
        task.resume()
        let response = try await withTaskCancellationHandler {
            await flow.head.take()
        } onCancel: {
            task.cancel()
        }.get()
        return (ByteSequence(reading: reading), response)
    }
}

/// The body of a response, byte by byte, for one reader. Iterating throws the task's error.
public struct ByteSequence: AsyncSequence, Sendable {
    public typealias Element = UInt8
    public typealias Failure = TransferError

    let reading: BodyReading

    /// The same bytes in chunks as received; none is empty.
    public var pieces: PieceSequence { PieceSequence(reading: reading) }

    /// The same bytes as lines of UTF-8 that end in LF, CR LF or CR, without their terminators. A last line without one
    /// counts, as does an empty one inside. Invalid UTF-8 becomes U+FFFD.
    ///
    /// A line longer than 1 MiB ends the iteration with an error of code `other`, and the task with it.
    public var lines: LineSequence { LineSequence(reading: reading) }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reading: reading) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reading: BodyReading
        private var piece: [UInt8] = []
        private var index = 0

        fileprivate init(reading: BodyReading) { self.reading = reading }

        public mutating func next() async throws(TransferError) -> UInt8? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransferError) -> UInt8? {
            if index == piece.count {
                guard let following = try await reading.next(isolation: actor) else { return nil }
                piece = following
                index = 0
            }
            defer { index += 1 }
            return piece[index]
        }
    }
}

/// The body of a response in chunks, for one reader.
public struct PieceSequence: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = TransferError

    let reading: BodyReading

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reading: reading) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reading: BodyReading

        public mutating func next() async throws(TransferError) -> [UInt8]? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransferError) -> [UInt8]? {
            try await reading.next(isolation: actor)
        }
    }
}

/// The body of a response line by line, for one reader.
public struct LineSequence: AsyncSequence, Sendable {
    public typealias Element = String
    public typealias Failure = TransferError

    let reading: BodyReading

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reading: reading) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reading: BodyReading
        private var splitter = LineSplitter()

        fileprivate init(reading: BodyReading) { self.reading = reading }

        public mutating func next() async throws(TransferError) -> String? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransferError) -> String? {
            while true {
                if let line = splitter.next() { return line }
                guard splitter.waitingCount <= LineSplitter.longestLine else {
                    reading.task.cancel()
                    throw TransferError(.other, .longLine, LineSplitter.longestLine)
                }
                guard let piece = try await reading.next(isolation: actor) else { return splitter.finish() }
                splitter.append(piece)
            }
        }
    }
}
