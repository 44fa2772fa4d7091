// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// The head of a response as a slot reads it: in place, line by line, and kept as it came for a task that may have to
/// read it again. No I/O.
struct PlainHead {
    enum Verdict: Equatable {
        /// The head is not complete.
        case incomplete
        /// A success without anything to decide: a 200, of an upload also another.
        case plain(length: Int)
        /// A task decides.
        case other
    }

    private(set) var verdict = Verdict.incomplete
    /// All lines with their ends.
    private(set) var bytes: [UInt8] = []
    /// `Last-Modified`, seconds since 1970.
    private(set) var modified: Int64?
    /// `Location` of the response to an upload.
    private(set) var location: String?
    private var length: Int?
    private var lines = 0
    private var isOther = false
    private var isSecure = false
    private var isOfUpload = false
    private var knownPolicy: [UInt8]?
    /// `Strict-Transport-Security` as it came, where that is not ``knownPolicy``.
    private(set) var newPolicy: [UInt8]?

    /// A new response.
    /// - Parameter knownPolicy: a line of `Strict-Transport-Security` that need not be noted again.
    mutating func begin(isSecure: Bool, isOfUpload: Bool = false, knownPolicy: [UInt8]? = nil) {
        self.isOfUpload = isOfUpload
        bytes.removeAll(keepingCapacity: true)
        (verdict, modified, location, length, isOther, lines) = (.incomplete, nil, nil, nil, false, 0)
        (self.isSecure, self.knownPolicy, newPolicy) = (isSecure, knownPolicy, nil)
    }

    /// Marks the response as one that needs a task, for a reason that the head does not show.
    mutating func demandTask() { verdict = .other }

    /// - Parameter line: with its end.
    /// - Returns: false where the head is larger than any is allowed to be.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        let isFirst = bytes.isEmpty
        bytes.append(contentsOf: line)
        lines += 1
        if lines > HeadParser.maximumFields { isOther = true }
        guard bytes.count <= HeadParser.maximumBytes else { return false }
        // An informational head before it, another one behind it, trailers.
        if verdict != .incomplete || isOther && !isFirst {
            if verdict != .incomplete { verdict = .other } else { finishIfEmpty(line) }
            return true
        }
        if isFirst {
            let status = Self.status(line)
            isOther = isOfUpload ? ![200, 201, 202, 204].contains(status) : status != 200
            // Such a response has no body (RFC 9110, section 15.3.5).
            if status == 204 { length = 0 }
        } else if !finishIfEmpty(line) {
            field(line)
        }
        return true
    }

    /// - Returns: whether the line is empty, which ends the head.
    @discardableResult
    private mutating func finishIfEmpty(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.allSatisfy({ $0 == 13 || $0 == 10 }) else { return false }
        if !isOther, let length, length <= Int(PlainFetch.maximumBody) {
            verdict = .plain(length: length)
        } else {
            verdict = .other
        }
        return true
    }

    /// `HTTP/1.1 200 OK`, `HTTP/2 200`; 0: anything else.
    private static func status(_ line: UnsafeRawBufferPointer) -> Int {
        guard line.count >= 10, line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: 0x20),
            space + 3 < line.count,
            space + 4 == line.count || line[space + 4] == 0x20 || line[space + 4] == 13 || line[space + 4] == 10
        else { return 0 }
        return number(UnsafeRawBufferPointer(rebasing: line[(space + 1)...(space + 3)])) ?? 0
    }

    /// The length of a name distinguishes most of them.
    private mutating func field(_ line: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[0] > 0x20 else { return isOther = true }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        switch colon {
        case 7: if isSecure, Self.equals(name, "alt-svc") { isOther = true }
        case 8:
            guard isOfUpload, Self.equals(name, "location") else { return }
            let value = Self.value(line, colon)
            guard location == nil, value.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return isOther = true }
            location = String(decoding: value, as: UTF8.self)
        case 12:
            // A document that describes a file: its task decides whether it is one.
            if !isOfUpload, Self.equals(name, "content-type"), Self.isMetalink(Self.value(line, colon)) {
                isOther = true
            }
        case 13: if Self.equals(name, "last-modified") { modified = Self.date(Self.value(line, colon)) }
        case 14:
            guard Self.equals(name, "content-length") else { return }
            let value = Self.value(line, colon)
            guard length == nil, let number = Self.number(value) else { return isOther = true }
            length = number
        case 16: if !isOfUpload, Self.equals(name, "content-encoding") { isOther = true }
        case 17: if Self.equals(name, "transfer-encoding") { isOther = true }
        case 19: if !isOfUpload, Self.equals(name, "content-disposition") { isOther = true }
        case 25:
            guard isSecure, Self.equals(name, "strict-transport-security") else { return }
            guard !(knownPolicy.map { $0.elementsEqual(line) } ?? false) else { return }
            newPolicy = Array(line)
            isOther = true
        default: break
        }
    }

    /// - Parameter name: in lower case.
    private static func equals(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count {
            let byte = bytes[index]
            // Letters alone have two cases: a bit less makes a CR of a hyphen.
            guard (byte &- 0x41 < 26 ? byte | 0x20 : byte) == name.utf8Start[index] else { return false }
        }
        return true
    }

    private static func isMetalink(_ type: UnsafeRawBufferPointer) -> Bool {
        let name: StaticString = "application/metalink4+xml"
        return type.count >= name.utf8CodeUnitCount
            && equals(UnsafeRawBufferPointer(rebasing: type[..<name.utf8CodeUnitCount]), name)
    }

    private static func value(_ line: UnsafeRawBufferPointer, _ colon: Int) -> UnsafeRawBufferPointer {
        var (start, end) = (colon + 1, line.count)
        while start < end, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
        // As ``HeadParser`` does: other control characters are part of the value.
        while end > start, line[end - 1] == 13 || line[end - 1] == 10 { end -= 1 }
        while end > start, line[end - 1] == 0x20 || line[end - 1] == 0x09 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[start..<end])
    }

    private static func number(_ digits: UnsafeRawBufferPointer) -> Int? {
        guard (1...18).contains(digits.count) else { return nil }
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }

    private static func date(_ text: UnsafeRawBufferPointer) -> Int64? {
        HTTPDate.parse(fixed: text) ?? HTTPDate.parse(String(decoding: text, as: UTF8.self))
    }
}
