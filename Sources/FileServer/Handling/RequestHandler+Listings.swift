// SPDX-License-Identifier: MIT

import HTTPTypes
import HummingbirdCore
import NIOCore

/// Listings are made in memory: few at a time, and not more than fit.
extension RequestHandler {
    /// Larger bodies are sent in chunks, as files are.
    static let largestWholeBody = 64 * 1024
    /// How long a listing waits for others to be made.
    static let listingPatience = Duration.seconds(10)
    /// Bytes per second at which a body in memory must be received, so that no client keeps it.
    private static let leastRate = 4096

    /// Makes a listing. Of HEAD only its length remains.
    /// - Parameter make: blocks.
    /// - Throws: 503 if others take all the room.
    func listing(for request: HTTPRequest, _ make: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        var answer = try await listings.run(atMost: Self.listingPatience) { try await blocking(make) }
        guard case .bytes(let bytes) = answer.body else { return answer }
        if request.method == .head {
            answer.body = .omitted(Int64(bytes.count))
        } else if bytes.count > Self.largestWholeBody {
            guard let memory = bodies.take(bytes.count) else { throw WorkGate.busy }
            answer.memory = memory
        }
        return answer
    }

    /// `GET` and `HEAD` of `/files`: a page of the FileQ uploads.
    func listUploads(for request: HTTPRequest) async throws -> Answer {
        let reader = pageReader(of: request)
        var cursor: UploadCursor?
        if let text = Self.query("after", of: request.path ?? "") {
            guard let place = UploadCursor(parsing: text) else {
                throw Refusal(.badRequest, "after is not what a listing of this server states")
            }
            cursor = place
        }
        let (uploads, after, canDelete) = (uploads, cursor, configuration.allowsDelete)
        return try await listing(for: request) {
            let page = uploads.page(after: after)
            if let reader { return ListingPage(page, canDelete: canDelete, for: reader).answer() }
            return try Answer(.ok, headers: [.cacheControl: "no-store", .vary: "Accept"], json: page.listing)
        }
    }

    /// Whether a word is among those of the query.
    static func hasQuery(_ word: String, in target: String) -> Bool {
        target.split(separator: "?", maxSplits: 1).dropFirst().first?.split(separator: "&").contains { $0 == word }
            ?? false
    }

    /// The value of a parameter of the query. Nothing is decoded.
    static func query(_ name: String, of target: String) -> String? {
        guard let query = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
        else { return nil }
        for pair in query.split(separator: "&") where pair.hasPrefix(name + "=") {
            return String(pair.dropFirst(name.utf8.count + 1))
        }
        return nil
    }

    /// Sends a large body in chunks. A client that is too slow for what it keeps in memory loses the connection.
    func send(
        _ bytes: [UInt8], to writer: inout some ResponseBodyWriter, _ channel: any Channel, _ watch: ProgressWatch
    ) async throws {
        var pace = Pace(rate: configuration.rate)
        let rate = min(Self.leastRate, configuration.rate.map { max(1, $0 / 2) } ?? .max)
        let seconds = configuration.limits.idleSeconds + Double(bytes.count) / Double(rate)
        let end = channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(min(seconds, 1e8) * 1e9))) {
            channel.close(promise: nil)
        }
        defer { end.cancel() }
        var position = 0
        // As of a file: one chunk is in the channel, one waits.
        var (written, piece) = (0, budget.take(atMost: pace.chunk))
        defer { budget.give(written + piece) }
        watch.expect(.outgoing)
        while position < bytes.count {
            let next = position..<min(bytes.count, position + piece)
            try await writer.write(ByteBuffer(bytes: bytes[next]))
            watch.progress(next.count)
            position = next.upperBound
            budget.give(written)
            (written, piece) = (piece, budget.take(atMost: pace.chunk))
            // See the same for files.
            try await channel.eventLoop.submit {}.get()
            try await wait(pace.delay(after: next.count, now: .now()))
        }
        watch.expect(nil)
    }
}
