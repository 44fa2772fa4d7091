// SPDX-License-Identifier: MIT

import HTTPTypes
import HummingbirdCore
import NIOCore

/// A request body, read once.
struct IncomingBody {
    /// `Content-Length`; `nil` for a chunked body, no body, or rejected framing.
    let declaredLength: Int64?
    private(set) var received: Int64 = 0
    /// The body is complete, or there is none.
    private(set) var isFinished: Bool
    private var iterator: RequestBody.AsyncIterator?
    private let body: RequestBody

    init(of request: Request) {
        // A body with invalid framing is not at its end: its bytes must not be parsed as the next request.
        let framing = try? RequestFraming(request.headers)
        declaredLength = framing?.length
        isFinished = framing == RequestFraming.none || declaredLength == 0
        body = request.body
    }

    /// `nil` at the end.
    /// - Throws: ``CutOff`` if the body is shorter than declared, and errors of the connection.
    mutating func next() async throws -> ByteBuffer? {
        guard !isFinished else { return nil }
        if iterator == nil { iterator = body.makeAsyncIterator() }
        if let buffer = try await iterator?.next() {
            received += Int64(buffer.readableBytes)
            return buffer
        }
        isFinished = true
        // The sequence also ends when this task is cancelled.
        try Task.checkCancellation()
        guard declaredLength.map({ received == $0 }) ?? true else { throw CutOff() }
        return nil
    }

    struct CutOff: Error {}
}
