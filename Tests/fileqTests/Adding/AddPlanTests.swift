// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Testing
import TransferControl
import TransferModel

@testable import fileq

@Suite struct AddPlanTests {
    @Test func addGetPlansWithAbsolutePaths() throws {
        let plan = try addPlan(["get", "--cookie-jar", "jar", "--sync", "--overwrite", "http://h/a"])
        #expect(plan.destinations == [.folder(path: "/home/user", name: "a")])
        #expect(plan.descriptions[0].options.cookieJar == "/home/user/jar")
        #expect(plan.descriptions[0].options.retries == nil)
        let download = try plan.descriptions[0].requireDownload()
        #expect(download.syncs && download.overwrites)
        #expect(try addPlan(["get", "-o", "./x", "http://h/a"]).destinations == [.file(path: "/home/user/x")])
        #expect(try addPlan(["get", "-o", "x", "http://h/a"], folder: "/").destinations == [.file(path: "/x")])
        #expect(try addPlan(["get", "-o", "/tmp/x", "http://h/a"]).destinations == [.file(path: "/tmp/x")])
    }

    @Test func syncsUnlessDisabled() throws {
        func syncs(_ words: String...) throws -> Bool {
            try addPlan(words).descriptions[0].requireDownload().syncs
        }
        #expect(try syncs("get", "http://h/a") == true)
        #expect(try syncs("get", "--no-sync", "http://h/a") == false)
        #expect(try syncs("get", "--no-sync", "--curl", "curl -o x http://h/a") == false)
    }

    /// The service has another one.
    @Test func downloadsTakeTheUmaskAlong() throws {
        var surroundings = Listener().surroundings()
        surroundings.umask = { 0o077 }
        let words = ["get", "--limit", "1k", "http://h/a", "http://h/b"]
        #expect(try addPlan(words, surroundings).descriptions.map(\.options.umask) == [0o077, 0o077])
        let shared = try addPlan(["get", "http://h/a", "http://h/b"], surroundings).descriptions
        #expect(shared[0].options.umask == 0o077 && shared[0].$options.isIdentical(to: shared[1].$options))
        #expect(try addPlan(["put", "/etc/hosts", "http://h/a"], surroundings).descriptions[0].options.umask == nil)
        #expect(try addPlan(words).descriptions[0].options.umask == nil)
        #expect(try plan(words, surroundings).descriptions[0].options.umask == nil)
    }

    @Test func addDefaultsToGet() throws {
        let plan = try addPlan(["http://h/a", "http://h/b", "--retry", "3", "--limit", "1k"])
        #expect(plan.descriptions.map(\.url.string) == ["http://h/a", "http://h/b"])
        #expect(plan.descriptions.allSatisfy { $0.options.retries == 3 && $0.options.rateLimit == 1024 })
    }

    @Test(arguments: [
        (["add", "http://h/a"], "AddGetCommand"), (["add", "get", "http://h/a"], "AddGetCommand"),
        (["add", "--paused", "http://h/a"], "AddGetCommand"),
        (["add", "put", "f", "http://h/a"], "AddPutCommand"), (["add", "curl", "-L", "--help", "h"], "AddCurlCommand"),
    ])
    func addSelectsItsSubcommand(words: [String], command: String) throws {
        #expect(String(describing: type(of: try Program.parse(words))) == command)
    }

    @Test func addPutWalksFolders() throws {
        let folder = try Folder()
        try folder.write("1", to: "photos/a")
        try folder.write("2", to: "photos/x/b")
        let plan = try addPlan(["put", "-r", "\(folder.path)/photos", "http://h/in/"])
        #expect(plan.sources == [.file(path: "\(folder.path)/photos/a"), .file(path: "\(folder.path)/photos/x/b")])
        #expect(plan.descriptions.map(\.url.string) == ["http://h/in/photos/a", "http://h/in/photos/x/b"])
        #expect(plan.terms.batch?.name == "photos" && plan.terms.batch?.id.count == 15)
        let one = try addPlan(["put", "--sid", "s", "\(folder.path)/photos/a", "http://h/up"])
        let upload = try one.descriptions[0].requireUpload()
        #expect(upload.form == .fileQ(FileQUpload(sid: "s", metadata: [])) && upload.resumption == .auto)
        let chosen = try addPlan(["put", "--resumable", "tus", "\(folder.path)/photos/a", "http://h/files/"])
        #expect(try chosen.descriptions[0].requireUpload().resumption == .tus)
    }

    /// What comes from a folder or a list, if that is more than one transfer.
    @Test func whatIsAddedTogetherIsABatch() throws {
        let folder = try Folder()
        for name in ["photos/a", "videos/b", "photos/c"] { try folder.write("1", to: name) }
        try folder.write("http://h/1\nhttp://h/2\n", to: "list.txt")
        try folder.write("http://h/1\n", to: "one.txt")
        func batch(_ words: String...) throws -> String? { try addPlan(words).terms.batch?.name }
        let path = folder.path
        #expect(try batch("get", "-d", path, "-i", "\(path)/list.txt") == "list.txt")
        #expect(try batch("get", "-d", path, "-i", "\(path)/one.txt") == nil)
        #expect(try batch("get", "-d", path, "http://h/1", "http://h/2") == nil)
        #expect(try batch("put", "\(path)/photos/a", "\(path)/videos/b", "http://h/in/") == nil)
        #expect(try batch("put", "-r", "\(path)/photos/", "\(path)/videos", "http://h/in/") == "photos, videos")
    }

    @Test func termsReachTheQueue() throws {
        let plan = try addPlan(
            ["get", "--paused", "--at", "+1h", "--discretionary", "--priority", "low", "http://h/a"],
            Listener().surroundings(now: 1000))
        #expect(plan.terms == TransferTerms(paused: true, earliestBegin: 4600, isDiscretionary: true))
        #expect(plan.descriptions[0].options.priority == 0.25)
    }

    @Test func predecessorsReachTheQueue() throws {
        let words = ["get", "--after", "7", "--after", "3-4,7", "http://h/a"]
        #expect(try addPlan(words).terms.after?.map(\.rawValue) == [3, 4, 7])
        #expect(try addPlan(["get", "--after", "none", "http://h/a"]).terms == TransferTerms())
        for word in ["state:failed", "x", "5-3", "1-2000"] {
            let error = #expect(throws: TransferError.self) { try addPlan(["get", "--after", word, "http://h/a"]) }
            #expect(error?.code == .usage)
        }
    }

    @Test(arguments: [("low", 0.25), ("normal", 0.5), ("high", 0.75), ("0", 0), ("1", 1), ("0.3", 0.3)])
    func parsesPriorities(text: String, rank: Double) throws {
        #expect(try addPlan(["--priority", text, "http://h/a"]).descriptions[0].options.priority == rank)
    }

    @Test(arguments: [
        (["get"], 2), (["put", "http://h/"], 2), (["get", "-o", "-", "http://h/a"], 2),
        (["get", "-o", "/dev/null", "http://h/a"], 2),
        (["put", "-", "http://h/a"], 2), (["put", "/dev/null", "http://h/a"], 2), (["get", "ftp://h/a"], 3),
        (["get", "http://h/1/a", "http://h/2/a"], 2),
        (["get", "-d", "/nonexistent", "http://h/a"], 23), (["put", "/nonexistent", "http://h/a"], 26),
        (["--at", "never", "http://h/a"], 2),
        (["--priority", "urgent", "http://h/a"], 2), (["--priority", "1.5", "http://h/a"], 2),
        (["--priority", "nan", "http://h/a"], 2),
        (["get", "-j", "0", "http://h/a"], 2), (["get", "-j", "many", "http://h/a"], 2),
        (["get", "--trust", "h:1=sha256//x", "http://h/a"], 2),
        (["put", "--tls-min", "1.3", "/etc/hostname", "http://h/a"], 2), (["--tls-max", "1.3", "http://h/a"], 2),
    ])
    func invalidArgumentsEnqueueNothing(words: [String], code: Int) {
        let error = #expect(throws: TransferError.self) { try addPlan(words) }
        #expect(error?.code.rawValue == code, "\(error?.message ?? "")")
    }

    /// 'fileq get' with them becomes 'fileq add get'.
    @Test(arguments: [
        (["get", "-j", "16", "http://h/a"], "'fileq set --concurrent 16'"), (["get", "-j4", "http://h/a"], "4'"),
        (["get", "--plain", "http://h/a"], "--plain has no effect here"),
        (["get", "-v", "http://h/a"], "'fileq info ID'"),
        (["put", "--concurrent", "2", "/etc/hostname", "http://h/"], "--concurrent has no effect here"),
    ])
    func warnsOfOptionsForTheForeground(words: [String], part: String) throws {
        let listener = Listener()
        #expect(try addPlan(words, listener.surroundings()).descriptions.count == 1)
        #expect(listener.warnings.count == 1 && listener.warnings[0].contains(part), "\(listener.warnings)")
        let quiet = Listener()
        _ = try addPlan(words + ["-q"], quiet.surroundings())
        #expect(quiet.warnings.isEmpty)
    }

    @Test func readsTheFileNamedByNETRC() throws {
        let folder = try Folder()
        let file = try folder.write("machine h login me password secret\n", to: "netrc")
        let surroundings = Listener().surroundings(environment: ["NETRC": file])
        #expect(
            try addPlan(["http://h/a", "http://k/b"], surroundings).descriptions.map(\.options.credential) == [
                Credential(user: "me", password: "secret"), nil,
            ])
        #expect(try plan(["get", "http://h/a"], surroundings).descriptions[0].options.credential == nil)
    }

    @Test func quietSuppressesWarnings() throws {
        let words = ["get", "http://u:p@h/a"]
        for (more, count) in [([], 1), (["-q"], 0)] {
            let listener = Listener()
            _ = try addPlan(words + more, listener.surroundings(arguments: words))
            #expect(listener.warnings.count == count)
        }
    }
}

@Suite struct AddSettingsTests {
    private static let inventory = CommandInventory.program

    @Test(arguments: [
        ("add http://h/a", "add get http://h/a"), ("add --paused http://h/a", "add get --paused http://h/a"),
        ("add get u", "add get u"),
        ("add put f u", "add put f u"), ("add curl -L u", "add curl -L u"), ("add", "add get"),
        ("add --help", "add --help"), ("add -h", "add -h"),
    ])
    func defaultsToGet(words: String, expected: String) {
        #expect(
            Settings.insertingDefault(in: words.split(separator: " ").map(String.init)).joined(separator: " ")
                == expected)
    }

    @Test func settingsOfGetApplyToAddGet() throws {
        func insertSettings(_ words: String, _ file: String) throws -> [String] {
            let configuration = try ConfigurationFile(path: "config.toml", text: file)
            try configuration.check(against: Self.inventory)
            return try Settings.merge(
                words.split(separator: " ").map(String.init), inventory: Self.inventory, variables: [:],
                file: configuration
            ).words
        }
        #expect(
            try insertSettings(
                "add get u", "retry = 1\nplain = true\nconcurrent = 9\n[get]\ndirectory = \"/d\"\n[put]\nretry = 2\n")
                == ["add", "get", "--retry=1", "--directory=/d", "u"]
                || insertSettings("add get u", "retry = 1\nplain = true\n[get]\ndirectory = \"/d\"\n")
                    == ["add", "get", "--directory=/d", "--retry=1", "u"]
        )
        #expect(
            try insertSettings("add put f u", "[put]\nretry = 2\n[add]\npaused = true\n") == [
                "add", "put", "--paused", "--retry=2", "f", "u",
            ])
        #expect(
            try insertSettings("add get u", "[get]\nretry = 2\n[add]\nretry = 3\n") == ["add", "get", "--retry=3", "u"])
        #expect(try insertSettings("add curl -L u", "retry = 1\n[add]\npaused = true\n") == ["add", "curl", "-L", "u"])
    }
}
