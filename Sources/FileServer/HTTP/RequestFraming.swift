// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The framing of a request body (RFC 9112, section 6.3).
enum RequestFraming: Equatable {
    case none
    case length(Int64)
    case chunked

    /// - Throws: 400 for an invalid length or coding, 413 for a length above any file size, 501 for unsupported
    ///   codings.
    init(_ fields: HTTPFields) throws(Refusal) {
        let codings = fields[values: .transferEncoding].flatMap { $0.split(separator: ",") }
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased() }
        if !codings.isEmpty {
            guard codings.last == "chunked", !codings.dropLast().contains("chunked"), !codings.contains("identity")
            else {
                throw Refusal(.badRequest, "Transfer-Encoding must be 'chunked'")
            }
            guard codings.count == 1 else {
                throw Refusal(.notImplemented, "of the transfer codings, only 'chunked' is implemented")
            }
            self = .chunked
            return
        }
        guard let text = fields[.contentLength] else {
            self = .none
            return
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw Refusal(.badRequest, "Content-Length is not a number")
        }
        guard let length = Int64(text) else {
            throw Refusal(.contentTooLarge, "Content-Length is too large")
        }
        self = .length(length)
    }

    /// Bytes, if known in advance.
    var length: Int64? {
        switch self {
        case .none, .chunked: nil
        case .length(let length): length
        }
    }
}
