// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferModel

@testable import fileq

/// Other lines of the configuration stay as they are.
@Suite struct ConfigurationEditTests {
    private static func place(
        _ name: String = "nas", _ options: [String: ConfigurationFile.Value] = [:]
    ) throws -> SavedPlace {
        try SavedPlace(name: name, url: "https://nas.test/a/", options: options)
    }

    private static let table = "[places.nas]\nurl = \"https://nas.test/a/\"\n"

    @Test(arguments: [
        "", "retry = 1\n", "# mine\n\n[get]\nretry = 1 # few\n\n# end\n",
        "retry = 1\r\n\r\n[get] # get\r\nlimit = \"2M\"\r\n",
        "[places.nas2]\nurl = \"https://b.test/\"\n", "\u{FEFF}header = [\n  \"A: 1\", # one\n  \"B: 2\",\n]\n",
        "header = \"\"\"\nA: [places.nas]\n\"\"\"\n",
    ])
    func removingRestoresTheBytes(_ text: String) throws {
        let added = ConfigurationEdit.adding(try Self.place(), to: text)
        #expect(added.hasPrefix(text) && added.hasSuffix(Self.table))
        #expect(ConfigurationEdit.removing("nas", from: added) == text)
        let before = try ConfigurationFile(path: "c", text: text).savedPlaces().byName.count
        #expect(try ConfigurationFile(path: "c", text: added).savedPlaces().byName.count == before + 1)
    }

    @Test func aFileWithoutLastLineEndGetsOne() throws {
        #expect(ConfigurationEdit.adding(try Self.place(), to: "retry = 1") == "retry = 1\n\n" + Self.table)
    }

    @Test func whatFollowsATableStays() {
        let text = """
            retry = 1

            # of the table before: stays
            [places.nas] # mine
            # inside: goes
            url = "https://nas.test/"
            header = [
              "@/a",
            ]

            # of what follows
            [get]
            retry = 2

            """
        let left = """
            retry = 1

            # of the table before: stays

            # of what follows
            [get]
            retry = 2

            """
        #expect(ConfigurationEdit.removing("nas", from: text) == left)
    }

    @Test func valuesSurvive() throws {
        let options: [String: ConfigurationFile.Value] = [
            "retry": .text("3"), "limit": .text("2M"), "paused": .bool(true), "user": .text("O\"Neil\\\u{7}夏"),
            "header": .list(["@/a b", "Accept: x"]), "split": .text("08"),
        ]
        let place = try Self.place("nas", options)
        let file = try ConfigurationFile(path: "c", text: ConfigurationEdit.adding(place, to: ""))
        #expect(try file.savedPlaces().byName == ["nas": place])
        #expect(file.root["places"]?.table?["nas"]?.table?["retry"]?.int == 3)
    }

    @Test func aNewFileIsPrivateAndAnOldOneKeepsItsMode() throws {
        let folder = try Folder()
        let path = "\(folder.path)/new/config.toml"
        let edit = ConfigurationEdit(path: path)
        try edit.add(try Self.place())
        #expect(try Self.mode(path) == 0o600)
        #expect(chmod(path, 0o644) == 0)
        try edit.add(try Self.place("other"))
        try edit.remove("nas")
        #expect(try Self.mode(path) == 0o644)
        #expect(try ConfigurationFile.read(path)?.savedPlaces().all.map(\.name) == ["other"])
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/new")
        #expect(names.sorted() == ["config.toml", "config.toml.lock"])
    }

    @Test func aLinkStaysALink() throws {
        let folder = try Folder()
        let path = try folder.write("retry = 1\n", to: "dotfiles/config.toml")
        let link = "\(folder.path)/config.toml"
        #expect(symlink(path, link) == 0)
        try ConfigurationEdit(path: link).add(try Self.place())
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        #expect(FileManager.default.contents(atPath: path) == Data(("retry = 1\n\n" + Self.table).utf8))
    }

    @Test(arguments: [
        ("[places.nas]\nurl = \"https://a.test/\"\n", "there is a place 'nas' already"),
        ("[places.nas]\npassword = \"x\"\n", "a place needs url"), ("retry = \n", ":1: "),
        ("retyr = 1\n", "unknown option 'retyr'"),
    ])
    func whatCannotBeAddedChangesNothing(_ text: String, _ part: String) throws {
        let folder = try Folder()
        let path = try folder.write(text, to: "config.toml")
        let error = #expect(throws: TransferError.self) { try ConfigurationEdit(path: path).add(try Self.place()) }
        #expect(error?.code == .usage && error?.message.contains(part) == true, "\(error?.message ?? "")")
        #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
    }

    /// Of the forms of TOML, one is edited.
    @Test(arguments: [
        "[places]\nnas.url = \"https://a.test/\"\n",
        "header = \"\"\"\n[places.nas]\n\"\"\"\nplaces.nas.url = \"https://a.test/\"\n",
    ])
    func whatCannotBeRemovedChangesNothing(_ text: String) throws {
        let folder = try Folder()
        let path = try folder.write(text, to: "config.toml")
        #expect(throws: TransferError.self) { try ConfigurationEdit(path: path).remove("nas") }
        #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
        let error = #expect(throws: TransferError.self) { try ConfigurationEdit(path: path).remove("nsa") }
        #expect(error?.message.contains("fileq places list") == true)
    }

    /// As several processes: each takes the lock for itself.
    @Test func nothingIsLostAmongSeveral() async throws {
        let folder = try Folder()
        let path = try folder.write("# mine\nretry = 1\n", to: "config.toml")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask { try ConfigurationEdit(path: path).add(try Self.place("nas\(number)")) }
            }
            try await group.waitForAll()
        }
        #expect(try ConfigurationFile.read(path)?.savedPlaces().all.count == 20)
        let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        #expect(text.hasPrefix("# mine\nretry = 1\n\n[places.nas"))
    }

    private static func mode(_ path: String) throws -> UInt32 {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode & 0o777
    }
}
