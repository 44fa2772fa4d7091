// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
@testable import TransferModel

extension FuzzTarget {
    /// Servers that answer a resumable upload with anything.
    static let uploads = [FuzzTarget("upload", upload), FuzzTarget("upload-fields", uploadFields)]

    private static func uploadFields(_ bytes: Bytes) throws {
        let text = bytes.text
        _ = UploadProblemDetails(parsing: bytes)
        if let metadata = Tus.Metadata(parsing: text) {
            try promise(Tus.Metadata(parsing: metadata.description) == metadata, "the metadata change: \(metadata)")
        }
        if let limits = UploadLimits(parsing: text), let field = limits.field(for: .newest) {
            try promise(UploadLimits(parsing: field)?.field(for: .newest) == field, "the limits change: \(field)")
        }
    }

    /// Whatever the server says: the attempt ends, nothing is called confirmed that was not sent, and the upload is
    /// never called complete while bytes are missing.
    private static func upload(_ bytes: Bytes) throws {
        var reader = Reader(bytes)
        let target = try TransferURL("http://host.example/files/name")
        let size = Int64([0, 1, 5_000_000][reader.number(below: 3)])
        let subject = UploadSubject(
            target: target, method: reader.byte() & 1 == 0 ? .put : .post, name: "name", size: size,
            needsTarget: reader.byte() & 7 == 0, statesDigests: true)
        let resumption = [UploadResumption.auto, .ietf, .tus][reader.number(below: 3)]
        var machine = ResumableUpload(subject, resumption)
        for _ in 0..<4 {
            var step = machine.begin(knowing: nil)
            var steps = 0
            while case .send(let exchange) = openStep(step) {
                steps += 1
                try promise(steps < 200, "an attempt that does not end")
                try check(exchange, of: subject, machine)
                step = answer(exchange, &reader, &machine)
            }
            try check(machine, size)
            if case .finish = step { return }
            if reader.isAtEnd { return }
        }
    }

    private static func openStep(_ step: ResumableUpload.Step) -> ResumableUpload.Step {
        if case .commit(let exchange) = step { .send(exchange) } else { step }
    }

    private static func check(_ exchange: UploadExchange, of subject: UploadSubject, _ machine: ResumableUpload) throws
    {
        try promise(exchange.url.origin == subject.target.origin, "a request to another origin: \(exchange.url.string)")
        let size = subject.size ?? .max
        if let body = exchange.body {
            try promise(body.lowerBound >= 0 && body.upperBound <= size, "sends \(body) of \(size) bytes")
            try promise(
                body.lowerBound >= machine.point?.offset ?? 0, "sends confirmed bytes again: \(body)")
        }
        try check(machine, size)
    }

    private static func check(_ machine: ResumableUpload, _ size: Int64) throws {
        guard let point = machine.point else { return }
        try promise(point.offset >= 0 && point.offset <= size, "confirmed \(point.offset) of \(size) bytes")
        try promise(machine.reach.admits(point.offset), "confirmed more than was sent")
    }

    /// A status and lines of a head from the input.
    private static func answer(
        _ exchange: UploadExchange, _ reader: inout Reader, _ machine: inout ResumableUpload
    ) -> ResumableUpload.Step {
        let codes = [200, 201, 204, 400, 404, 409, 410, 412, 413, 415, 423, 500, 501, 503, 308, 0]
        let code = codes[reader.number(below: codes.count)]
        if let body = exchange.body { machine.willSend(upTo: body.upperBound) }
        if let body = exchange.body { machine.sent(Int64(reader.byte()) * Int64(body.count) / 255) }
        let head = HTTPResponse(status: .init(code: max(200, code)), headerFields: fields(&reader, exchange))
        if reader.byte() & 3 == 0 {
            let interim = HTTPResponse(status: .init(code: 104), headerFields: fields(&reader, exchange))
            _ = machine.interim(interim, from: exchange.url)
        }
        let refusal = code >= 300 ? TransferError(.httpStatus, "refused") : nil
        let error = code == 0 ? TransferError(.receiveFailed, "lost") : nil
        return machine.ended(
            UploadReply(
                code == 0 ? nil : head, from: exchange.url, error: error, refusal: refusal,
                isEarly: reader.byte() & 15 == 0))
    }

    private static func fields(_ reader: inout Reader, _ exchange: UploadExchange) -> HTTPFields {
        var fields = HTTPFields()
        for _ in 0..<reader.number(below: 5) {
            let names: [HTTPField.Name] = [
                .location, .uploadOffset, .uploadComplete, .uploadLimit, .uploadLength, .tusResumable, .tusVersion,
                .tusExtension, .wantContentDigest,
            ]
            let name = names[reader.number(below: names.count)]
            let usual = [
                "/files/1", "0", "?1", "max-append-size=1048576", "5000000", "1.0.0", "1.0.0", "creation", "?0",
                "2500000", "8", "http://other.example/1", "sha-256=10",
            ]
            let choice = reader.number(below: usual.count + 4)
            fields.append(HTTPField(name: name, value: choice < usual.count ? usual[choice] : reader.line()))
        }
        return fields
    }
}
