// SPDX-License-Identifier: MIT

import ArgumentParser
import TerminalInterface
import Testing
import TransferControl
import TransferModel

@testable import fileq
import TransferTesting

/// The form of the interface asks for what the words of `fileq add` ask for.
struct AddWordsTests {
    private static func request(_ addresses: String, _ change: (inout AddRequest) -> Void = { _ in }) -> AddRequest {
        var request = AddRequest()
        request.addresses = addresses
        change(&request)
        return request
    }

    private static let url = "https://a.example/x.iso"

    @Test(arguments: [
        (request(url), ["get", url]), (request(" \(url)\n\n\(url)2\t"), ["get", url, url + "2"]),
        (request("https://a.example/it's?a=1&b=(2)"), ["get", "https://a.example/it's?a=1&b=(2)"]),
        (request("'\(url)'"), ["get", url]), (request("-o x.iso \(url)"), ["get", "-o", "x.iso", url]),
        (request("get --header 'A: b' \(url)"), ["get", "--header", "A: b", url]),
        (request("fileq add get \(url)"), ["get", url]),
        (request("curl '\(url)' \\\n -H 'A: b'"), ["get", "--curl", "curl '\(url)' \\\n -H 'A: b'"]),
        (request("/usr/bin/curl -O \(url)"), ["get", "--curl", "/usr/bin/curl -O \(url)"]),
        (request("fileq add curl -O \(url)"), ["get", "--curl", "curl -O \(url)"]),
        (request("'my report.pdf' https://a.example/in/"), ["put", "my report.pdf", "https://a.example/in/"]),
        (request("nas:a.iso nas:b.iso"), ["get", "nas:a.iso", "nas:b.iso"]),
        (request("'my report.pdf' nas:in/"), ["put", "my report.pdf", "nas:in/"]),
        (request("nas:in/") { $0.files = ["a"] }, ["put", "--", "a", "nas:in/"]),
        (request("put -r photos https://a.example/in/"), ["put", "-r", "photos", "https://a.example/in/"]),
        (
            request(url) { ($0.folder, $0.existing, $0.start) = ("~/isos/", .newer, .at("tomorrow 08:00")) },
            ["get", "--at=tomorrow 08:00", "--directory=/home/user/isos/", "--if-newer", url]
        ),
        (
            request(url) { ($0.existing, $0.start, $0.priority) = (.replace, .paused, "high") },
            ["get", "--paused", "--priority=high", "--overwrite", url]
        ),
        (request(url) { $0.existing = .keepBoth }, ["get", "--keep-both", url]),
        (
            request(url) { ($0.folder, $0.createsFolder) = ("new", true) },
            ["get", "--directory=new", "--create-dirs", url]
        ),
        (
            request(url) { ($0.existing, $0.limit, $0.checksum) = (.skip, "2M", "sha256:00") },
            ["get", "--limit=2M", "--checksum=sha256:00", "--skip-existing", url]
        ),
        (
            request("https://a.example/in/") { ($0.files, $0.limit) = (["~/写真/-a b.jpg", "-c"], "1M") },
            ["put", "--limit=1M", "--", "/home/user/写真/-a b.jpg", "-c", "https://a.example/in/"]
        ),
        (
            request("--meta title=夏 https://a.example/in/") { $0.files = ["a"] },
            ["put", "--meta", "title=夏", "--", "a", "https://a.example/in/"]
        ),
    ])
    func makesTheWordsOfAdd(_ request: AddRequest, _ words: [String]) throws {
        #expect(try AddWords(request: request, home: "/home/user").words() == ["add"] + words)
    }

    @Test(arguments: [
        request(""), request("'\(url)"), request("\(url) \(url)2") { $0.files = ["a"] },
        request("get \(url)") { $0.files = ["a"] }, request("a") { $0.files = ["b"] },
    ])
    func refuses(_ request: AddRequest) {
        let error = #expect(throws: TransferError.self) { try AddWords(request: request).words() }
        #expect(error?.code == .usage)
    }

    @Test func theLogShowsNoSecrets() {
        #expect(AddWords(request: Self.request("curl -b 'sid=geheim' \(Self.url)")).shownLine() == "add get --curl -")
        let line = AddWords(request: Self.request("https://alice:geheim@a.example/x?token=geheim")).shownLine()
        #expect(line?.contains("a.example") == true && line?.contains("geheim") == false)
        #expect(AddWords(request: Self.request("'")).shownLine() == nil)
    }
}

/// What the form adds, and what it says before.
struct AddingFromTheFormTests {
    private func runner(_ queue: FakeQueue, _ folder: Folder) -> CommandLineRunner {
        var surroundings = Listener().surroundings(environment: ["HOME": folder.path])
        surroundings.workingFolder = { () throws(TransferError) in folder.path }
        surroundings.localTime = .utc
        return CommandLineRunner(queue: queue, surroundings: surroundings)
    }

    private static func request(
        _ addresses: String, _ change: (inout AddRequest) -> Void = { _ in }
    ) -> AddRequest {
        var request = AddRequest()
        request.addresses = addresses
        // Not the folder of this process.
        request.folder = "~/"
        change(&request)
        return request
    }

    @Test func addsWhatTheCommandAdds() async throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        let wanted = Self.request("https://a.example/1\nhttps://a.example/2") {
            ($0.existing, $0.start, $0.priority, $0.limit) = (.skip, .at("+2h"), "low", "1M")
        }
        let outcome = await runner(queue, folder).add(wanted)
        #expect(outcome == .added(2, notes: []))
        let plan = try addPlan(
            [
                "get", "-d", folder.path + "/", "--skip-existing", "--at", "+2h", "--priority", "low", "--limit", "1M",
                "https://a.example/1", "https://a.example/2",
            ], folder: folder.path)
        #expect(queue.added == plan.descriptions && queue.terms == plan.terms && queue.additions == 1)
    }

    /// Another machine's queue would get nothing, and this one something unexpected.
    @Test func onlyTheQueueThatIsShownIsUsed() async throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        for line in ["pause 1 --on nas", "add --on=nas https://a.example/1", "list --on local"] {
            let outcome = await runner(queue, folder).run(line)
            #expect(outcome.error?.contains("the queue that is shown") == true, "\(outcome)")
        }
        let outcome = await runner(queue, folder).add(Self.request("--on nas https://a.example/1"))
        guard case .failed(let text, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(text.contains("the queue that is shown") && queue.additions == 0, "\(text)")
    }

    /// By the form, and by the command line of the interface.
    @Test func addingCreatesFoldersOnRequest() async throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        try folder.write("x", to: "f")
        let words = "--create-dirs -d \(folder.path)"
        let wanted = Self.request("\(words)/new/er https://a.example/1") { $0.folder = nil }
        #expect(await runner(queue, folder).add(wanted) == .added(1, notes: []))
        #expect(FileStatus(folder.path + "/new/er")?.isFolder == true)
        let outcome = await runner(queue, folder).run("add \(words)/other https://a.example/2")
        #expect(outcome.error == nil && FileStatus(folder.path + "/other")?.isFolder == true, "\(outcome)")
        #expect(queue.additions == 2)
        let blocked = Self.request("\(words)/f/new https://a.example/3") { $0.folder = nil }
        let failure = await runner(queue, folder).add(blocked)
        guard case .failed(let text, let field) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(field == .folder && text.contains("'~/f/new' cannot be created"), "\(text)")
        #expect(queue.additions == 2)
    }

    /// The form asks for that, and has no option to name.
    @Test func aMissingFolderIsCreatedWhenAsked() async throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        let wanted = Self.request("https://a.example/1") { $0.folder = "~/new/er" }
        #expect(await runner(queue, folder).add(wanted) == .missesFolder("no folder '~/new/er'"))
        let outlook = runner(queue, folder).lookAhead(wanted)
        #expect(outlook.missesFolder && outlook.problem == "no folder '~/new/er'")
        #expect(FileStatus(folder.path + "/new") == nil && queue.additions == 0)
        let again = Self.request("https://a.example/1") { ($0.folder, $0.createsFolder) = ("~/new/er", true) }
        #expect(await runner(queue, folder).add(again) == .added(1, notes: []))
        #expect(FileStatus(folder.path + "/new/er")?.isFolder == true && queue.additions == 1)
        // In a shell there is one.
        let error = #expect(throws: TransferError.self) {
            try addPlan(["get", "-d", folder.path + "/other", "https://a.example/1"], folder: folder.path)
        }
        let text = error.map { MessageCatalog.text($0) }
        #expect(text?.hasSuffix("; create it with 'mkdir -p' or --create-dirs") == true)
    }

    @Test(arguments: [
        "add --dry-run https://a.example/1", "add get --dry-run --curl 'curl https://a.example/1'",
        "add put --dry-run FOLDER/f https://a.example/in/",
    ])
    func theScreenRefusesADryRun(line: String) async throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        try folder.write("x", to: "f")
        let outcome = await runner(queue, folder).run(line.replacing("FOLDER", with: folder.path))
        #expect(outcome.error?.contains("--dry-run needs standard output") == true, "\(outcome)")
        #expect(queue.additions == 0)
    }

    @Test func threeFilesAreThreeUploads() async throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        for name in ["京都 駅.jpg", "奈良.jpg", "-a.jpg"] { try folder.write("bytes", to: "写真/\(name)") }
        let wanted = Self.request("https://a.example/in/") {
            $0.files = ["~/写真/京都 駅.jpg", "~/写真/奈良.jpg", "~/写真/-a.jpg"]
        }
        let outlook = runner(queue, folder).lookAhead(wanted)
        #expect(outlook.uploads == 3 && outlook.bytes == 15 && outlook.servers == 1 && outlook.existing == nil)
        #expect(await runner(queue, folder).add(wanted) == .added(3, notes: []))
        #expect(queue.added.map(\.url.path).count == 3 && queue.added.allSatisfy { $0.kind == .upload })
        #expect(queue.added.map(\.file) == ["京都 駅.jpg", "奈良.jpg", "-a.jpg"].map { "\(folder.path)/写真/\($0)" })
    }

    @Test(arguments: [
        (request("https://a.example/x") { $0.start = .at("noon") }, AddField.start),
        (request("https://a.example/x") { $0.limit = "fast" }, .limit),
        (request("https://a.example/x") { $0.checksum = "x" }, .checksum),
        (request("https://a.example/x") { $0.priority = "9" }, .priority),
        (request("https://a.example/x") { $0.folder = "~/f/none" }, .folder),
        (request("ftp://a.example/x"), .addresses), (request("--what https://a.example/"), .addresses),
        (request("https://a.example/in/") { $0.files = ["~/none"] }, .files),
        (request("https://a.example/1 https://a.example/2") { $0.checksum = zeros }, .checksum),
    ])
    func errorsHaveTheirField(_ wanted: AddRequest, _ field: AddField) async throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        try folder.write("x", to: "f")
        let outcome = await runner(queue, folder).add(wanted)
        guard case .failed(let text, let found) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(found == field && !text.isEmpty && queue.additions == 0, "\(text)")
        #expect(runner(queue, folder).lookAhead(wanted).problem == text)
    }

    @Test func foldersBelowHomeBeginWithATilde() throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        let wanted = Self.request("https://a.example/x") { $0.folder = "~/none" }
        let problem = runner(queue, folder).lookAhead(wanted).problem
        #expect(problem?.contains("'~/none'") == true && problem?.contains(folder.path) == false)
        var edit = EditRequest([TransferID(rawValue: 1)])
        (edit.name, edit.folder) = ("x", "~/none")
        #expect(runner(queue, folder).lookAhead(edit).problem == "~/none: there is no such folder")
    }

    /// The screen compares them with its transfers; those of `keep-both` get free names.
    @Test func theOutlookHasTheFiles() throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        let two = "https://a.example/1 https://b.example/2"
        let runner = runner(queue, folder)
        #expect(runner.lookAhead(Self.request(two)).files == ["\(folder.path)/1", "\(folder.path)/2"])
        #expect(runner.lookAhead(Self.request(two) { $0.existing = .replace }).files.count == 2)
        #expect(runner.lookAhead(Self.request(two) { $0.existing = .keepBoth }).files.isEmpty)
        #expect(runner.lookAhead(Self.request("--keep-both " + two)).files.isEmpty)
    }

    @Test func addingSaysThatATransferHasTheFile() async throws {
        let folder = try Folder()
        let known = Transfer(
            id: TransferID(rawValue: 2), kind: .download, url: "https://b.example/1", file: "\(folder.path)/1",
            state: .running)
        let queue = FakeQueue([known])
        let outcome = await runner(queue, folder).add(Self.request("https://a.example/1"))
        #expect(outcome == .added(1, notes: ["2 has this file already"]))
        let other = await runner(queue, folder).add(Self.request("https://a.example/2"))
        #expect(other == .added(1, notes: []))
    }

    @Test(
        arguments: [
            ("https://a/1\nftp://a/2\nhttps://a/3\n", 2, "line 2 is skipped: unknown scheme 'ftp'"),
            ("ftp://a/1\nhttps://a/2\nftp://a/3\n", 1, "line 1 and 1 more are skipped: unknown scheme 'ftp'"),
            ("https://a/1\n", 1, nil),
        ] as [(String, Int, String?)])
    func theOutlookNamesASkippedLine(_ list: String, _ downloads: Int, _ words: String?) throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        try folder.write(list, to: "list.txt")
        let outlook = runner(queue, folder).lookAhead(Self.request("-i \(folder.path)/list.txt"))
        #expect(outlook.downloads == downloads && outlook.problem == nil)
        guard let words else {
            #expect(outlook.skipped == nil)
            return
        }
        #expect(outlook.skipped?.hasPrefix(words) == true, "\(outlook)")
    }

    private static let zeros = "sha256:" + String(repeating: "0", count: 64)

    @Test func theOutlookCountsExistingFilesAndMakesNoFolder() throws {
        let (queue, folder) = (FakeQueue(), try Folder())
        try folder.write("old", to: "1")
        let runner = runner(queue, folder)
        let two = "https://a.example/1 https://b.example/2"
        let outlook = runner.lookAhead(Self.request(two))
        #expect(outlook.downloads == 2 && outlook.servers == 2 && outlook.existing == 1 && outlook.problem == nil)
        #expect(runner.lookAhead(Self.request(two) { $0.existing = .replace }).existing == 1)
        #expect(runner.lookAhead(Self.request(two) { $0.existing = .keepBoth }).existing == 1)
        #expect(runner.lookAhead(Self.request("--overwrite " + two)).existing == 0, "they are replaced unasked")
        #expect(outlook.existingName == "1" && outlook.name == nil)
        let one = runner.lookAhead(Self.request("curl -L -o 夏.mp4 https://a.example/latest") { $0.folder = nil })
        #expect(one.downloads == 1 && one.name == "夏.mp4" && one.existing == 0 && one.existingName == nil)
        let inside = Self.request("--create-dirs -d \(folder.path)/new \(two)") { $0.folder = nil }
        #expect(runner.lookAhead(inside).downloads == 2)
        #expect(FileStatus(folder.path + "/new") == nil)
        #expect(queue.additions == 0)
    }
}
