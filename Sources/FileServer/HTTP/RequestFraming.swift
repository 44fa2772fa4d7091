// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// How the end of a request's body is found (RFC 9112, section 6.3).
enum RequestFraming: Equatable {
    case none
    case length(Int64)
    case chunked

    /// - Throws: 400 for a length that is no number and for codings that cannot be meant, 413 for a length that no file
    ///   has, 501 for codings that this server does not undo.
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
            throw Refusal(.badRequest, "Content-Length is not a number of bytes")
        }
        guard let length = Int64(text) else {
            throw Refusal(.contentTooLarge, "no file holds as many bytes as Content-Length announces")
        }
        self = .length(length)
    }

    /// Bytes, where they are known beforehand.
    var length: Int64? {
        switch self {
        case .none, .chunked: nil
        case .length(let length): length
        }
    }
}
