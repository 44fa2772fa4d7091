// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import HTTPTypes
import Testing
import TransferModel

@testable import fileq

@Suite struct PutPlanTests {
    @Test func appendsTheNameToATrailingSlash() throws {
        let folder = try Folder()
        let (one, two) = (try folder.write("1", to: "夏 1%.txt"), try folder.write("2", to: "b"))
        let made = try plan(["put", one, two, "http://h/in/?x=1"])
        #expect(made.descriptions.map(\.url.string) == ["http://h/in/%E5%A4%8F%201%25.txt?x=1", "http://h/in/b?x=1"])
        #expect(made.uploads.map(\.source) == [.file(path: one), .file(path: two)])
        #expect(made.uploads.allSatisfy { $0.form == .put })
        #expect(try plan(["put", two, "http://h/as"]).descriptions[0].url.string == "http://h/as")
    }

    @Test func aNameMayBeginWithACombiningMark() throws {
        let folder = try Folder()
        let file = try folder.write("1", to: "\u{301}b")
        #expect(try plan(["put", file, "http://h/in/"]).descriptions[0].url.string == "http://h/in/%CC%81b")
    }

    @Test func linesOfAListAreNamesWithTheirSpaces() throws {
        let text = "# names\n\ntr \n tr\r\n\t\u{3000}b\u{3000}\r\na\rb\nlast"
        #expect(InputList.parse(text) == ["tr ", " tr", "\t\u{3000}b\u{3000}", "a\rb", "last"])
        let folder = try Folder()
        let files = try ["tr", "tr "].map { try folder.write($0, to: $0) }
        for end in ["\n", "\r\n"] {
            let list = try folder.write(files[1] + end, to: "list")
            #expect(try plan(["put", "-i", list, "http://h/"]).uploads.map(\.source) == [.file(path: files[1])])
        }
    }

    @Test func splitSetsTheConnections() throws {
        let folder = try Folder()
        let file = try folder.write("1", to: "a")
        #expect(try plan(["put", file, "http://h/x"]).descriptions[0].options.connections == nil)
        #expect(try plan(["put", "--split", "4", file, "http://h/x"]).descriptions[0].options.connections == 4)
        let error = #expect(throws: TransferError.self) { try plan(["put", "--split", "0", file, "http://h/x"]) }
        #expect(error?.code == .usage && error?.fields.option == "split")
    }

    /// As a name that is not there, it ends the command; comments do not count.
    @Test func aListNamesItsLineThatIsNotUTF8() throws {
        let folder = try Folder()
        let file = try folder.write("1", to: "a")
        for (text, line) in [("# é\n\(file)\n", nil), ("\(file)\n# é\ncafé\n", 3)] as [(String, Int?)] {
            // Latin-1.
            try folder.write(text.unicodeScalars.map { UInt8($0.value) }, to: Array("list".utf8))
            let words = ["put", "-i", "\(folder.path)/list", "http://h/"]
            guard let line else {
                #expect(try plan(words).uploads.count == 1)
                continue
            }
            let error = #expect(throws: TransferError.self) { try plan(words) }
            #expect(error?.code == .usage && error?.message.contains("line \(line): not UTF-8") == true)
        }
    }

    @Test func resumptionIsAutomaticUnlessChosen() throws {
        let folder = try Folder()
        let file = try folder.write("1", to: "a")
        #expect(try plan(["put", file, "http://h/x"]).uploads.map(\.resumption) == [.auto])
        for resumption in UploadResumption.allCases {
            let made = try plan(["put", "--resumable", resumption.rawValue, file, "http://h/x"])
            #expect(made.uploads.map(\.resumption) == [resumption])
        }
        for words in [["yes", file], ["tus", "--sid", "s", file]] {
            let error = #expect(throws: TransferError.self) {
                try plan(["put", "--resumable"] + words + ["http://h/x"])
            }
            #expect(error?.code == .usage && error?.fields.option == "resumable", "\(words)")
        }
        for resumption in UploadResumption.allCases {
            let made = try plan(["put", "--resumable", resumption.rawValue, "-", "http://h/x"])
            #expect(made.uploads.map(\.resumption) == [resumption])
        }
    }

    @Test func sessionOrMetadataSelectAFileQUpload() throws {
        let folder = try Folder()
        let (one, two) = (try folder.write("1", to: "a"), try folder.write("2", to: "b"))
        let made = try plan(["put", "--sid", "s", "--meta", "t=夏", one, two, "http://h/upload"])
        #expect(made.descriptions.map(\.url.string) == ["http://h/upload", "http://h/upload"])
        #expect(
            made.uploads.map(\.form)
                == Array(
                    repeating: .fileQ(FileQUpload(sid: "s", metadata: [.init(name: "t", value: "夏")])), count: 2))
        // The cookies are made where the file is known; they are not in the options as well.
        #expect(made.descriptions[0].options.cookies.isEmpty)
    }

    @Test(
        arguments: [
            ([], []), (["--no-overwrite"], ["If-None-Match: *"]), (["--if-match", "\"5f\""], ["If-Match: \"5f\""]),
            (["--if-match", "5f"], ["If-Match: \"5f\""]), (["--if-match", " * "], ["If-Match: *"]),
            (["--if-match", "\"a\",\"b\""], ["If-Match: \"a\", \"b\""]),
            (["--no-overwrite", "-H", "If-None-Match: \"x\"", "-H", "A: b"], ["A: b", "If-None-Match: *"]),
            (["--no-overwrite", "--resumable", "ietf"], ["If-None-Match: *"]),
        ] as [([String], [String])])
    func conditionsAreFields(words: [String], fields: [String]) throws {
        let folder = try Folder()
        let file = try folder.write("1", to: "a")
        let made = [
            try plan(["put"] + words + [file, "http://h/in/"]).descriptions,
            try addPlan(["put"] + words + [file, "http://h/in/"]).descriptions,
        ]
        for descriptions in made {
            #expect(descriptions[0].options.headers.map { "\($0.name.rawName): \($0.value)" } == fields)
        }
    }

    @Test(arguments: [
        ["--no-overwrite", "--overwrite", "FOLDER/a"], ["--no-overwrite", "--if-match", "x", "FOLDER/a"],
        ["--no-overwrite", "--sid", "s", "FOLDER/a"], ["--no-overwrite", "--resumable", "tus", "FOLDER/a"],
        ["--if-match", "W/\"x\"", "FOLDER/a"], ["--if-match", "", "FOLDER/a"], ["--if-match", "\"x", "FOLDER/a"],
        ["--if-match", "x\u{7}", "FOLDER/a"], ["--if-match", "x", "FOLDER/a", "FOLDER/b"],
    ])
    func rejectsConditionsThatCannotHold(words: [String]) throws {
        let folder = try Folder()
        for name in ["a", "b"] { try folder.write("x", to: name) }
        let real = words.map { $0.replacingOccurrences(of: "FOLDER", with: folder.path) }
        let error = #expect(throws: TransferError.self) { try plan(["put"] + real + ["http://h/"]) }
        #expect(error?.code == .usage, "\(error as Any)")
    }

    /// Their success says nothing of a file.
    @Test(arguments: ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get"])
    func rejectsMethodsThatStoreNothing(method: String) throws {
        let folder = try Folder()
        let words = ["put", "-X", method, try folder.write("x", to: "a"), "http://h/"]
        let planned = #expect(throws: TransferError.self) { try plan(words) }
        let added = #expect(throws: TransferError.self) { try addPlan(words) }
        for error in [planned, added] {
            #expect(error?.code == .usage)
            #expect(error?.message == "--method: \(method) uploads no file: use PUT, POST or PATCH, or omit it")
        }
    }

    @Test(arguments: ["PUT", "POST", "PATCH", "X-STORE"]) func takesOtherMethods(method: String) throws {
        let folder = try Folder()
        let words = ["put", "-X", method, try folder.write("x", to: "a"), "http://h/"]
        #expect(try plan(words).descriptions[0].options.method?.rawValue == method)
        #expect(try addPlan(words).descriptions[0].options.method?.rawValue == method)
    }

    @Test func standardInputIsAStream() throws {
        #expect(try plan(["put", "-", "http://h/x"]).uploads.map(\.source) == [.stream(descriptor: 0, name: "stdin")])
        #expect(try plan(["put", "/dev/null", "http://h/x/"]).descriptions[0].url.string == "http://h/x/null")
    }

    @Test func standardInputTakesAName() throws {
        let named = try plan(["put", "--name", "a b", "-", "http://h/x/"])
        #expect(named.descriptions.map(\.url.string) == ["http://h/x/a%20b"])
        #expect(named.uploads.map(\.name) == ["a b"])
        // The address that creates uploads.
        for url in ["http://h/api/upload", "http://h/files/"] {
            let created = try plan(["put", "--resumable", "tus", "--name", "b", "-", url])
            #expect(created.descriptions.map(\.url.string) == [url])
            #expect(created.uploads.map(\.name) == ["b"])
        }
        let device = try plan(["put", "--name", "b", "/dev/null", "http://h/x/"])
        #expect(device.descriptions.map(\.url.string) == ["http://h/x/b"])
    }

    @Test(arguments: [["", "-"], ["a/b", "-"], ["..", "-"], ["a\u{7}", "-"], ["b", "FOLDER/a"], ["b", "-", "FOLDER/a"]])
    func otherNamesAndFilesAreRefused(words: [String]) throws {
        let folder = try Folder()
        try folder.write("x", to: "a")
        let real = words.map { $0.replacingOccurrences(of: "FOLDER", with: folder.path) }
        let error = #expect(throws: TransferError.self) { try plan(["put", "--name"] + real + ["http://h/"]) }
        #expect(error?.code == .usage && error?.fields.option == "name", "\(error as Any)")
    }

    @Test(arguments: [
        (["put"], 2), (["put", "http://h/"], 2), (["put", "FOLDER/a", "ftp://h/"], 3),
        (["put", "FOLDER/none", "http://h/"], 26), (["put", "/proc/cpuinfo", "http://h/"], 26),
        (["put", "FOLDER/a", "FOLDER/none", "http://h/"], 26), (["put", "FOLDER", "http://h/"], 2),
        (["put", "FOLDER/a", "FOLDER/sub/b", "http://h/x"], 2), (["put", "-", "http://h/"], 2),
        (["put", "-", "-", "http://h/x"], 2), (["put", "FOLDER/a", "FOLDER/sub/a", "http://h/"], 2),
        (["put", "http://h/", "FOLDER/a"], 2), (["put", "-r", "FOLDER/empty", "http://h/"], 2),
        (["put", "--meta", "novalue", "FOLDER/a", "http://h/"], 2),
        (["put", "--meta", "a\u{7}b=c", "FOLDER/a", "http://h/"], 2),
        (["put", "--meta", "a=1", "--meta", "a=2", "FOLDER/a", "http://h/"], 2),
        (["put", "--meta", "a=\(String(repeating: "夏", count: 1000))", "FOLDER/a", "http://h/"], 2),
        (["put", "--sid", "a\u{7}", "FOLDER/a", "http://h/"], 2), (["put", "-r", "FOLDER/sub", "http://h/x"], 2),
    ])
    func rejectsInvalidArguments(words: [String], code: Int) throws {
        let folder = try Folder()
        for name in ["a", "sub/a", "sub/b"] { try folder.write("x", to: name) }
        try FileManager.default.createDirectory(atPath: "\(folder.path)/empty", withIntermediateDirectories: true)
        let real = words.map { $0.replacingOccurrences(of: "FOLDER", with: folder.path) }
        let error = #expect(throws: TransferError.self) { try plan(real) }
        #expect(error?.code.rawValue == code, "\(error?.message ?? "")")
    }
}

@Suite struct FolderWalkTests {
    private func sent(_ folder: Folder, _ words: [String], _ listener: Listener = Listener()) throws -> [String] {
        try plan(["put"] + words + ["http://h/"], listener.surroundings()).descriptions.map { $0.url.string }
    }

    private func tree() throws -> Folder {
        let folder = try Folder()
        for name in ["top/b", "top/a", "top/sub/夏", "top/sub/deep/x"] { try folder.write(name, to: name) }
        let files = FileManager.default
        try files.createSymbolicLink(atPath: "\(folder.path)/top/link", withDestinationPath: "a")
        try files.createSymbolicLink(atPath: "\(folder.path)/top/sub/loop", withDestinationPath: "..")
        try files.createSymbolicLink(atPath: "\(folder.path)/top/nowhere", withDestinationPath: "none")
        return folder
    }

    @Test func sortsFilesByPath() throws {
        let folder = try tree()
        let expected = ["a", "b", "sub/deep/x", "sub/%E5%A4%8F"]
        #expect(try sent(folder, ["-r", "\(folder.path)/top"]) == expected.map { "http://h/top/\($0)" })
        #expect(try sent(folder, ["-r", "\(folder.path)/top/"]) == expected.map { "http://h/\($0)" })
        #expect(try sent(folder, ["-r", "\(folder.path)/top/."]) == expected.map { "http://h/\($0)" })
    }

    @Test func createsMissingFoldersOnTheServer() throws {
        let folder = try tree()
        func creates(_ words: [String]) throws -> [Bool] {
            try plan(["put"] + words + ["http://h/"]).descriptions.map {
                if case .upload(let upload) = $0.operation { upload.createsFolders } else { false }
            }
        }
        #expect(try creates(["-r", "\(folder.path)/top"]).allSatisfy { $0 })
        #expect(try creates(["\(folder.path)/top/a"]) == [false])
        #expect(try creates(["-r", "--sid", "s", "\(folder.path)/top"]).allSatisfy { !$0 })
    }

    /// Latin-1 names.
    @Test func whatCannotBeReadLeavesTheRest() throws {
        let folder = try tree()
        try folder.write([1], to: Array("top/caf".utf8) + [0xe9])
        try folder.write([1], to: Array("top/sub/".utf8) + [0xff, 0x1b] + Array("夏".utf8))
        let listener = Listener()
        let made = try plan(["put", "-r", "\(folder.path)/top", "http://h/"], listener.surroundings())
        #expect(
            made.descriptions.map(\.url.string)
                == ["a", "b", "sub/deep/x", "sub/%E5%A4%8F"].map { "http://h/top/\($0)" })
        #expect(made.failures.map(\.position) == [0, 2])
        #expect(made.failures.allSatisfy { $0.error.code == .cannotReadSource })
        var lines: [String] = []
        made.failures.report { lines.append($0) }
        #expect(
            lines == [
                "'\(folder.path)/top/caf\\xe9': the name is not UTF-8; rename it to upload it",
                "'\(folder.path)/top/sub/\\xff\u{1b}夏': the name is not UTF-8; rename it to upload it",
            ])
        #expect(made.failures.exitCode == 26 && listener.warnings.isEmpty)
        let queued = try addPlan(["put", "-q", "-r", "\(folder.path)/top", "http://h/"])
        #expect(queued.descriptions.count == 4 && queued.failures == made.failures)
    }

    @Test(.enabled(if: geteuid() != 0)) func unreadableFilesAndFoldersLeaveTheRest() throws {
        let folder = try tree()
        try folder.write("x", to: "top/aa", mode: 0)
        chmod("\(folder.path)/top/sub/deep", 0)
        defer { chmod("\(folder.path)/top/sub/deep", 0o700) }
        let made = try plan(["put", "-r", "\(folder.path)/top", "http://h/"])
        #expect(made.descriptions.map(\.url.string) == ["a", "b", "sub/%E5%A4%8F"].map { "http://h/top/\($0)" })
        #expect(made.failures.map(\.position) == [1, 2])
        #expect(made.failures.map(\.error.systemErrno) == [EACCES, EACCES])
    }

    @Test func failsIfNothingCanBeRead() throws {
        let folder = try Folder()
        for byte in [0xe8, 0xe9] as [UInt8] { try folder.write([1], to: [byte]) }
        let listener = Listener()
        let error = #expect(throws: TransferError.self) {
            try plan(["put", "-r", folder.path, "http://h/"], listener.surroundings())
        }
        #expect(error?.code == .cannotReadSource && error?.message.contains("\\xe9") == true)
        #expect(listener.warnings.count == 1 && listener.warnings[0].contains("\\xe8"))
    }

    @Test func detectsCyclesOfLinks() throws {
        let folder = try tree()
        let listener = Listener()
        #expect(
            try sent(folder, ["-r", "--follow", "\(folder.path)/top"], listener)
                == ["a", "b", "link", "sub/deep/x", "sub/%E5%A4%8F"].map { "http://h/top/\($0)" })
        #expect(listener.warnings.count == 2)
    }
}
