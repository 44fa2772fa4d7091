// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Platform
import TransferModel

extension RequestHandler {
    /// The connection must close, as unread body bytes may follow.
    struct ConnectionDone: Error {}

    /// One exchange, from head to last byte.
    /// - Throws: if the connection cannot be reused; it is then closed.
    func respond(
        to request: Request, writer: consuming ResponseWriter, channel: any Channel, watch: ProgressWatch
    ) async throws {
        let begin = ContinuousClock.now
        var body = IncomingBody(of: request)
        var record = configuration.log.map { _ in
            RequestRecord(
                time: UploadStore.now(), client: channel.remoteAddress?.ipAddress ?? "-",
                method: Self.sanitized(request.method.rawValue, atMost: 20), path: Self.shown(request.head.path ?? ""))
        }
        defer {
            watch.stop()
            if var record {
                (record.received, record.sent) = (body.received, watch.sent)
                record.seconds = (ContinuousClock.now - begin) / .seconds(1)
                configuration.log?(record)
            }
        }
        let isAskedToContinue = request.headers[.expect]?.lowercased() == "100-continue" && !body.isFinished
        var asked = request.head
        var answer: Answer
        do {
            asked = try Self.overridden(asked)
            switch try await plan(for: asked, from: channel.remoteAddress) {
            case .answer(let ready):
                answer = ready
                // A client that waits for 100 and gets this sends no body.
                if isAskedToContinue { answer.readsWholeBody = false }
            case .receive(let reception):
                defer { end(reception) }
                if isAskedToContinue {
                    try await writer.writeInformationalHead(HTTPResponse(status: .continue))
                }
                answer = try await receive(reception, from: &body, watch: watch)
            case .append(let append):
                let exchange = UploadExchange(
                    channel: channel, watch: watch, request: asked, isAskedToContinue: isAskedToContinue)
                answer = try await receive(append, from: &body, exchange, writer)
            case .form:
                if isAskedToContinue { try await writer.writeInformationalHead(HTTPResponse(status: .continue)) }
                let form = try await receiveForm(from: &body, watch: watch)
                let network = OpenConnections.network(of: channel.remoteAddress?.ipAddress ?? "")
                if case .link(let id, _) = try RequestTarget(asked.path ?? "") {
                    answer = try await self.answer(form, ofLink: id, asked, from: network)
                } else {
                    answer = try await self.answer(form, of: asked, from: network)
                }
            }
        } catch {
            guard let refusal = refusal(for: error) else { throw error }
            answer = Answer(refusal)
        }
        if answer.status == .contentTooLarge, UploadFields.mentionsCompleteness(asked.headerFields) {
            let version = UploadFields.version(of: asked.headerFields)
            answer.headers[.uploadLimit] = answer.headers[.uploadLimit] ?? announcedLimits(for: version)
        }
        record?.status = answer.status.code
        if record != nil, answer.status.kind == .successful,
            let place = answer.headers[.contentLocation] ?? answer.headers[.location]
        {
            record?.stored = Self.shown(place)
        }
        RelativeLocation.apply(to: &answer.headers, of: asked, port: channel.localAddress?.port)
        if request.headers[.tusResumable] != nil { answer.headers[.tusResumable] = Tus.version }
        let charge = answer.charge
        defer { if let charge { pool.submit { _ in charge.end() } } }
        let memory = answer.memory
        defer { memory?.end() }
        let mustClose = !body.isFinished && !answer.readsWholeBody
        // After this value, the connection is closed in any case.
        let isLast = request.headers[.connection] == "close"
        let head = head(for: answer, closing: mustClose || isLast)
        try await write(answer, head: head, isHead: asked.method == .head, to: writer, channel, watch)
        record?.isComplete = true
        if !body.isFinished {
            // The response is complete: a body that turns out to be malformed must not get a second one.
            do { try await drain(&body, to: answer.readsWholeBody ? nil : configuration.limits, watch: watch) } catch {
                throw ConnectionDone()
            }
        }
        if mustClose { throw ConnectionDone() }
    }

    /// `nil` if no response is possible.
    func refusal(for error: any Error) -> Refusal? {
        switch error {
        case let refusal as Refusal: return refusal
        case let error as SystemError:
            configuration.logger.warning("\(error.call): \(error.text)")
            return error.refusal
        case is ProgressWatch.Stalled:
            return Refusal(.requestTimeout, "no byte received for \(configuration.limits.idleSeconds) seconds")
        case let error as TransferError: return Refusal(.badRequest, error.message)
        default: return nil
        }
    }

    private func head(for answer: Answer, closing: Bool) -> HTTPResponse {
        var head = HTTPResponse(status: answer.status, headerFields: answer.headers)
        head.headerFields[.date] = HTTPDate.format(Int64(Date().timeIntervalSince1970))
        head.headerFields[.server] = "fileq"
        head.headerFields[.xContentTypeOptions] = "nosniff"
        // Pages of other sites cannot embed it.
        head.headerFields[.crossOriginResourcePolicy] = "same-origin"
        if answer.status != .noContent, answer.status != .notModified {
            head.headerFields[.contentLength] = String(answer.contentLength)
        }
        if closing { head.headerFields[.connection] = "close" }
        return head
    }

    private func write(
        _ answer: Answer, head: HTTPResponse, isHead: Bool, to writer: consuming ResponseWriter,
        _ channel: any Channel, _ watch: ProgressWatch
    ) async throws {
        switch answer.body {
        case _ where isHead, .none, .omitted: try await writer.writeResponse(head)
        case .bytes(let bytes) where bytes.count > Self.largestWholeBody:
            var bodyWriter = try await writer.writeHead(head)
            try await send(bytes, to: &bodyWriter, channel, watch)
            try await bodyWriter.finish(nil)
        case .bytes(let bytes):
            try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
            watch.sentWhole(bytes.count)
        case .file(let file, let range, let first):
            guard first.readableBytes < range.count else {
                try await writer.write(response: head, body: ResponseBody(byteBuffer: first))
                answer.charge?.sent(first.readableBytes)
                watch.sentWhole(first.readableBytes)
                return
            }
            var bodyWriter = try await writer.writeHead(head)
            try await send(file, range, first: first, to: &bodyWriter, channel, watch, answer.charge)
            try await bodyWriter.finish(nil)
        }
    }

    private func send(
        _ file: any ContentSource, _ range: Range<Int64>, first: OpenFile.Chunk,
        to writer: inout some ResponseBodyWriter, _ channel: any Channel, _ watch: ProgressWatch, _ charge: ShareCharge?
    ) async throws {
        var pace = Pace(rate: configuration.rate)
        var chunk = first
        var position = range.lowerBound
        // A slow reader holds two chunks: one in the channel, one waiting.
        var (written, piece) = (0, budget.take(atMost: first.readableBytes))
        defer { budget.give(written + piece) }
        while true {
            let count = chunk.readableBytes
            position += Int64(count)
            // Before the last bytes: once the client has them all, there is no way to report an error.
            if position >= range.upperBound { try await blocking { try file.checkUnchanged() } }
            watch.expect(.outgoing)
            try await writer.write(chunk)
            charge?.sent(count)
            watch.progress(count)
            // While the server reads, or waits for its own limit, the peer is not slow.
            watch.expect(nil)
            guard position < range.upperBound else { break }
            budget.give(written)
            (written, piece) = (piece, budget.take(atMost: pace.chunk))
            let next = position..<min(range.upperBound, position.clampedSum(Int64(piece)))
            chunk = try await blocking { try file.read(next) }
            // Channel writability is known only after the event loop has run; without this hop, chunks pile up before a
            // loop that is busy encrypting.
            try await channel.eventLoop.submit {}.get()
            try await wait(pace.delay(after: count, now: .now()))
        }
    }

    func wait(_ delay: Duration?) async throws {
        if let delay { try await Task.sleep(for: delay) }
    }

    /// Reads the rest of the request, so that the client gets to the response. `nil` limits: all of it.
    private func drain(
        _ body: inout IncomingBody, to limits: FileServerConfiguration.Limits?,
        watch: ProgressWatch
    ) async throws {
        let end = body.received.clampedSum(limits?.drainBytes ?? configuration.limits.uploadBytes ?? .max)
        let deadline = ContinuousClock.now + .seconds(limits?.drainSeconds ?? 1e8)
        if let limits { watch.shorten(toSeconds: limits.drainSeconds) }
        watch.expect(.incoming)
        while body.received < end, ContinuousClock.now < deadline {
            guard let buffer = try await body.next() else { return }
            watch.progress(buffer.readableBytes)
        }
        throw ConnectionDone()
    }

    /// The path without query, sanitized for a log line. Of a link only the beginning: all of it opens the file, also
    /// as a part of a path that leads nowhere. The same goes for an unfinished upload, which its address continues.
    static func shown(_ target: String) -> String {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let names = path.split(separator: UInt8(ascii: "/")).map { segment in
            let text = String(decoding: segment, as: UTF8.self)
            return PercentCoding.decode(text) ?? text
        }
        let link = names.indices.dropFirst(2).first { names[$0 - 2] == "files" && names[$0 - 1] == "share" }
        guard let link else {
            if names.count == 2, names[0] == "files", names[1] != "share" {
                return "/files/\(sanitized(names[1], atMost: 4))…"
            }
            return sanitized(String(decoding: path, as: UTF8.self), atMost: 200)
        }
        return "/files/share/\(sanitized(names[link], atMost: 4))…"
    }

    private static func sanitized(_ text: String, atMost count: Int) -> String {
        let shown = text.unicodeScalars.prefix(count)
        return String(
            String.UnicodeScalarView(shown.map { $0.isASCII && $0.value > 0x20 && $0.value != 0x7f ? $0 : "?" }))
    }
}

extension Duration {
    /// The time since a fixed moment, for ``Pace``.
    static func now() -> Duration { ContinuousClock.now - moment }

    private static let moment = ContinuousClock.now
}
