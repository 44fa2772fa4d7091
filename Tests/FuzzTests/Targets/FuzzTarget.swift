// SPDX-License-Identifier: MIT

/// Code that reads input from outside, to be called with any bytes.
///
/// `FuzzTests` calls each with its corpus and random changes of it; `make fuzz` does the same under libFuzzer, which
/// looks for new branches.
struct FuzzTarget: Sendable {
    typealias Bytes = UnsafeRawBufferPointer

    let name: String
    /// - Throws: ``Violation`` where the result breaks a promise. Traps count too.
    let run: @Sendable (Bytes) throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (Bytes) throws -> Void) {
        self.name = name
        self.run = run
    }

    /// A promise of the code under test that does not hold.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    static let all =
        fields + files + messages + screens + uploads + commands + received + remote + listings
}

/// - Throws: if `isTrue` is false.
func promise(_ isTrue: Bool, _ words: @autoclosure () -> String) throws {
    guard isTrue else { throw FuzzTarget.Violation(description: words()) }
}

extension UnsafeRawBufferPointer {
    /// As text; invalid UTF-8 is repaired.
    var text: String { String(decoding: self, as: UTF8.self) }
    var array: [UInt8] { Array(self) }
}

extension FuzzTarget {
    /// Takes numbers and texts off the front of an input.
    struct Reader {
        private var rest: Slice<UnsafeRawBufferPointer>

        init(_ bytes: Bytes) { rest = bytes[...] }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

        mutating func number(below limit: Int) -> Int { limit > 0 ? (Int(byte()) << 8 | Int(byte())) % limit : 0 }

        /// Up to the next line end.
        mutating func line() -> String {
            let line = rest.prefix { $0 != 10 }
            rest = rest.dropFirst(line.count + 1)
            return String(decoding: line, as: UTF8.self)
        }

        mutating func remaining() -> UnsafeRawBufferPointer {
            defer { rest = rest.dropFirst(rest.count) }
            return UnsafeRawBufferPointer(rebasing: rest)
        }
    }
}
