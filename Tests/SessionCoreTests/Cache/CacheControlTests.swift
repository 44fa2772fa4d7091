// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing

@Suite struct CacheControlTests {
    private func control(_ lines: String...) throws -> CacheControl {
        CacheControl(try CacheSamples.fields(lines.map { ("Cache-Control", $0) }))
    }

    @Test(
        arguments: [
            ("max-age=60", .value(60)), ("MAX-AGE=60", .value(60)), ("max-age=\"60\"", .value(60)),
            ("max-age = 60 ", .value(60)),
            ("private, max-age=60, x", .value(60)), (",,max-age=60,,", .value(60)),
            ("a=\"x, y\", max-age=1", .value(1)),
            ("a=\"\\\", max-age=2\", max-age=1", .value(1)), ("a=\"never closed, max-age=60", .value(60)),
            ("max-age=0", .value(0)), ("max-age=007", .value(7)),
            ("max-age=2147483648", .value(2_147_483_648)),
            ("max-age=99999999999999999999999999", .value(2_147_483_648)),
            ("max-age=9223372036854775807", .value(2_147_483_648)),
            ("max-age=5, max-age=5", .value(5)), ("max-age=5, max-age=6", .invalid), ("max-age=5, max-age", .invalid),
            ("max-age", .invalid), ("max-age=", .invalid), ("max-age=-1", .invalid), ("max-age=+1", .invalid),
            ("max-age=1.5", .invalid), ("max-age=60; public", .invalid), ("max-age=\"", .invalid),
            ("max-age=٣", .invalid),
            ("", .absent), ("=60", .absent), ("no-cache", .absent), ("xmax-age=60", .absent),
            ("a=\"max-age=60\"", .absent),
        ] as [(String, CacheControl.Seconds)])
    func secondsAreRead(_ text: String, _ expected: CacheControl.Seconds) throws {
        #expect(try control(text).seconds("max-age") == expected)
    }

    @Test(arguments: [
        ("no-cache", true), ("No-Cache", true), ("no-cache=\"Set-Cookie, X\"", true), ("no-cache=\"x", true),
        ("no-cachex", false), ("x no-cache", false), ("", false),
    ]) func directivesAreFound(_ text: String, _ expected: Bool) throws {
        #expect(try control(text).has("no-cache") == expected)
    }

    @Test func joinsFieldLines() throws {
        let both = try control("max-age=60", "must-revalidate")
        #expect(both.has("must-revalidate"))
        #expect(both.seconds("max-age") == .value(60))
        #expect(try control("max-age=60", "max-age=61").seconds("max-age") == .invalid)
    }

    @Test(arguments: [
        ([("Pragma", "no-cache")], true), ([("Pragma", "x, No-Cache")], true), ([("Pragma", "x")], false),
        ([("Pragma", "no-cache"), ("Cache-Control", "max-age=5")], false),
    ]) func pragmaAppliesAlone(_ fields: [(String, String)], _ expected: Bool) throws {
        #expect(CacheControl(request: try CacheSamples.fields(fields)).has("no-cache") == expected)
    }

    /// Any mixture of the characters that mean something is read to its end, and a directive behind it is not lost
    /// unless it is quoted.
    @Test func toleratesMixedDirectives() throws {
        let alphabet = Array("=\",\\ \tam-0é")
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let text = String(
                (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "=" })
            let lines = try control(text, "no-store")
            #expect(lines.has("no-store"), "\(text)")
            if !text.contains("\"") { #expect(try control(text + ",no-store").has("no-store"), "\(text)") }
        }
    }

    @Test func parsesManyDirectives() throws {
        let text = String(repeating: "a=\"b\",", count: 20_000) + "max-age=3"
        #expect(try control(text).seconds("max-age") == .value(3))
    }
}
