// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes

/// The response to a request.
struct Answer {
    enum Body {
        case none
        case bytes([UInt8])
        /// The response to `HEAD`: states this many bytes and sends none.
        case omitted(Int64)
        /// These bytes; `first` has already been read.
        case file(any ContentSource, Range<Int64>, first: OpenFile.Chunk)
    }

    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: Body
    /// Reads and discards the request body as if it were accepted: for a repeat of a stored upload.
    var readsWholeBody = false
    /// The charge of the body to a link's downloads.
    var charge: ShareCharge?
    /// The share of ``BodyMemory`` that a large body takes.
    var memory: BodyMemory.Share?

    init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(_ refusal: Refusal) {
        self.init(refusal.status, headers: refusal.headers, text: refusal.message)
    }

    /// One line of text; a line feed is added.
    init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], text: String) {
        self.init(status, headers: headers, body: .bytes(Array((text + "\n").utf8)))
        self.headers[.contentType] = "text/plain; charset=utf-8"
    }

    init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(status, headers: headers, body: .bytes(Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]))
        self.headers[.contentType] = "application/json"
    }

    var contentLength: Int64 {
        switch body {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .omitted(let count): count
        case .file(_, let range, _): Int64(range.count)
        }
    }
}
