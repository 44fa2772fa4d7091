// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

@testable import SessionCore

/// One conversation of an upload of 3,000,000 bytes to `http://host.test/f`.
struct Talk {
    var machine: ResumableUpload
    var lastExchange: UploadExchange?
    var lastError: TransferError?

    init(
        _ resumption: UploadResumption, size: Int64? = 3_000_000, name: String = "f", point offset: Int64? = nil,
        _ carrier: UploadCarrier = .ietf(.v8), isTailSent: Bool = false, needsTarget: Bool = false,
        digest: Checksum? = nil, statesDigests: Bool = false
    ) {
        guard let url = try? TransferURL("http://host.test/f") else { fatalError("not a URL") }
        var point = offset.map {
            UploadPoint(carrier, url: "http://host.test/u", target: url.string, offset: $0)
        }
        point?.isTailSent = isTailSent
        machine = ResumableUpload(
            UploadSubject(
                target: url, method: .put, name: name, size: size, digest: digest, needsTarget: needsTarget,
                statesDigests: statesDigests),
            resumption, point: point)
    }

    /// The stream's next bytes.
    mutating func reads(upTo available: Int64, isEnd: Bool = false) -> String? {
        machine.supplied(upTo: available, isEnd: isEnd).map { note($0) }
    }

    mutating func begin(_ support: UploadSupport? = nil) -> String { note(machine.begin(knowing: support)) }

    mutating func says(
        _ status: Int, _ fields: HTTPFields = [:], from url: String = "http://host.test/f", isEarly: Bool = false,
        at now: Double? = nil
    ) -> String {
        guard let url = try? TransferURL(url) else { return "no URL" }
        let head = HTTPResponse(status: .init(code: status), headerFields: fields)
        let refusal = TransferError(
            status == 401 ? .loginDenied : .httpStatus, "host.test: returned \(status)", fields: .init(status: status))
        var reply = UploadReply(head, from: url, refusal: status < 300 ? nil : refusal, isEarly: isEarly)
        reply.receivedAt = now
        return note(machine.ended(reply))
    }

    /// - Parameter sent: bytes of the content; `nil`: all.
    mutating func breaks(
        _ error: TransferError = TransferError(.receiveFailed, "broken"), sent: Int64? = nil
    ) -> String {
        var reply = UploadReply(nil, from: machine.subject.target, error: error)
        reply.sent = sent
        return note(machine.ended(reply))
    }

    mutating func gets(_ fields: HTTPFields) -> ResumableUpload.Note {
        machine.interim(
            HTTPResponse(status: .uploadResumptionSupported, headerFields: fields), from: machine.subject.target)
    }

    private mutating func note(_ step: ResumableUpload.Step) -> String {
        lastExchange = step.exchange ?? lastExchange
        lastError = step.error ?? lastError
        return step.words(Self.words)
    }

    /// `PATCH /u v8 ?1 @100 100-200`
    static func words(_ exchange: UploadExchange) -> String {
        var words = [exchange.method.rawValue, exchange.url.target]
        let fields = exchange.fields
        if let version = fields[.uploadInterop], exchange.method != .options { words.append("v" + version) }
        if fields[.tusResumable] == "1.0.0" { words.append("tus") }
        if let complete = fields[.uploadComplete] { words.append(complete) }
        if let incomplete = fields[.uploadIncomplete] { words.append(incomplete == "?0" ? "?1" : "?0") }
        if let offset = fields[.uploadOffset] { words.append("@" + offset) }
        if fields[.uploadDeferLength] == "1" { words.append("defers") }
        if let length = fields[.uploadLength] { words.append("length=" + length) }
        if let body = exchange.body {
            words.append(body.isEmpty ? "empty" : "\(body.lowerBound)-\(body.upperBound)")
        }
        return words.joined(separator: " ")
    }
}
