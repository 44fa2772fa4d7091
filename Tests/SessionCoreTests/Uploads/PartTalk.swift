// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

@testable import SessionCore

/// One conversation of an upload of 32 MiB in four parts, which the server creates as `/0` to `/3`.
struct PartTalk {
    static let mebibyte: Int64 = 1 << 20
    static let length = 8 * mebibyte
    static let joins = UploadSupport.tus(TusSupport(concatenates: true))
    static let concatenation =
        "final;http://host.test/0 http://host.test/1 http://host.test/2 http://host.test/3"

    var machine: ConcatenatedUpload
    var lastExchange: UploadExchange?
    var lastError: TransferError?

    init(
        _ resumption: UploadResumption = .tus, size: Int64 = 32 << 20, parts: Int = 4, point: UploadPoint? = nil
    ) {
        guard let url = try? TransferURL("http://host.test/f") else { fatalError("not a URL") }
        machine = ConcatenatedUpload(
            UploadSubject(target: url, method: .put, name: "f", size: size), resumption, parts: parts, point: point)
    }

    /// Of an earlier process.
    /// - Parameter offsets: of the parts, in MiB.
    static func resumed(_ offsets: [Int64], isTailSent: Bool = false) -> PartTalk {
        var point = UploadPoint(
            .tus, url: "http://host.test/0", target: "http://host.test/f", offset: offsets.reduce(0, +) * mebibyte)
        point.parts = offsets.enumerated().map {
            UploadPoint.Part(url: "http://host.test/\($0)", length: length, offset: $1 * mebibyte)
        }
        point.isTailSent = isTailSent
        return PartTalk(point: point)
    }

    /// All parts are created; the first one is under way.
    static func begun() -> PartTalk {
        var talk = PartTalk()
        _ = talk.begin()
        for number in 0..<4 { _ = talk.says(201, [.location: "/\(number)"]) }
        return talk
    }

    /// The server has all parts; the request that joins them is under way.
    static func complete() -> PartTalk {
        var talk = resumed([8, 8, 8, 8])
        _ = talk.begin()
        for _ in 0..<4 { _ = talk.states(8) }
        return talk
    }

    mutating func begin(_ support: UploadSupport? = PartTalk.joins) -> String { note(machine.begin(knowing: support)) }

    mutating func says(_ status: Int, _ fields: HTTPFields = [:]) -> String {
        note(machine.ended(reply(status, fields)))
    }

    /// The offset of the part that was asked for or appended to, in MiB.
    mutating func states(_ offset: Int64) -> String { says(204, [.uploadOffset: String(offset * Self.mebibyte)]) }

    /// - Parameter sent: bytes of the content; `nil`: all.
    mutating func breaks(
        _ error: TransferError = TransferError(.receiveFailed, "broken"), sent: Int64? = nil
    ) -> String {
        var reply = UploadReply(nil, from: machine.subject.target, error: error)
        reply.sent = sent
        return note(machine.ended(reply))
    }

    mutating func beside() -> String? { machine.beside().map { Self.words($0.exchange) } }

    mutating func says(beside number: Int, _ status: Int) -> BesideEnd {
        machine.ended(beside: number, reply(status, [:]))
    }

    mutating func states(_ offset: Int64, beside number: Int) -> BesideEnd {
        machine.ended(beside: number, reply(204, [.uploadOffset: String(offset * Self.mebibyte)]))
    }

    mutating func breaks(beside number: Int, sent: Int64? = nil) -> BesideEnd {
        let error = TransferError(.receiveFailed, "broken")
        var reply = UploadReply(nil, from: machine.subject.target, error: error)
        reply.sent = sent
        return machine.ended(beside: number, reply)
    }

    private func reply(_ status: Int, _ fields: HTTPFields) -> UploadReply {
        let refusal = TransferError(
            status == 401 ? .loginDenied : .httpStatus, "host.test: returned \(status)", fields: .init(status: status))
        return UploadReply(
            HTTPResponse(status: .init(code: status), headerFields: fields), from: machine.subject.target,
            refusal: status < 300 ? nil : refusal)
    }

    private mutating func note(_ step: UploadStep) -> String {
        lastExchange = step.exchange ?? lastExchange
        lastError = step.error ?? lastError
        return step.words(Self.words) { _ in "" }
    }

    /// As ``Talk``, with `Upload-Concat`.
    static func words(_ exchange: UploadExchange) -> String {
        ([Talk.words(exchange)] + [exchange.fields[.uploadConcat]].compactMap(\.self)).joined(separator: " ")
    }
}
