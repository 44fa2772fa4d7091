// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import fileq

@Suite struct PlacesCommandTests {
    private func place(_ line: String) throws -> SavedPlace {
        var surroundings = Listener().surroundings()
        surroundings.workingFolder = { () throws(TransferError) in "/home/a" }
        return try PlacesAddCommand.place(line.split(separator: " ").map(String.init), surroundings)
    }

    @Test func optionsAreThoseOfTheCommandLine() throws {
        let place = try place(
            "nas https://nas.test --user alice --password-file=pw -H @h/x -H Accept:y --limit 2M --no-sync -d /d -r")
        #expect(place.name == "nas" && place.url == "https://nas.test/")
        #expect(
            place.options == [
                "user": .text("alice"), "password-file": .text("/home/a/pw"), "limit": .text("2M"),
                "header": .list(["@/home/a/h/x", "Accept:y"]), "no-sync": .bool(true), "directory": .text("/d"),
                "recursive": .bool(true),
            ])
    }

    @Test(arguments: [
        ("nas", "pass a name and a URL"), ("nas https://a.test/ x", "pass a name and a URL"),
        ("nas https://a.test/ --lmit 2M", "unknown option 'lmit'"), ("nas https://a.test/ --limit", "--limit: "),
        ("nas https://a.test/ --password=x", "'password' is a secret"),
        ("nas https://a.test/ -Z", "unknown option '-Z'"),
        ("nas https://a.test/ --user a:b", "password-file"), ("nas https://a.test/ -o x", "one command"),
        ("http https://a.test/", "begins URLs"), ("nas a.test", "http://"),
    ])
    func whatIsNoPlaceIsRefused(_ line: String, _ part: String) {
        let error = #expect(throws: TransferError.self) { try place(line) }
        #expect(error?.code == .usage && error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func theTableFitsTheWindow() {
        let rows = [["nas", "https://nas.test/夏/", "user=alice limit=2M"], ["a2", "s3://b/", ""]]
        #expect(
            PlacesListCommand.table(rows, columns: 80) == [
                "NAME  URL                   OPTIONS", "nas   https://nas.test/夏/  user=alice limit=2M",
                "a2    s3://b/",
            ])
        #expect(PlacesListCommand.table(rows, columns: 30)[1].hasSuffix("…"))
        #expect(PlacesListCommand.table([], columns: 80).isEmpty)
    }

    @Test func shellsCompleteNames() throws {
        let places = SavedPlaces(byName: ["nas": try SavedPlace(name: "nas", url: "https://nas.test/")])
        for (words, expected) in [
            (["fileq", "get", ""], "nas:"), (["fileq", "places", "show", ""], "nas"),
        ] {
            let command = Array(words.dropFirst().dropLast())
            let request = try #require(
                ShellCompletion(
                    ["---completion"] + command + ["--", "positional@0", "\(words.count - 1)", "0"] + words))
            #expect(request.concernsPlaces && request.proposals(of: places).map(\.word) == [expected])
        }
    }
}
