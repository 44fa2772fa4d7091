// SPDX-License-Identifier: MIT

@testable import CurlTransport
import HTTPTypes
import Testing

@Suite struct HeadParserTests {
    /// Feeds lines as libcurl does, and names what came of them.
    private func events(_ lines: [String], _ parser: inout HeadParser) -> [String] {
        lines.compactMap { line in
            let event = Array((line + "\r\n").utf8).withUnsafeBytes { parser.take($0) }
            return switch event {
            case .none: nil
            case .informational(let head): "1xx \(head.status.code)"
            case .final(let head): "final \(head.status.code) \(head.headerFields.count)"
            case .tooLarge: "too large"
            }
        }
    }

    @Test(arguments: [
        (["HTTP/1.1 200 OK", "A: b", ""], ["final 200 1"]),
        (["HTTP/2 204", ""], ["final 204 0"]),
        (
            ["HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: x", "", "HTTP/1.1 200 OK", ""],
            ["1xx 100", "1xx 103", "final 200 0"]
        ),
        (
            ["HTTP/1.1 401 No", "WWW-Authenticate: Digest x", "", "HTTP/1.1 200 OK", "A: b", ""],
            ["final 401 1", "final 200 1"]
        ),
        (["HTTP/1.1 101 Switching Protocols", "Upgrade: x", "", "HTTP/2 200", ""], ["1xx 101", "final 200 0"]),
        (["HTTP/1.1 200", "no colon here", "Bad Name: x", "Good: y", ""], ["final 200 1"]),
        (["HTTP/1.1 200 OK", "HTTP/2 206+A: b", "HTTP/1.1 404", "C: d", ""], ["final 200 1"]),
    ]) func separatesHeads(_ lines: [String], _ expected: [String]) {
        var parser = HeadParser()
        #expect(events(lines, &parser) == expected)
    }

    @Test func knowsInterimHeads() {
        var parser = HeadParser()
        let lines = ["HTTP/1.1 102 Processing", "X: y", "", "HTTP/1.1 200 OK", "X: y", ""]
        let isInterim = lines.map { line in
            _ = events([line], &parser)
            return parser.isInterim
        }
        #expect(isInterim == [true, true, true, false, false, false])
    }

    @Test func parsesTrailers() {
        var parser = HeadParser()
        #expect(events(["HTTP/1.1 200 OK", "A: b", "", "Digest: later", ""], &parser) == ["final 200 1"])
        #expect(parser.trailers[HTTPField.Name("Digest")!] == "later")
    }

    @Test func keepsInvalidUTF8() throws {
        var parser = HeadParser()
        var head: HTTPResponse?
        let lines: [[UInt8]] = [
            Array("HTTP/1.1 200 OK\r\n".utf8), Array("A: ".utf8) + [0x8E, 0xCA, 0x0D, 0x0A], Array(" b\r\n".utf8),
            [0x0D, 0x0A],
        ]
        for line in lines { if case .final(let final) = line.withUnsafeBytes({ parser.take($0) }) { head = final } }
        let field = try #require(head?.headerFields.first { $0.name == HTTPField.Name("A")! })
        #expect(field.withUnsafeBytesOfValue { Array($0) } == [0x8E, 0xCA, 0x20, 0x62])
    }

    @Test func limitsFields() {
        let most = Array(repeating: "a: b", count: HeadParser.maximumFields)
        var parser = HeadParser()
        #expect(events(["HTTP/1.1 200 OK"] + most + [""], &parser) == ["final 200 1000"])
        #expect(events(most + [""], &parser).isEmpty)
        #expect(parser.trailers.count == HeadParser.maximumFields)
        parser = HeadParser()
        #expect(events(["HTTP/1.1 200 OK"] + most + ["a: b"], &parser) == ["too large"])
        parser = HeadParser()
        #expect(events(["HTTP/1.1 200 OK", ""] + most + ["a: b"], &parser) == ["final 200 0", "too large"])
    }

    @Test func limitsBytes() {
        let line = "a: " + String(repeating: "b", count: 1020)
        var parser = HeadParser()
        #expect(events(["HTTP/1.1 200 OK"] + Array(repeating: line, count: 299) + [""], &parser) == ["final 200 299"])
        #expect(events(Array(repeating: line, count: 301), &parser) == ["too large"])
        parser = HeadParser()
        #expect(events(["HTTP/1.1 200 OK"] + Array(repeating: " " + line, count: 301), &parser).first == "too large")
        parser = HeadParser()
        #expect(
            events(["HTTP/1.1 200 " + String(repeating: "x", count: HeadParser.maximumBytes)], &parser) == ["too large"]
        )
    }

    @Test func limitsInformationalHeads() {
        var parser = HeadParser()
        let found = events(
            (0...HeadParser.maximumInformational).flatMap { _ in ["HTTP/1.1 103 Early Hints", ""] }, &parser)
        #expect(found.last == "too large")
        #expect(found.count == HeadParser.maximumInformational + 1)
    }

    @Test func foldedLinesContinue() throws {
        var parser = HeadParser()
        var head: HTTPResponse?
        for line in ["HTTP/1.1 200 OK", "A: one", "  two", ""] {
            if case .final(let final) = Array((line + "\r\n").utf8).withUnsafeBytes({ parser.take($0) }) {
                head = final
            }
        }
        #expect(head?.headerFields[HTTPField.Name("A")!] == "one two")
    }
}

@Suite struct TokenBucketTests {
    @Test func unlimitedBucketsAreNeverEmpty() {
        var bucket = TokenBucket(rate: nil, now: 0)
        bucket.take(1_000_000_000)
        let available = bucket.available(0)
        #expect(available == .max)
        #expect(bucket.nextOpening(0) == nil)
    }

    @Test(arguments: [1_000, 50_000, 10_000_000]) func limitsTheAverageRate(_ rate: Int) {
        var bucket = TokenBucket(rate: rate, now: 0)
        var passed = 0
        for step in 0...10_000 {
            let now = Double(step) / 1000
            let piece = min(bucket.available(now), 16_384)
            bucket.take(piece)
            passed += piece
        }
        #expect(passed <= rate * 10 + rate / 10)
        #expect(passed >= rate * 9)
    }

    @Test func capacityIsATenthOfASecond() {
        var bucket = TokenBucket(rate: 1000, now: 0)
        let available = bucket.available(3600)
        #expect(available == 100)
    }

    @Test func emptyBucketsReportTheirRefill() throws {
        var bucket = TokenBucket(rate: 1000, now: 0)
        bucket.take(100)
        let opening = try #require(bucket.nextOpening(0))
        #expect(abs(opening - 0.2) < 0.001)
        let before = bucket.available(0)
        let after = bucket.available(opening + 0.001)
        #expect(before == 0)
        #expect(after >= 100)
    }

    @Test func newRatesApplyImmediately() {
        var bucket = TokenBucket(rate: 1_000_000, now: 0)
        _ = bucket.available(1)
        bucket.setRate(10, now: 1)
        let available = bucket.available(1)
        #expect(available <= 1)
    }
}
