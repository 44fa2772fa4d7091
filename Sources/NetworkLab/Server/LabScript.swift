// SPDX-License-Identifier: MIT

import TransferModel

/// A step of a connection; earlier ones are complete.
enum LabStep: Sendable, Hashable {
    /// A delay in seconds.
    case wait(Double)
    case send([UInt8])
    /// This part of the content, at the given rate.
    case sendBody(Range<Int64>, rate: Int?)
    /// Reads the request body: all of it, or so many bytes.
    case receive(atMost: Int64?, rate: Int?)
    /// The body is complete: the steps of the response follow.
    case answer
    /// Sends nothing more; reads and discards.
    case stall
    /// Neither sends nor reads.
    case stopReading
    /// A clean end of the stream.
    case close
    case reset
    /// The next request on this connection.
    case next
}

/// What a connection does for one request. No I/O.
struct LabScript {
    let request: LabRequest
    let behaviour: LabBehaviour

    /// Steps from the request head to the response.
    var opening: [LabStep] {
        guard request.method == .upload else { return [.receive(atMost: nil, rate: nil), .answer] }
        if request.expectsContinue, refusesByHead { return [.answer] }
        let welcome: [LabStep] = request.expectsContinue ? [.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))] : []
        guard let fault = behaviour.fault, let place = placeInUpload(of: fault) else {
            return welcome + [.receive(atMost: nil, rate: rate), .answer]
        }
        return welcome + [.receive(atMost: place, rate: rate)] + strike(fault)
    }

    /// Steps of the response.
    /// - Parameter content: the response to a request without fault and range.
    func answer(_ content: LabContent) -> [LabStep] {
        if request.method == .other { return say("405 Method Not Allowed") }
        if behaviour.fault?.isForUploads == true, request.method != .upload {
            return say("400 Bad Request", text: "this fault is for uploads")
        }
        let wait: [LabStep] = behaviour.waitHead > 0 ? [.wait(behaviour.waitHead)] : []
        return wait + (beforeHead ?? statusAnswer ?? informational + body(content))
    }

    /// A plain response of the lab, which closes the connection.
    func say(_ status: String, _ fields: [String] = [], text: String = "") -> [LabStep] {
        let body = Array((text.isEmpty ? "\(status)\n" : "\(text)\n").utf8)
        let head = Self.head(
            status,
            fields + [
                "Content-Type: text/plain; charset=utf-8", "Content-Length: \(body.count)",
                "Connection: close",
            ])
        return [.send(request.method == .head ? head : head + body), .close]
    }

    // MARK: Parts

    private var rate: Int? { behaviour.rate ?? (behaviour.fault == .drip ? 64 : nil) }

    /// Whether the response is known before the body: after `Expect`, the client need not send it.
    private var refusesByHead: Bool { statusAnswer != nil }

    private func placeInUpload(of fault: LabFault) -> Int64? {
        guard fault.strikesInBody, fault != .truncate else { return nil }
        switch behaviour.place {
        case .bytes(let bytes): return bytes
        case .head: return nil
        case nil: return fault == .close ? nil : (request.contentLength ?? 0) / 2
        }
    }

    private func strike(_ fault: LabFault) -> [LabStep] {
        switch fault {
        case .reset: [.reset]
        case .close: [.close]
        case .stall: [.stall]
        case .earlyAnswer: say("413 Content Too Large")
        default: [.stopReading]
        }
    }

    /// The fault replaces the head.
    private var beforeHead: [LabStep]? {
        switch (behaviour.fault, behaviour.place) {
        case (.garbage, _): [.send(Self.garbage), .close]
        case (.close, nil): [.close]
        case (.reset, .head): [.reset]
        case (.close, .head), (.truncate, .head): [.close]
        case (.stall, .head), (.stopReading, .head): [.stall]
        case (.earlyAnswer, .head): say("413 Content Too Large")
        default: nil
        }
    }

    private static let garbage = Array("\u{1}\u{2}these bytes are not HTTP\r\n\r\n".utf8) + [0, 0xff, 0xfe]

    private var statusAnswer: [LabStep]? {
        let retry = ["Retry-After: \(behaviour.retryAfter)"]
        switch behaviour.fault {
        case .unauthorized where request.authorization != "Basic bGFiOmxhYg==":
            return say("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"lab\""])
        case .proxyAuthentication:
            return say("407 Proxy Authentication Required", ["Proxy-Authenticate: Basic realm=\"lab\""])
        case .tooManyRequests: return say("429 Too Many Requests", retry)
        case .unavailable: return say("503 Service Unavailable", retry)
        case .redirectLoop where behaviour.hop < behaviour.count ?? .max:
            return say("307 Temporary Redirect", ["Location: \(request.target(hop: behaviour.hop + 1))"])
        default: return nil
        }
    }

    private var informational: [LabStep] {
        guard behaviour.fault == .storm else { return [] }
        let hint = Array("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n".utf8)
        return [.send(Array((0..<(behaviour.count ?? 100)).map { _ in hint }.joined()))]
    }

    /// Head and body, with their delays and the fault between them.
    private func body(_ content: LabContent) -> [LabStep] {
        var (status, range) = ("200 OK", 0..<content.size)
        var fields = ["Content-Type: text/plain; charset=utf-8"]
        if let tag = content.entityTag { fields += ["ETag: \(tag)", "Accept-Ranges: bytes"] }
        if request.method != .upload, let asked = request.range,
            request.ifRange.map({ $0 == content.entityTag }) ?? true
        {
            guard let part = asked.resolved(size: content.size) else {
                return say(
                    "416 Range Not Satisfiable", ["Content-Range: \(ContentRange.unsatisfied(total: content.size))"])
            }
            (status, range) = ("206 Partial Content", part)
            fields.append("Content-Range: \(ContentRange.satisfied(part, total: content.size))")
        }
        let cut = cutLength(of: Int64(range.count))
        let isWrong = behaviour.fault == .wrongLength
        fields.append("Content-Length: \(isWrong ? cut ?? 0 : Int64(range.count))")
        let keeps = request.keepsAlive && cut == nil
        if !keeps { fields.append("Connection: close") }
        let head = LabStep.send(Self.head(status, fields))
        guard request.method != .head else { return [head, keeps ? .next : .close] }
        let sent = isWrong ? range : range.lowerBound..<(range.lowerBound + (cut ?? Int64(range.count)))
        return [head] + lines(sent, content, whole: range) + [end(cut: cut)]
    }

    /// Bytes of the body before the fault; `nil`: none.
    private func cutLength(of length: Int64) -> Int64? {
        guard let fault = behaviour.fault, fault == .wrongLength || fault.strikesInBody && !fault.isForUploads,
            request.method != .upload || fault == .truncate || fault == .wrongLength
        else { return nil }
        guard case .bytes(let bytes) = behaviour.place else { return length / 2 }
        return min(bytes, length)
    }

    private func end(cut: Int64?) -> LabStep {
        guard cut != nil, let fault = behaviour.fault else { return request.keepsAlive ? .next : .close }
        switch fault {
        case .reset: return .reset
        case .stall: return .stall
        default: return .close
        }
    }

    /// `sent` in pieces, with the delays before the first and the second line of `whole`.
    private func lines(_ sent: Range<Int64>, _ content: LabContent, whole: Range<Int64>) -> [LabStep] {
        var steps: [LabStep] = []
        if behaviour.waitFirst > 0 { steps.append(.wait(behaviour.waitFirst)) }
        let second = content.nextLine(after: whole.lowerBound)
        guard behaviour.waitSecond > 0, second < sent.upperBound else {
            return steps + [.sendBody(sent, rate: rate)]
        }
        return steps + [
            .sendBody(sent.lowerBound..<second, rate: rate), .wait(behaviour.waitSecond),
            .sendBody(second..<sent.upperBound, rate: rate),
        ]
    }

    static func head(_ status: String, _ fields: [String]) -> [UInt8] {
        Array((["HTTP/1.1 \(status)", "Server: fileq-lab"] + fields).map { $0 + "\r\n" }.joined().utf8)
            + Array("\r\n".utf8)
    }
}
