// SPDX-License-Identifier: MIT

import HTTPTypes

/// Separates what libcurl's header callback mixes: informational heads, final heads, and trailers. No I/O.
///
/// The callback receives one line at a time, status lines first, an empty line last. Lines after a final head that do
/// not begin with a status line are trailers.
///
/// Heads and trailers are limited: `HTTPFields` traps beyond 65,535 fields, and libcurl limits the bytes of heads but
/// not of trailers.
struct HeadParser {
    enum Event: Equatable {
        case none
        case informational(HTTPResponse)
        case final(HTTPResponse)
        /// A limit is exceeded. The line was dropped; the exchange must end.
        case tooLarge
    }

    /// Maximum fields of a head, or of the trailers.
    static let maximumFields = 1000
    /// Maximum bytes of a head, or of the trailers; about libcurl's limit for heads.
    static let maximumBytes = 300 * 1024
    /// Maximum informational heads before a final one.
    static let maximumInformational = 10_000

    /// Lines and bytes of the current head or trailers.
    private var lines = 0
    private var bytes = 0
    private var informational = 0
    private var status: HTTPResponse.Status?
    private var fields = HTTPFields()
    private var hasFinalHead = false
    /// Whether a status line has begun a head that no empty line has ended yet.
    private var isInHead = false
    private(set) var trailers = HTTPFields()

    /// Whether the last line belongs to an informational head.
    var isInterim: Bool { status?.kind == .informational }

    /// - Parameter line: with its line end.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Event {
        var text = UnsafeRawBufferPointer(line)[...]
        while let last = text.last, last == 13 || last == 10 { text = text.dropLast() }
        // In a head it is a malformed field, as for libcurl, whose status is that of the first line.
        if !isInHead, text.starts(with: "HTTP/".utf8) {
            isInHead = true
            status = Self.parseStatus(text)
            fields = HTTPFields()
            trailers = HTTPFields()
            (lines, bytes) = (0, text.count)
            hasFinalHead = false
            return bytes > Self.maximumBytes ? .tooLarge : .none
        }
        if text.isEmpty {
            isInHead = false
            return endOfHead()
        }
        // Lines, not fields: a continuation line copies its field.
        lines += 1
        bytes += text.count
        guard lines <= Self.maximumFields, bytes <= Self.maximumBytes else { return .tooLarge }
        if hasFinalHead { Self.append(text, to: &trailers) } else { Self.append(text, to: &fields) }
        return .none
    }

    private mutating func endOfHead() -> Event {
        guard let status, !hasFinalHead else { return .none }
        let head = HTTPResponse(status: status, headerFields: fields)
        if status.kind == .informational {
            informational += 1
            return informational > Self.maximumInformational ? .tooLarge : .informational(head)
        }
        hasFinalHead = true
        (lines, bytes, informational) = (0, 0, 0)
        return .final(head)
    }

    /// `HTTP/1.1 404 Not Found` and `HTTP/2 404`.
    private static func parseStatus(_ line: Slice<UnsafeRawBufferPointer>) -> HTTPResponse.Status? {
        guard let space = line.firstIndex(of: 0x20) else { return nil }
        let rest = line[(space + 1)...]
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard digits.count == 3 else { return nil }
        let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let phrase = rest.dropFirst(3).drop { $0 == 0x20 }
        return HTTPResponse.Status(code: code, reasonPhrase: String(decoding: phrase, as: UTF8.self))
    }

    /// Ignores malformed lines; a line that begins with white space continues the previous one (RFC 9112, 5.2).
    private static func append(_ line: Slice<UnsafeRawBufferPointer>, to fields: inout HTTPFields) {
        if let first = line.first, first == 0x20 || first == 0x09 {
            guard let last = fields.last else { return }
            fields.removeLast()
            let value = last.withUnsafeBytesOfValue { Array($0) } + [0x20] + trimmed(line)
            fields.append(HTTPField(name: last.name, value: value))
            return
        }
        guard let colon = line.firstIndex(of: 0x3a),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return }
        fields.append(HTTPField(name: name, value: trimmed(line[(colon + 1)...])))
    }

    /// Raw bytes: file names may be in any charset.
    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var value = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = value.last, last == 0x20 || last == 0x09 { value = value.dropLast() }
        return value
    }
}
