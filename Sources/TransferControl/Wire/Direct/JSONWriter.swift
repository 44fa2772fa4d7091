// SPDX-License-Identifier: MIT

import TransferModel

/// JSON written straight into bytes, without a tree or a box in between: what a list of 100,000 transfers needs.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// Whether the next member or element is the first of its container.
    private var isFirst = true
    /// The sentences of transfers.
    var words = TransferWords.plain

    package init() {}

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    package mutating func beginObject() { begin("{") }
    package mutating func endObject() { end("}") }
    package mutating func beginArray() { begin("[") }
    package mutating func endArray() { end("]") }

    /// The name of the next member; its value follows.
    mutating func key(_ name: StaticString) {
        element()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// The same for a name that is not known in advance.
    package mutating func key(text name: String) {
        element()
        write(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Before each element of an array.
    package mutating func element() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    package mutating func write(_ value: some FixedWidthInteger) { bytes.append(contentsOf: String(value).utf8) }

    package mutating func write(_ value: Bool) { bytes.append(contentsOf: (value ? "true" : "false").utf8) }

    /// A number that is not finite becomes a string, as in ``ControlCoding``.
    package mutating func write(_ value: Double) {
        if value == value.rounded(), abs(value) < 9e15 {
            write(Int64(value))
        } else if value.isFinite {
            bytes.append(contentsOf: value.description.utf8)
        } else {
            write(value.isNaN ? "nan" : value > 0 ? "inf" : "-inf")
        }
    }

    package mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            bytes.append(UInt8(ascii: "\""))
            if utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { escape(byte) }
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// JSON that is encoded already.
    package mutating func write(json: some Collection<UInt8>) { bytes.append(contentsOf: json) }

    mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    private mutating func begin(_ sign: Unicode.Scalar) {
        bytes.append(UInt8(ascii: sign))
        isFirst = true
    }

    private mutating func end(_ sign: Unicode.Scalar) {
        bytes.append(UInt8(ascii: sign))
        isFirst = false
    }
}
