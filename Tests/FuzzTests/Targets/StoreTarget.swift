// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel
@testable import TransferService

extension FuzzTarget {
    /// A store that says anything: one line of each response is its status and its tag, the rest up to a blank line its
    /// content. The attempt ends, nothing is sent that the file does not have, and no upload is complete while parts
    /// are missing.
    static func store(_ bytes: Bytes) throws {
        _ = S3Document.read(Array(bytes))
        var reader = Reader(bytes)
        let target = try TransferURL("http://store.example/bucket/key")
        let size = Int64([0, 100, 20 << 20][reader.number(below: 3)])
        let digests = MultipartUpload.Digests(sha256: { _ in [1] }, md5: { _ in [2] }, base64: { _ in "AQ==" })
        var machine = MultipartUpload(
            UploadSubject(target: target, method: .put, name: "key", size: size), region: "r", digests: digests)
        var stored: Set<Int64> = []
        for _ in 0..<4 {
            var step = machine.begin(knowing: nil)
            var steps = 0
            while let exchange = opened(step) {
                steps += 1
                try promise(steps < 200, "an attempt that does not end")
                try promise(exchange.url.origin == target.origin, "a request to another origin")
                if let body = exchange.body {
                    try promise(body.lowerBound >= 0 && body.upperBound <= size, "sends \(body) of \(size) bytes")
                    stored.insert(body.lowerBound)
                }
                step = machine.ended(response(&reader, from: target))
            }
            let offset = machine.point?.offset ?? 0
            try promise((0...size).contains(offset), "confirms \(offset) of \(size) bytes")
            if case .finish = step {
                let isWhole = size <= 8 << 20 ? !stored.isEmpty : offset == size
                return try promise(isWhole, "complete with \(offset) of \(size) bytes")
            }
            if reader.isAtEnd { return }
        }
    }

    private static func opened(_ step: UploadStep) -> UploadExchange? {
        switch step {
        case .send(let exchange), .commit(let exchange): exchange
        default: nil
        }
    }

    private static func response(_ reader: inout Reader, from url: TransferURL) -> UploadReply {
        let words = reader.line().split(separator: " ", maxSplits: 1).map(String.init)
        var content = ""
        while !reader.isAtEnd {
            let line = reader.line()
            if line.isEmpty { break }
            content += line + "\n"
        }
        guard let status = words.first.flatMap({ Int($0) }), (200...599).contains(status) else {
            return UploadReply(nil, from: url, error: TransferError(.receiveFailed, "broken"))
        }
        var head = HTTPResponse(status: .init(code: status))
        if words.count > 1 { head.headerFields[.eTag] = words[1] }
        let refusal = TransferError(.httpStatus, "returned \(status)", fields: .init(status: status))
        var reply = UploadReply(head, from: url, refusal: status < 300 ? nil : refusal)
        (reply.answer, reply.digest) = (S3Document.read(Array(content.utf8)), [1])
        return reply
    }
}
