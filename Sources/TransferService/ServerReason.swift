// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// The reason of a refusal in the body of the response, for a message. Pure.
enum ServerReason {
    /// Bytes of a body that are parsed.
    static let limit = 4096

    /// One line of at most 200 characters without control characters: of plain text the first line, of JSON the member
    /// with the message (RFC 9457: `detail`), of S3's XML `<Message>`. Empty for other markup and for bytes that are
    /// not text.
    static func text(of bytes: [UInt8]) -> String {
        // The last character may be truncated.
        guard let text = (0...3).lazy.compactMap({ String(validating: bytes.dropLast($0), as: UTF8.self) }).first else {
            return ""
        }
        return switch text.first(where: { !$0.isWhitespace }) {
        case "<": ofMarkup(text)
        case "{", "[": ofJSON(bytes)
        default: TextLine.first(of: text)
        }
    }

    private static func ofJSON(_ bytes: [UInt8]) -> String {
        guard let problem = try? JSONDecoder().decode(Problem.self, from: Data(bytes)) else { return "" }
        return TextLine.first(of: problem.text ?? "")
    }

    private static func ofMarkup(_ text: String) -> String {
        if let start = text.firstRange(of: "<Message>"),
            let end = text[start.upperBound...].firstRange(of: "</Message>")
        {
            return TextLine.first(of: unescape(String(text[start.upperBound..<end.lowerBound])))
        }
        return pages.first { text.contains($0.words) }?.meaning ?? ""
    }

    /// Pages of nginx and Apache with more information than their status.
    private static let pages: [(words: String, meaning: String)] = [
        ("plain HTTP request was sent to HTTPS port", speaksTLS),
        ("speaking plain HTTP to an SSL-enabled server port", speaksTLS),
        ("No required SSL certificate was sent", "the server demands a client certificate"),
        ("The SSL certificate error", "the server does not accept the client certificate"),
    ]
    private static let speaksTLS = "this port speaks TLS; use https://"

    private static func unescape(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")].reduce(text) {
            $0.replacing($1.0, with: $1.1)
        }
    }

    /// The members in which servers send their reason, the usual ones first.
    private struct Problem: Decodable {
        var text: String?

        private enum Key: String, CodingKey, CaseIterable {
            case message, detail, errorDescription = "error_description", error, title, reason
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            for key in Key.allCases {
                if let value = try? members.decode(String.self, forKey: key), !value.isEmpty {
                    text = value
                    return
                }
                if key == .error, let inner = try? members.decode(Problem.self, forKey: key), let found = inner.text {
                    text = found
                    return
                }
            }
        }
    }
}
