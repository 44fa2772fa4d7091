// SPDX-License-Identifier: MIT

package import TransferModel

/// How a ``LabServer`` handles a request: delays, response, faults.
package struct LabBehaviour: Sendable, Hashable {
    /// Where in a body a fault occurs.
    package enum Place: Sendable, Hashable {
        /// Before the response head; for an upload, after its whole body has been read.
        case head
        /// After so many bytes of the response body; for an upload, of the request body.
        case bytes(Int64)
    }

    /// Seconds before the response head.
    package var waitHead = 0.0
    /// Seconds between the head and the first line of the body.
    package var waitFirst = 0.0
    /// Seconds between the first and the second line.
    package var waitSecond = 0.0
    /// Bytes of the file; it consists of lines of ``LabContent/lineBytes`` bytes.
    package var size: Int64 = 2 * LabContent.lineBytes
    /// Which version of the file: another one has another ETag and other bytes. 0 to 9999.
    package var version = 1
    package var fault: LabFault?
    /// `nil`: half of the body; the head for ``LabFault/close``.
    package var place: Place?
    /// Bytes per second in either direction. `nil`: unlimited.
    package var rate: Int?
    /// The number of informational responses or redirects.
    package var count: Int?
    /// The number of requests for the same target with the fault. `nil`: all.
    package var times: Int?
    /// Seconds that `Retry-After` names.
    package var retryAfter = 1
    /// The number of redirects before this request.
    var hop = 0

    package init() {}

    /// The names and meanings of the parameters, in the order of the index page.
    static let parameters: [(name: String, meaning: String)] = [
        ("wait-head", "seconds before the head of the response; fractions are allowed"),
        ("wait-first", "seconds before the first line of the body"),
        ("wait-second", "seconds before the second line"),
        ("size", "bytes of the file, such as 500k, 10M"),
        ("lines", "its lines instead, of 64 bytes each (2 unless given)"),
        ("version", "0 to 9999: another version has another ETag and other bytes"),
        ("fault", "what goes wrong, see below"),
        ("at", "bytes of body after which it does, or 'head' for before the response (half of the body unless given)"),
        ("rate", "bytes a second, such as 500k, either way"),
        ("count", "how many informational responses or redirects"),
        ("times", "so many requests for the same target meet the fault, later ones do not"),
        ("retry-after", "whole seconds for Retry-After"),
    ]

    /// Applies a query to the current values.
    /// - Parameter query: `name=value` joined by `&`, percent-encoded; an empty one changes nothing.
    /// - Throws: code `usage`, naming the parameter and its values.
    package mutating func apply(query: some StringProtocol) throws(TransferError) {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(parts[0]),
                let value = PercentCoding.decode(parts.count == 2 ? parts[1] : "")
            else { throw TransferError(.usage, "the query holds a broken escape") }
            try set(name, value)
        }
    }

    /// Sets one parameter, named as in a query.
    /// - Throws: as ``apply(query:)``.
    package mutating func set(_ name: String, _ value: String) throws(TransferError) {
        switch name {
        case "wait-head": waitHead = try Self.seconds(name, value)
        case "wait-first": waitFirst = try Self.seconds(name, value)
        case "wait-second": waitSecond = try Self.seconds(name, value)
        case "size": size = Int64(try Self.bytes(name, value, atMost: Self.largestSize))
        case "lines":
            size =
                LabContent.lineBytes
                * Int64(try Self.number(name, value, 0...Int(Self.largestSize / LabContent.lineBytes)))
        case "version": version = try Self.number(name, value, 0...9999)
        case "fault": fault = try Self.fault(value)
        case "at": place = try Self.place(value)
        case "rate": rate = try Self.bytes(name, value, atLeast: 1, atMost: 1 << 40)
        case "count": count = try Self.number(name, value, 0...10_000)
        case "times": times = try Self.number(name, value, 0...1_000_000)
        case "retry-after": retryAfter = try Self.number(name, value, 0...86_400)
        case "hop": hop = try Self.number(name, value, 0...1_000_000)
        default:
            throw TransferError(
                .usage,
                "there is no parameter '\(Self.shown(name))': "
                    + Self.parameters.map(\.name).joined(separator: ", "))
        }
    }

    static let largestSize: Int64 = 1 << 40

    private static func fault(_ value: String) throws(TransferError) -> LabFault? {
        if value.isEmpty || value == "none" { return nil }
        guard let fault = LabFault(rawValue: value) else {
            throw TransferError(
                .usage,
                "there is no fault '\(shown(value))': "
                    + LabFault.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return fault
    }

    private static func place(_ value: String) throws(TransferError) -> Place {
        value == "head" ? .head : .bytes(Int64(try bytes("at", value, atMost: largestSize)))
    }

    private static func seconds(_ name: String, _ value: String) throws(TransferError) -> Double {
        guard let seconds = Double(value), seconds >= 0, seconds <= 86_400 else {
            throw TransferError(.usage, "\(name): write seconds from 0 to 86400, such as 2 or 0.5")
        }
        return seconds
    }

    private static func number(_ name: String, _ value: String, _ range: ClosedRange<Int>) throws(TransferError) -> Int
    {
        guard let number = Int(value), range.contains(number) else {
            throw TransferError(.usage, "\(name): write a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func bytes(
        _ name: String, _ value: String, atLeast least: Int = 0,
        atMost most: Int64
    ) throws(TransferError) -> Int {
        guard let bytes = ByteCount.parse(value), bytes >= least, bytes <= most else {
            throw TransferError(.usage, "\(name): write bytes such as 4096, 500k or 10M")
        }
        return bytes
    }

    /// A client's text, sanitized for one line.
    private static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(60).filter { $0.value >= 0x20 && $0.value < 0x7f }))
    }
}
