// SPDX-License-Identifier: MIT

import Testing

@testable import TransferControl

@Suite struct LineFramerTests {
    private static func frame(_ pieces: [String], maximum: Int = 8) -> [LineFramer.Output] {
        var framer = LineFramer(maximum: maximum)
        return pieces.flatMap { piece in Array(piece.utf8).withUnsafeBytes { framer.receive($0) } }
    }

    private static func line(_ text: String) -> LineFramer.Output { .line(Array(text.utf8)) }

    @Test(
        arguments: [
            ([], []), ([""], []), (["abc"], []), (["abc\n"], ["abc"]), (["a", "b", "c\n"], ["abc"]),
            (["a\nb\nc"], ["a", "b"]),
            (["\n\n\na\n\n"], ["a"]), (["a\r\nb\r\n"], ["a", "b"]), (["\r\n\r\n"], []),
            (["a\r", "\nb\n"], ["a", "b"]),
            (["a\rb\n"], ["a\rb"]), (["a\r\r\n"], ["a\r"]), (["12345678\n"], ["12345678"]),
            (["1234", "5678", "\n"], ["12345678"]),
            (["é\u{0}\n"], ["é\u{0}"]),
        ] as [([String], [String])])
    func lines(_ pieces: [String], _ expected: [String]) { #expect(Self.frame(pieces) == expected.map(Self.line)) }

    @Test(
        arguments: [
            (["123456789\n"], []), (["123456789"], []), (["1234", "5678", "9"], []), (["a\n123456789\nb\n"], ["a"]),
            (["a\n", "123456789", "b\nc\n"], ["a"]),
        ] as [([String], [String])])
    func aTooLongLineIsTheLast(_ pieces: [String], _ before: [String]) {
        #expect(Self.frame(pieces) == before.map(Self.line) + [.tooLong])
    }

    /// However the bytes are cut, the lines are the same.
    @Test func anySplitGivesTheSameLines() {
        let text = "one\r\ntwo\n\n三\nfour\n"
        let bytes = Array(text.utf8)
        let expected = ["one", "two", "三", "four"].map(Self.line)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var framer = LineFramer(maximum: 8)
                let output = [bytes[..<first], bytes[first..<second], bytes[second...]].flatMap { piece in
                    Array(piece).withUnsafeBytes { framer.receive($0) }
                }
                #expect(output == expected)
            }
        }
    }

    @Test func neverHoldsAGigabyte() {
        var framer = LineFramer(maximum: 4 << 20)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
        var held = 0
        var tooLong = 0
        for _ in 0..<16_384 {
            tooLong += piece.withUnsafeBytes { framer.receive($0) }.count
            held = max(held, framer.heldBytes)
        }
        #expect(held == 4 << 20)
        #expect(tooLong == 1)
        #expect(framer.heldBytes == 0)
    }
}
