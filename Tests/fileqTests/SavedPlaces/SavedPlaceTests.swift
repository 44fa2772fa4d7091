// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import fileq

@Suite struct SavedPlaceTests {
    private static let base = "https://nas.test/dav/photos/"

    private static func places(_ url: String = Self.base) throws -> SavedPlaces {
        SavedPlaces(byName: ["nas": try SavedPlace(name: "nas", url: url)])
    }

    @Test(arguments: [
        ("nas:", ""), ("nas:a.jpg", "a.jpg"), ("nas:/a.jpg", "a.jpg"), ("nas:sub/", "sub/"), ("nas:a//b", "a//b"),
        ("nas:a b+c&d=e?f#g", "a%20b%2Bc%26d%3De%3Ff%23g"), ("nas:100%", "100%25"), ("nas:%2e%2e/x", "%252e%252e/x"),
        ("nas:2026/夏.jpg", "2026/%E5%A4%8F.jpg"), ("nas:a:b@c", "a%3Ab%40c"), ("nas:..a/b..", "..a/b.."),
        ("nas:a\\b\n", "a%5Cb%0A"), ("nas:8080/x", "8080/x"), ("nas:/\u{301}x", "%CC%81x"), ("nas:~x", "~x"),
    ])
    func pathsAreEncodedBelowThePlace(_ word: String, _ expected: String) throws {
        let found = try #require(try Self.places().resolve(word))
        #expect(found.url == Self.base + expected)
        #expect(try TransferURL(found.url).string == found.url)
    }

    @Test(arguments: ["nas:..", "nas:../x", "nas:a/../b", "nas:/../x", "nas:a/..", "nas:a//../.."])
    func nothingAboveThePlaceIsReached(_ word: String) throws {
        let places = try Self.places()
        let error = #expect(throws: TransferError.self) { try places.resolve(word) }
        #expect(error?.code == .usage)
    }

    /// Object names are literal, as in `s3://`.
    @Test func keysOfS3AreNotEncoded() throws {
        let places = try Self.places("s3://backup/a b")
        #expect(try places.resolve("nas:100%/夏?.jpg")?.url == "s3://backup/a b/100%/夏?.jpg")
    }

    @Test(arguments: [
        "https://nas/x", "nas://x", "NAS://x", "localhost:8080/x", "host:8080", "host:80?a", "a.test:x", "c:\\x",
        "http:/x", "mailto:a", "x", "", ":x", "-o:x", "é:x", "a b:x", "user@host:x",
    ])
    func otherWordsStayAsTheyAre(_ word: String) throws {
        #expect(try Self.places().resolve(word)?.url == nil)
    }

    /// A place precedes an address without scheme.
    @Test func aPlaceMayBeNamedLikeAHost() throws {
        let places = SavedPlaces(byName: ["localhost": try SavedPlace(name: "localhost", url: Self.base)])
        #expect(try places.resolve("localhost:8080/x")?.url == Self.base + "8080/x")
    }

    @Test(arguments: ["nsa:x", "nsa:", "nsa:80x", "nsa:/x", "N-_2:a:b"]) func anUnknownPlaceIsAnError(
        _ word: String
    ) throws {
        let places = try Self.places()
        let error = #expect(throws: TransferError.self) { try places.resolve(word) }
        #expect(error?.code == .usage && error?.message.contains("fileq places list") == true)
    }

    @Test(arguments: ["http", "HTTPS", "s3", "file", "ftp", "n", "", "-nas", "n.s", "näs", "a b", "a:b"])
    func namesThatMeanSomethingElseAreRefused(_ name: String) {
        #expect(throws: SavedPlace.Mistake.self) { try SavedPlace(name: name, url: Self.base) }
    }

    @Test(arguments: [
        ("https://nas.test", "https://nas.test/"), ("HTTP://NAS.test:80/a/../b", "http://nas.test/b/"),
        ("https://nas.test/夏", "https://nas.test/%E5%A4%8F/"), ("s3://backup", "s3://backup/"),
        ("s3://backup/a", "s3://backup/a/"),
    ])
    func aPlaceIsAFolder(_ url: String, _ expected: String) throws {
        #expect(try SavedPlace(name: "nas", url: url).url == expected)
    }

    @Test(arguments: [
        "nas.test/x", "ftp://nas.test/", "https://a:secret@nas.test/", "https://a@nas.test/", "https://nas.test/?a=1",
        "https://nas.test/#a", "https://", "s3://", "s3:///a", "s3://a:secret@b/",
    ])
    func otherURLsAreRefused(_ url: String) {
        let mistake = #expect(throws: SavedPlace.Mistake.self) { try SavedPlace(name: "nas", url: url) }
        #expect(mistake?.key == "url" && mistake?.text.contains("secret") == false)
    }

    @Test(
        arguments: [
            ("password", .text("secret-1"), "password-file"), ("bearer", .text("secret-1"), "token-file"),
            ("token", .text("secret-1"), "token-file"), ("sid", .text("secret-1"), "sid-file"),
            ("user", .text("me:secret-1"), "password-file"), ("s3-secret-key", .text("secret-1"), "s3-profile"),
            ("header", .list(["Accept: x", "Authorization: secret-1"]), "@/path"),
            ("header", .text("X-Key: secret-1"), "@/path"), ("cookie", .text("a=secret-1"), "@/path"),
            ("referer", .text("https://a:secret-1@b.test/"), "omit it"),
            ("s3-endpoint", .text("https://b.test/?token=secret-1"), "omit it"),
            ("for-all-hosts", .bool(true), "one command"), ("output", .text("x"), "one command"),
            ("lmit", .text("2M"), "unknown option"),
        ] as [(String, ConfigurationFile.Value, String)])
    func secretsAndOtherOptionsAreRefused(_ option: String, _ value: ConfigurationFile.Value, _ advice: String) {
        let mistake = #expect(throws: SavedPlace.Mistake.self) {
            try SavedPlace(name: "nas", url: Self.base, options: [option: value])
        }
        #expect(mistake?.key == option && mistake?.text.contains(advice) == true, "\(mistake?.text ?? "")")
        #expect(mistake?.text.contains("secret-1") == false)
    }

    @Test func referencesToSecretsAreOptions() throws {
        let place = try SavedPlace(
            name: "nas", url: Self.base,
            options: [
                "user": .text("me"), "password-file": .text("/p"), "header": .list(["@/h", "Accept: x"]),
                "cookie": .text("@/c"), "split": .text("8"), "pin": .list(["sha256//x"]), "s3-profile": .text("b"),
                "paused": .bool(true), "recursive": .bool(true),
            ])
        #expect(place.settings.map(\.name).sorted() == place.settings.map(\.name) && place.settings.count == 10)
    }
}

@Suite struct CommandWordTests {
    private static let options = CommandInventory.program.command(at: ["get"]).settable

    private func read(_ line: String) -> [String] {
        let words = line.split(separator: " ").map(String.init)
        return CommandWord.parse(words[...], options: Self.options).map { word in
            switch word.kind {
            case .argument: "argument \(word.value ?? "")"
            case .option(let option): "\(option.longName ?? "") \(word.index) '\(word.lead)' \(word.value ?? "nil")"
            case .unknownOption: "unknown \(word.value ?? "")"
            }
        }
    }

    @Test(arguments: [
        ("a:b -o x --output=y", ["argument a:b", "output 2 '' x", "output 3 '--output=' y"]),
        ("-qj4 -", ["quiet 0 '' nil", "concurrent 0 '-qj' 4", "argument -"]),
        ("-qj 4 --json", ["quiet 0 '' nil", "concurrent 1 '' 4", "json 2 '' nil"]),
        ("--no-such x -- -o", ["unknown --no-such", "argument x", "argument -o"]),
        ("--mirror", ["mirror 1 '' nil"]),
    ])
    func findsArgumentsAndValues(_ line: String, _ expected: [String]) { #expect(read(line) == expected) }
}
