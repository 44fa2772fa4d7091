// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Errors below the program are values, so that a table of any language can word them: `TransferProblem`,
/// `FileProblem`, `ContentMismatch`, `ParameterProblem`, `Refusal`, or a variant with its fields. Few have an English
/// sentence alone.
@Suite struct ErrorValueTests {
    /// The most errors of each target that have a sentence alone. A number may fall, not rise.
    static let ceilings = [
        "CurlTransport": 0, "FileQTransfer": 0, "FileServer": 0, "Listings": 0, "Markup": 0, "Platform": 0,
        "SessionCore": 0,
        "TransferControl": 1, "TransferModel": 3, "TransferService": 3, "TransferStore": 2,
    ]

    @Test(arguments: ceilings.keys.sorted()) func sentencesComeWithValues(_ target: String) throws {
        let ceiling = try #require(Self.ceilings[target])
        var found: [String] = []
        for file in try LayeringTests.swiftFiles(in: LayeringTests.root.appending(path: "Sources/\(target)")) {
            let calls = Self.sentencesAlone(in: try String(contentsOf: file, encoding: .utf8))
            found += calls.map { "\(file.lastPathComponent): \($0)" }
        }
        #expect(found.count <= ceiling, "\(found.sorted().joined(separator: "\n"))" as Comment)
    }

    @Test(arguments: [
        (#"throw TransferError(.usage, "no")"#, 1), (#"TransferError(\#n    .other,\#n    "(a) \(b)")"#, 1),
        (#"TransferError(isA ? .usage : .other, "no", fields: .init(path: "/x"))"#, 1),
        (#"TransferError(.usage, "no", fields: .init(variant: .noLog)); TransferError(.usage, "no")"#, 1),
        (#"TransferError(.usage, "no", fields: .init(variant: .noLog))"#, 0),
        (#"TransferError(.cannotWrite, file: .write, path: "/x")"#, 0),
        (#"TransferError(.sessionNoStreams); f(a, "b")"#, 0),
    ]) func callsAreRead(_ text: String, _ count: Int) {
        #expect(Self.sentencesAlone(in: text).count == count)
    }

    /// The arguments of each call of the initializer whose second is a literal and that names no variant.
    static func sentencesAlone(in text: String) -> [Substring] {
        text.ranges(of: "TransferError(").map { arguments(text[$0.upperBound...]) }.filter { call in
            guard let comma = call.firstIndex(of: ",") else { return false }
            return call[comma...].dropFirst().drop(while: \.isWhitespace).hasPrefix("\"") && !call.contains("variant:")
        }
    }

    /// Up to the parenthesis that closes the call. Those of texts are pairs.
    private static func arguments(_ rest: Substring) -> Substring {
        var depth = 1
        for index in rest.indices {
            switch rest[index] {
            case "(": depth += 1
            case ")": depth -= 1
            default: break
            }
            if depth == 0 { return rest[..<index] }
        }
        return rest
    }
}
