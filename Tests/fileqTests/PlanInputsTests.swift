// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import Testing
import TransferModel

@testable import fileq

/// What happens before a plan, while it is made, and when it is carried out.
@Suite struct PlanInputsTests {
    /// A plan of any command.
    private struct Made {
        var isDry: Bool
        var folders: [String]
        var makeFolders: () throws -> Void
    }

    /// - Parameter words: with the command; `FOLDER` stands for `folder`.
    private func make(_ words: [String], in folder: Folder) throws -> Made {
        let words = words.map { $0.replacing("FOLDER", with: folder.path) }
        guard words.first == "add" else {
            let made = try plan(words)
            return Made(isDry: made.isDry, folders: made.folders) { try made.makeFolders() }
        }
        let made = try addPlan(Array(words.dropFirst()))
        return Made(isDry: made.isDry, folders: made.folders) { try made.makeFolders() }
    }

    // MARK: Dry runs

    @Test(arguments: [
        ["get", "http://h/a"], ["put", "FOLDER/f", "http://h/in/"], ["add", "http://h/a"],
        ["add", "get", "http://h/a"], ["add", "put", "FOLDER/f", "http://h/in/"],
        ["add", "get", "--curl", "curl http://h/a"], ["add", "get", "--curl", "curl -T FOLDER/f http://h/in/"],
    ])
    func aPlanIsDryOnRequest(words: [String]) throws {
        let folder = try Folder()
        try folder.write("x", to: "f")
        #expect(try !make(words, in: folder).isDry)
        #expect(try make(words + ["--dry-run"], in: folder).isDry)
    }

    @Test(arguments: [["--checksum-file", "http://"], ["--metalink", "https://"]])
    func aDryRunFetchesNothing(words: [String]) async throws {
        func fetched(_ more: String...) async throws -> PlanInputs {
            try await PlanInputs.fetch(
                for: try GetCommand.parse(words + more + ["http://h/a"]).arguments, purpose: .background,
                Listener().surroundings())
        }
        await #expect(throws: TransferError.self, "the address is invalid") { try await fetched() }
        #expect(try await fetched("--dry-run", "--keep-both") == PlanInputs())
    }

    @Test(arguments: [
        ["get", "http://h/a"], ["add", "get", "http://h/a"], ["add", "get", "--curl", "curl http://h/a"],
    ])
    func onlyADryRunNeedsNoListAtAURL(command: [String]) throws {
        let folder = try Folder()
        let words = command + ["--checksum-file", "http://h/sums"]
        #expect(try make(words + ["--dry-run"], in: folder).isDry)
        let error = #expect(throws: TransferError.self) { try make(words, in: folder) }
        #expect(error?.code == .usage && error?.fields.option == "checksum-file")
    }

    // MARK: Folders

    @Test(
        arguments: [
            ["get", "--create-dirs", "-d", "FOLDER/new/er", "http://h/a"],
            ["get", "--create-dirs", "-o", "FOLDER/new/er/x", "http://h/a"],
            ["add", "--create-dirs", "-d", "FOLDER/new/er", "http://h/a"],
            ["add", "get", "--create-dirs", "-o", "FOLDER/new/er/x", "http://h/a"],
            ["add", "get", "--curl", "curl --create-dirs -o FOLDER/new/er/x http://h/a"],
            ["add", "get", "--curl", "curl --create-dirs -T FOLDER/f -o FOLDER/new/er/x http://h/in/ http://h/a"],
        ], [[], ["--dry-run"]] as [[String]])
    func foldersAreCreatedWhenThePlanIsCarriedOut(words: [String], more: [String]) throws {
        let folder = try Folder()
        try folder.write("x", to: "f")
        let made = try make(words + more, in: folder)
        #expect(made.folders.count == 1)
        #expect(FileStatus(folder.path + "/new") == nil, "a plan creates nothing")
        // Only a plan that is not dry comes here.
        guard !made.isDry else { return }
        try made.makeFolders()
        #expect(FileStatus(folder.path + "/new/er")?.isFolder == true)
        try made.makeFolders()
    }

    @Test func withoutTheOptionNoFolderIsCreated() throws {
        let folder = try Folder()
        for words in [["get"], ["add"], ["add", "get"]] {
            #expect(try make(words + ["-d", "FOLDER", "http://h/a"], in: folder).folders == [])
        }
    }

    /// Messages name them so.
    @Test func foldersAreNamedAsOnTheCommandLine() throws {
        let folder = try Folder()
        for words in [["get"], ["add"]] {
            let made = try make(words + ["--create-dirs", "-d", "none/here", "http://h/a", "http://h/b"], in: folder)
            #expect(made.folders == ["none/here"])
        }
    }

    @Test(arguments: [["get"], ["add"]])
    func aFolderThatCannotBeCreatedIsAnError(command: [String]) throws {
        let folder = try Folder()
        try folder.write("x", to: "f")
        let made = try make(command + ["--create-dirs", "-d", "FOLDER/f/new", "http://h/a"], in: folder)
        let error = #expect(throws: TransferError.self) { try made.makeFolders() }
        #expect(error?.code == .cannotWrite && error?.systemErrno == ENOTDIR)
        #expect(error?.message.hasPrefix("the folder '\(folder.path)/f/new' cannot be created: ") == true)
    }
}
