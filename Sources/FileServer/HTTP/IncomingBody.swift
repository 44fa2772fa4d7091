// SPDX-License-Identifier: MIT

import HTTPTypes
import HummingbirdCore
import NIOCore

/// The body of one request, read once, by whoever has it at the time.
struct IncomingBody {
    /// `Content-Length`; `nil` where the body is chunked, there is none, or its framing is refused.
    let declaredLength: Int64?
    private(set) var received: Int64 = 0
    /// Nothing more will come: the end was seen, or there never was a body.
    private(set) var isFinished: Bool
    private var iterator: RequestBody.AsyncIterator?
    private let body: RequestBody

    init(of request: Request) {
        // What cannot be read has not ended: bytes that nobody takes for a body must not be taken for the next request.
        let framing = try? RequestFraming(request.headers)
        declaredLength = framing?.length
        isFinished = framing == RequestFraming.none || declaredLength == 0
        body = request.body
    }

    /// `nil` at the end.
    /// - Throws: ``CutOff`` where less came than was announced, and what the connection threw.
    mutating func next() async throws -> ByteBuffer? {
        guard !isFinished else { return nil }
        if iterator == nil { iterator = body.makeAsyncIterator() }
        if let buffer = try await iterator?.next() {
            received += Int64(buffer.readableBytes)
            return buffer
        }
        isFinished = true
        // The end of the sequence alone proves nothing: it also ends when this task is cancelled.
        try Task.checkCancellation()
        guard declaredLength.map({ received == $0 }) ?? true else { throw CutOff() }
        return nil
    }

    struct CutOff: Error {}
}
