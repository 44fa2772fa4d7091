// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing
import TransferModel

@testable import fileq

/// Command lines that name places.
@Suite struct PlaceSettingsTests {
    private static let url = "https://nas.test/dav/"
    private static let file = """
        retry = 1
        limit = "1M"
        [places.nas]
        url = "https://nas.test/dav"
        user = "alice"
        retry = 3
        [places.open]
        url = "https://open.test/"
        [places.other]
        url = "http://other.test/"
        limit = "9M"
        """

    private func merge(
        _ words: [String], variables: [String: String] = [:], file: String = Self.file
    ) throws -> [String] {
        let configuration = try ConfigurationFile(path: "config.toml", text: file)
        try configuration.check(against: .program)
        return try Settings.merge(words, inventory: .program, variables: variables, file: configuration).words
    }

    private func merge(_ line: String, variables: [String: String] = [:], file: String = Self.file) throws -> [String] {
        try merge(line.split(separator: " ").map(String.init), variables: variables, file: file)
    }

    @Test func commandLineThenPlaceThenEnvironmentThenConfiguration() throws {
        let variables = ["FILEQ_RETRY": "2", "FILEQ_SPLIT": "5", "FILEQ_LIMIT": "2M"]
        #expect(
            try Set(merge("get nas:a", variables: variables)) == [
                "get", "--user=alice", "--retry=3", "--split=5", "--limit=2M", "--place=nas", Self.url + "a",
            ])
        let typed = try merge("get --retry 4 nas:a", variables: variables)
        #expect(typed.suffix(3) == ["--retry", "4", Self.url + "a"] && !typed.contains("--retry=3"))
        #expect(try merge("get --token-file t nas:a").contains("--user=alice") == false)
        // Without a place, or of one without options.
        #expect(
            try Set(merge("get https://nas.test/dav/a")) == [
                "get", "--retry=1", "--limit=1M", "https://nas.test/dav/a",
            ])
        #expect(try Set(merge("get open:a")) == ["get", "--retry=1", "--limit=1M", "https://open.test/a"])
    }

    @Test(arguments: [
        ("add get nas:a nas:b", [url + "a", url + "b"]), ("put a:b c:d nas:sub/", ["a:b", "c:d", url + "sub/"]),
        ("add put -r x nas:", ["-r", "x", url]), ("get -- nas:a", ["--", url + "a"]),
        (
            "get nas:a --mirror open:b --checksum-file=open:S",
            [
                url + "a", "--mirror", "https://open.test/b", "--checksum-file=https://open.test/S",
            ]
        ),
        ("get nas:a --checksum-file no:such", [url + "a", "--checksum-file", "no:such"]),
        ("get nas:a -d nas:b -H nas:c", [url + "a", "-d", "nas:b", "-H", "nas:c"]),
    ])
    func addressesAndNothingElseAreReplaced(_ line: String, _ end: [String]) throws {
        let words = try merge(line)
        #expect(Array(words.suffix(end.count)) == end && words.contains("--place=nas"), "\(words)")
    }

    @Test(arguments: [
        "get nas:a https://nas.test/dav/b", "get nas:a other:b", "get open:a other:b", "add https://a.test/ nas:a",
        "get nas:a localhost:80/x",
    ])
    func aPlaceWithOptionsExcludesOtherAddresses(_ line: String) {
        let error = #expect(throws: TransferError.self) {
            try merge(Settings.insertingDefault(in: line.split(separator: " ").map(String.init)))
        }
        #expect(error?.code == .usage && error?.message.contains("a command of its own") == true)
    }

    @Test func placesWithoutOptionsCanBeMixed() throws {
        #expect(try merge("get open:a https://a.test/b").suffix(2) == ["https://open.test/a", "https://a.test/b"])
    }

    /// The other options are those of transfers to come.
    @Test func relocateTakesTheLoginOfThePlace() throws {
        #expect(try merge("relocate 3 --url nas:b") == ["relocate", "--user=alice", "3", "--url", Self.url + "b"])
        #expect(try merge("relocate 3 --url=other:b") == ["relocate", "3", "--url=http://other.test/b"])
        let error = #expect(throws: TransferError.self) { try merge("relocate 3 --url=nsa:b") }
        #expect(error?.fields.option == "url")
    }

    @Test func otherCommandsDoNotKnowPlaces() throws {
        #expect(try merge("pause nas:a") == ["pause", "nas:a"])
        #expect(try merge("add curl nas:a").suffix(1) == ["nas:a"])
        #expect(try merge("places add list https://a.test/") == ["places", "add", "list", "https://a.test/"])
        let file = "json = true\n[places.list]\nurl = \"https://a.test/\"\nretry = 3\n"
        #expect(try merge("places list", file: file) == ["places", "list", "--json"])
    }

    @Test(arguments: [
        ("[places.nas]\nurl = \"https://nas.test/\"\npassword = \"x\"\n", "config.toml:3: 'password' is a secret"),
        ("[places.nas]\nuser = \"x\"\n", "config.toml:1: a place needs url"),
        ("[places.http]\nurl = \"https://nas.test/\"\n", "config.toml:1: 'http' begins URLs"),
        ("[places]\nnas = \"https://nas.test/\"\n", "config.toml:2: a place is a table"),
        ("places = 1\n", "config.toml:1: 'places' is a table"),
        ("[places.nas]\nurl = \"https://a:x@nas.test/\"\n", "config.toml:2: the URL names a user"),
        ("[places.nas]\nurl = \"https://nas.test/\"\nlmit = 1\n", "config.toml:3: unknown option 'lmit'"),
        ("[places.\"n.s\"]\nurl = \"https://nas.test/\"\n", "config.toml:1: the name of a place"),
        ("[places.n.s]\n", "config.toml:1: a table must be"), ("[placs.nas]\n", "config.toml:1: a table must be"),
    ])
    func mistakesOfTheFileHaveTheirLine(_ file: String, _ beginning: String) {
        let error = #expect(throws: TransferError.self) { try merge("get u", file: file) }
        #expect(error?.code == .usage && error?.message.hasPrefix(beginning) == true, "\(error?.message ?? "")")
    }

    // MARK: Lists

    private func plan(_ list: String, _ line: String = "get nas:z") throws -> (plan: TransferPlan, warnings: [String]) {
        let folder = try Folder()
        let path = try folder.write(list, to: "list")
        let words = try merge(line.split(separator: " ").map(String.init) + ["-i", path])
        let listener = Listener()
        var surroundings = listener.surroundings(password: "p")
        surroundings.places = { () throws(TransferError) in
            try ConfigurationFile(path: "config.toml", text: Self.file).savedPlaces()
        }
        let rest = Array(words.dropFirst())
        return (try GetCommand.parse(rest).arguments.plan(surroundings), listener.warnings)
    }

    @Test func aListNamesPlaces() throws {
        let (plan, warnings) = try plan("# mine\nnas:a b\n  out=x\nnas:c\topen:c\n", "get")
        #expect(plan.descriptions.map(\.url.string) == [Self.url + "a%20b", Self.url + "c"])
        #expect(plan.descriptions.allSatisfy { $0.options.credential?.user == "alice" && $0.options.retries == 3 })
        #expect(try plan.descriptions[1].requireDownload().mirrors.map(\.url.string) == ["https://open.test/c"])
        #expect(warnings.isEmpty)
    }

    @Test func otherLinesOfSuchAListAreSkipped() throws {
        let (plan, warnings) = try plan("nas:a\nhttps://other.test/b\nother:c\n")
        #expect(plan.descriptions.map(\.url.string) == [Self.url + "z", Self.url + "a"] && plan.skipped == 2)
        #expect(warnings.count(where: { $0.contains("of its own") }) == 2)
    }

    /// It is passed to the plan by its place: a document may lead elsewhere first.
    @Test func theLoginIsBoundToThePlace() throws {
        var arguments = DownloadArguments(urls: ["https://mirror.test/a", Self.url + "b"])
        arguments.shared.login.user = "alice"
        arguments.shared.files.place = "nas"
        var surroundings = Listener().surroundings(password: "p")
        surroundings.places = { () throws(TransferError) in
            try ConfigurationFile(path: "config.toml", text: Self.file).savedPlaces()
        }
        let plan = try arguments.plan(surroundings)
        #expect(plan.descriptions.map { $0.options.credential?.user } == [nil, "alice"])
    }
}
