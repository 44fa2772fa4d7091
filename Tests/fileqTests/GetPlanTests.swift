// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import HTTPTypes
import SessionCore
import Testing
import TransferModel

@testable import fileq

@Suite struct GetPlanTests {
    @Test(arguments: [
        ("http://h/a/disk.iso", "disk.iso"), ("http://h/", "index.html"), ("http://h", "index.html"),
        ("http://h/%E5%A4%8F.txt?x=/y", "夏.txt"), ("http://h/a%2Fb", "a_b"), ("http://h/..", "index.html"),
        ("http://h/%2e%2e", "index.html"), ("http://h/..%2f..%2fetc%2fpasswd", "_._.._etc_passwd"),
        ("http://h/%1b[31m", "_[31m"), ("http://h/%ff", "%ff"), ("http://h/a%E2%80%AEb", "ab"),
    ])
    func namesTheFileAfterItsURL(address: String, name: String) throws {
        #expect(try plan(["get", address]).destinations == [.folder(path: ".", name: name)])
    }

    @Test func networkOptionsReachTheTransfer() throws {
        let plain = try plan(["get", "http://h/a"]).descriptions[0].options
        #expect(
            plain.waitsForConnectivity == nil && plain.allowsExpensive == nil && plain.interface == nil
                && !plain.liftsRestrictions)
        let options = try plan([
            "get", "--no-wait", "--no-expensive", "--no-constrained", "--no-cellular", "--interface", "wlan0",
            "http://h/a",
        ]).descriptions[0].options
        #expect(
            options.waitsForConnectivity == false && options.allowsExpensive == false
                && options.allowsConstrained == false)
        #expect(options.allowsCellular == false && options.interface == "wlan0")
        #expect(try plan(["get", "--now", "http://h/a"]).descriptions[0].options.liftsRestrictions)
        #expect(plain.multipath == nil)
        #expect(
            try plan(["get", "--multipath", "aggregate", "http://h/a"]).descriptions[0].options.multipath == .aggregate)
        var surroundings = Listener().surroundings()
        surroundings.pathOverrides = { () throws(TransferError) in PathOverrides(constrainsAll: true) }
        #expect(try plan(["get", "http://h/a"], surroundings).settings.pathOverrides.constrainsAll)
    }

    /// The queue waits for it.
    @Test(arguments: ["get", "put"]) func anInterfaceThatDoesNotExistFailsAtOnce(command: String) throws {
        let folder = try Folder()
        let words = command == "get" ? ["http://h/a"] : [try folder.write("x", to: "f"), "http://h/a"]
        func surroundings(_ names: [String]) -> CommandEnvironment {
            var surroundings = Listener().surroundings()
            surroundings.interfaceNames = { names }
            return surroundings
        }
        let known = surroundings(["lo", "eth0"])
        for name in ["lo", "eth0"] {
            let made = try plan([command, "--interface", name] + words, known)
            #expect(made.descriptions[0].options.interface == name)
        }
        let missing = [command, "--interface", "tun9"] + words
        let error = #expect(throws: TransferError.self) { try plan(missing, known) }
        #expect(error?.code == .interfaceUnavailable && error.map(ExitStatus.of) == 7)
        #expect(error?.message.contains("'tun9', only lo, eth0;") == true)
        #expect(try addPlan(missing, known).descriptions[0].options.interface == "tun9")
        // Without netlink none is known.
        #expect(try plan(missing, surroundings([])).descriptions.count == 1)
    }

    @Test func existingFileOptionsExcludeEachOther() throws {
        func existing(_ words: [String]) throws -> ExistingFile? {
            guard case .download(let download) = try plan(["get"] + words + ["http://h/a"]).descriptions[0].operation
            else { return nil }
            return download.existing
        }
        #expect(try existing([]) == .fails)
        #expect(try existing(["--skip-existing"]) == .skips)
        #expect(try existing(["-N"]) == .updates)
        #expect(try existing(["--if-newer"]) == .updates)
        for words in [
            ["-N", "--skip-existing"], ["-N", "--overwrite"], ["--skip-existing", "--overwrite"], ["-N", "-X", "POST"],
            ["-N", "-o", "-"], ["--keep-both", "--overwrite"], ["--keep-both", "-N"],
        ] {
            let error = #expect(throws: TransferError.self) { try existing(words) }
            #expect(error?.code == .usage)
        }
        #expect(try plan(["get", "--max-redirs", "0", "http://h/a"]).descriptions[0].options.maximumRedirects == 0)
        #expect(throws: TransferError.self) { try plan(["get", "--max-redirs=-1", "http://h/a"]) }
    }

    /// As a line that a program puts together may have it.
    @Test func theSameChecksumMayBeGivenTwice() throws {
        let digits = String(repeating: "ab", count: 32)
        let found = try plan([
            "get", "--checksum", "sha256:\(digits)", "--checksum", "SHA256:\(digits.uppercased())", "http://h/a",
        ])
        #expect(try found.descriptions[0].requireDownload().checksum?.description == "sha256:\(digits)")
    }

    @Test func keepsBothUnderTheNextFreeName() throws {
        let folder = try Folder()
        for name in ["a.iso", "b.tar.gz", "b-2.tar.gz", "README", ".rc"] { try folder.write("old", to: name) }
        func names(_ words: String...) throws -> [String] {
            try plan(["get", "--keep-both", "-d", folder.path] + words).descriptions.map {
                String($0.file.dropFirst(folder.path.utf8.count + 1))
            }
        }
        #expect(
            try names("http://h/a.iso", "http://h/b.tar.gz", "http://h/README") == [
                "a-2.iso", "b-3.tar.gz", "README-2",
            ])
        #expect(try names("http://h/new.iso") == ["new.iso"])
        // So do two of one command.
        #expect(try names("http://h/x.iso", "http://g/x.iso", "http://f/x.iso") == ["x.iso", "x-2.iso", "x-3.iso"])
        let named = try plan(["get", "--keep-both", "-o", folder.path + "/.rc", "http://h/x"])
        #expect(named.destinations == [.file(path: folder.path + "/.rc-2")])
        #expect(
            try plan(["get", "--keep-both", "-d", folder.path, "http://h/new.iso"]).destinations
                == [.folder(path: folder.path, name: "new.iso")])
        func existing(_ words: String...) throws -> ExistingFile {
            try plan(["get", "--keep-both"] + words).descriptions[0].requireDownload().existing
        }
        // The server may propose another name, and another program may take this one.
        #expect(try existing("-d", folder.path, "http://h/new.iso") == .keepsBoth)
        #expect(try existing("-o", folder.path + "/new.iso", "http://h/x") == .keepsBoth)
        #expect(try existing("-d", folder.path, "http://h/a.iso") == .keepsBoth)
    }

    /// Names that other downloads will have: in the queue, and in other processes.
    @Test func keepsBothOfDownloadsUnderWay() throws {
        let folder = try Folder()
        var fetched = PlanInputs(namesInUse: [folder.path + "/x.iso", folder.path + "/x-2.iso"])
        func name() throws -> String {
            try plan(["get", "--keep-both", "-d", folder.path, "http://h/x.iso"], with: fetched).descriptions[0].file
        }
        #expect(try name() == folder.path + "/x-3.iso")
        fetched.namesInUse = []
        let partial = try folder.write("half", to: "x.iso.fileq-part")
        #expect(try name() == folder.path + "/x.iso", "one that was interrupted is continued")
        let writer = open(partial, O_RDWR | O_CLOEXEC)
        defer { close(writer) }
        try #require(flock(writer, LOCK_EX | LOCK_NB) == 0)
        #expect(try name() == folder.path + "/x-2.iso")
    }

    @Test func aFileIsNoFolder() throws {
        let folder = try Folder()
        let file = try folder.write("x", to: "f")
        for words in [["-d", file], ["-d", file + "/"], ["-o", file + "/x"]] {
            let error = #expect(throws: TransferError.self) { try plan(["get"] + words + ["http://h/a"]) }
            #expect(error?.code == .cannotWrite && error?.message.contains("is a file") == true)
            #expect(error?.message.contains("mkdir") == false)
        }
    }

    /// `find … | fileq put -i - URL/` on a night without files.
    @Test(arguments: ["", "\n\n", "# only a comment\n"]) func emptyListsAreNothingToDo(_ text: String) throws {
        let folder = try Folder()
        let (list, file) = (try folder.write(text, to: "list"), try folder.write("x", to: "f"))
        for words in [["get", "-i", list], ["put", "-i", list, "http://h/in/"]] {
            let (listener, adding) = (Listener(), Listener())
            #expect(try plan(words, listener.surroundings()).isEmpty)
            #expect(try addPlan(words, adding.surroundings()).descriptions.isEmpty)
            #expect(listener.warnings == ["'\(list)' is empty: nothing to do"] && adding.warnings == listener.warnings)
        }
        for words in [["get", "-i", list, "http://h/a"], ["put", "-i", list, file, "http://h/in/"]] {
            let listener = Listener()
            #expect(try plan(words, listener.surroundings()).descriptions.count == 1)
            #expect(listener.warnings == ["'\(list)' is empty"])
        }
        let error = #expect(throws: TransferError.self) { try plan(["put", "-i", list, "ftp://h/"]) }
        #expect(error?.code == .malformedURL)
    }

    @Test func truncatesLongNamesBetweenCharacters() throws {
        let name = DownloadName.propose(for: try TransferURL("http://h/" + String(repeating: "夏", count: 120)))
        #expect(name.hasPrefix(String(repeating: "夏", count: 79) + "~") && name.utf8.count == 79 * 3 + 17)
    }

    @Test func longNamesThatDifferAtTheirEndsAreTwoFiles() throws {
        let folder = try Folder()
        let names = [1, 2].map { String(repeating: "夏", count: 76) + "第\($0)話.mp4" }
        let found = try plan(["get", "-d", folder.path] + names.map { "http://h/\($0)" }).destinations
        let expected: [Download.Destination] = names.map { .folder(path: folder.path, name: $0) }
        #expect(found == expected)
    }

    @Test(arguments: [
        ("50%.pdf", "50%.pdf"), ("caf%E9.pdf", "caf%E9.pdf"), ("a%00b", "a%00b"), ("caf%C3%A9.pdf", "café.pdf"),
        ("a%2Fb", "a_b"), ("", "index.html"), (".bashrc", "_bashrc"), ("..%2f..%2fetc%2fpasswd", "_._.._etc_passwd"),
        ("%2Ea", "_a"), ("%E2%80%AE.a", "_a"), ("%20.a", "_a"), ("..%5Ca", "_._a"),
    ]) func keepsTheCodeOfWhatIsNoText(_ segment: String, _ name: String) throws {
        #expect(DownloadName.propose(for: try TransferURL("http://h/d/\(segment)?x=1")) == name)
    }

    @Test func choosesDestinations() throws {
        let folder = try Folder()
        #expect(
            try plan(["get", "-o", "\(folder.path)/x", "http://h/a"]).destinations == [.file(path: "\(folder.path)/x")])
        #expect(
            try plan(["get", "-d", folder.path, "http://h/a"]).destinations == [.folder(path: folder.path, name: "a")])
        // A relative name is one in the folder, a full path is whole.
        for (name, path) in [("x", "\(folder.path)/x"), ("\(folder.path)/y", "\(folder.path)/y")] {
            let both = try plan(["get", "-d", folder.path, "-o", name, "http://h/a"])
            #expect(both.destinations == [.file(path: path)])
        }
        let piped = try plan(["get", "-o", "-", "http://h/a"])
        var atTerminal = Listener().surroundings()
        atTerminal.writesToTerminal = { true }
        let refusal = #expect(throws: TransferError.self) { try plan(["get", "-o", "-", "http://h/a"], atTerminal) }
        #expect(
            refusal?.code == .usage && refusal?.message.contains("would write the file to the terminal") == true
        )
        #expect(piped.destinations == [.stream(descriptor: 1)])
        #expect(piped.writesBytesToStandardOutput)
        // A device is written to and never replaced.
        guard case .stream = try plan(["get", "-o", "/dev/null", "http://h/a"]).destinations[0] else {
            Issue.record("a device is a stream")
            return
        }
    }

    /// As to standard output; one of another user could wait for ever, or pass the bytes on.
    @Test func writesIntoOwnPipes() throws {
        let folder = try Folder()
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        guard case .stream(let descriptor) = try plan(["get", "-o", pipe, "http://h/a"]).destinations[0] else {
            return #expect(Bool(false), "a pipe is a stream")
        }
        #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0)
        close(descriptor)
        guard geteuid() == 0 else { return }
        #expect(lchown(pipe, 65534, 65534) == 0)
        let error = #expect(throws: TransferError.self) { try plan(["get", "-o", pipe, "http://h/a"]) }
        #expect(error?.code == .cannotWrite && error?.message.contains("another user") == true)
    }

    @Test func followsOwnLinks() throws {
        let folder = try Folder()
        let file = try folder.write("old", to: "file")
        #expect(symlink("file", folder.path + "/link") == 0 && symlink("link", folder.path + "/second") == 0)
        let real = try #require(realpath(file, nil).map { String(cString: $0) })
        #expect(
            try plan(["get", "--overwrite", "-o", folder.path + "/second", "http://h/a"]).destinations == [
                .file(path: real)
            ])
    }

    /// In a folder that all can write, another user's link would send the bytes to a file of that user's choice.
    @Test(.enabled(if: geteuid() == 0, "only root makes links of others")) func rejectsLinksOfOthers() throws {
        let folder = try Folder()
        let file = try folder.write("old", to: "file")
        let shared = folder.path + "/shared"
        #expect(mkdir(shared, 0o700) == 0 && chmod(shared, 0o1777) == 0)
        #expect(symlink(file, shared + "/out.iso") == 0 && lchown(shared + "/out.iso", 65534, 65534) == 0)
        #expect(symlink("out.iso", shared + "/mine") == 0)
        for name in ["out.iso", "mine"] {
            let error = #expect(throws: TransferError.self) {
                try plan(["get", "--overwrite", "-o", "\(shared)/\(name)", "http://h/a"])
            }
            #expect(error?.code == .cannotWrite && error?.message.contains("another user") == true)
        }
        // In a folder where others cannot create links, the user has put another user's link there.
        #expect(chmod(shared, 0o755) == 0)
        #expect(try plan(["get", "--overwrite", "-o", shared + "/out.iso", "http://h/a"]).destinations.count == 1)
    }

    @Test(arguments: [
        (["get"], 2), (["get", "ftp://h/a"], 3), (["get", "h/a"], 3), (["get", "http://"], 3),
        (["get", "-o", "x", "http://h/a", "http://h/b"], 2),
        (["get", "-o", "x", "-d", "/nonexistent", "http://h/a"], 23),
        (["get", "-o", "/tmp", "http://h/a"], 2), (["get", "-o", "x/", "http://h/a"], 2),
        (["get", "-o", "/nonexistent/x", "http://h/a"], 23), (["get", "-d", "/nonexistent", "http://h/a"], 23),
        (["get", "http://h/1/a", "http://h/2/a"], 2), (["get", "http://h/", "http://k/"], 2),
        (["get", "-o", "-", "--json", "http://h/a"], 2), (["get", "-q", "-v", "http://h/a"], 2),
        (["get", "--checksum", "sha256:00", "http://h/a"], 2), (["get", "-j", "0", "http://h/a"], 2),
        (["get", "--checksum", "sha256:\(String(repeating: "0", count: 64))", "http://h/a", "http://h/b"], 2),
        (
            [
                "get", "--checksum", "md5:\(String(repeating: "0", count: 32))",
                "--checksum", "sha256:\(String(repeating: "0", count: 64))", "http://h/a",
            ], 2
        ),
        (["get", "--retry=-1", "http://h/a"], 2), (["get", "--request-timeout", "0", "http://h/a"], 2),
        (["get", "--response-timeout", "0", "http://h/a"], 2),
        (["get", "--request-timeout", "inf", "http://h/a"], 2), (["get", "--limit", "fast", "http://h/a"], 2),
        (["get", "--http", "3", "http://h/a"], 2), (["get", "--http", "9", "http://h/a"], 2),
        (["get", "--pin", "sha256//abc", "http://h/a"], 2), (["get", "--cacert", "/nonexistent", "http://h/a"], 2),
        (["get", "-X", "BAD METHOD", "http://h/a"], 2), (["get", "-H", "no colon", "http://h/a"], 2),
        (["get", "-H", "Range: bytes=1-", "http://h/a"], 2), (["get", "-H", "content-length: 1", "http://h/a"], 2),
        (["get", "-H", "A: b\r\nC: d", "http://h/a"], 2), (["get", "-H", "A: \u{7f}", "http://h/a"], 2),
        (["get", "-b", "novalue", "http://h/a"], 2), (["get", "-b", "a=b;c", "http://h/a"], 2),
        (["get", "-b", "a=\(String(repeating: "x", count: 5000))", "http://h/a"], 2),
        (["get", "-b", "a=\u{1b}", "http://h/a"], 2), (["get", "--sid", "a", "--sid-file", "b", "http://h/a"], 2),
        (["get", "--now", "--no-expensive", "http://h/a"], 2), (["get", "--no-cellular", "--now", "http://h/a"], 2),
        (["get", "--now", "--no-constrained", "http://h/a"], 2), (["get", "--interface", "", "http://h/a"], 2),
        (["get", "--interface", "a/b", "http://h/a"], 2), (["get", "--multipath", "always", "http://h/a"], 2),
        (["get", "--interface", "host!1.2.3.4", "http://h/a"], 2),
        (["get", "--interface", "sixteen-letters-", "http://h/a"], 2),
        (["get", "--password-file", "x", "http://h/a"], 2), (["get", "-i", "/nonexistent"], 2),
    ])
    func rejectsInvalidArguments(words: [String], code: Int) {
        let error = #expect(throws: TransferError.self) { try plan(words) }
        #expect(error?.code.rawValue == code, "\(error?.message ?? "")")
        #expect(error?.message.contains("\n") == false)
    }

    @Test func optionsReachTheTransfer() throws {
        let pin = "sha256//" + Data(repeating: 7, count: 32).base64EncodedString()
        let made = try plan([
            "get", "-X", "POST", "-H", "Accept: text/plain", "-H", "Host: other", "-b", "a=1", "--connect-timeout",
            "1.5",
            "--request-timeout", "2", "--response-timeout", "2.5", "--resource-timeout", "3", "--retry", "7",
            "--limit", "2M", "--http", "2",
            "--pin", pin,
            "--overwrite", "--sync", "-j", "8", "--cookie-jar", "jar", "http://h/a",
        ])
        let options = made.descriptions[0].options
        #expect(options.method == .post)
        #expect(options.headers.map(\.value) == ["text/plain", "other"])
        #expect(options.cookies == [try Cookie(name: "a", value: "1")])
        #expect((options.connectTimeout, options.requestTimeout, options.resourceTimeout) == (1.5, 2, 3))
        #expect(options.responseTimeout == 2.5 && options.retries == 7)
        #expect(options.pins == [pin])
        #expect(options.httpVersion == .http2)
        #expect(options.cookieJar == "jar")
        #expect(made.settings == QueueSettings(concurrent: 8, download: 2_097_152))
        let download = try made.descriptions[0].requireDownload()
        #expect(download.overwrites && download.syncs)
    }

    /// In the background only the resource timeout limits what a server may ask to wait.
    @Test func aRunWaitsAnHourForAServer() throws {
        func most(_ words: String...) throws -> Double? {
            try plan(["get"] + words + ["http://h/a"]).descriptions[0].options.maximumRetryWait
        }
        #expect(try most() == 3600)
        #expect(try most("--retry-max-wait", "0") == 0)
        #expect(try most("--retry-max-wait", "86400") == 86400)
        #expect(try addPlan(["get", "http://h/a"]).descriptions[0].options.maximumRetryWait == nil)
        #expect(
            try addPlan(["get", "--retry-max-wait", "60", "http://h/a"]).descriptions[0].options.maximumRetryWait == 60)
        for value in ["-1", "inf", "nan"] {
            let error = #expect(throws: TransferError.self) { try most("--retry-max-wait=\(value)") }
            #expect(error?.code == .usage && error?.fields.option == "retry-max-wait")
        }
    }

    @Test func repeatedHeadersAreSentUnlessTheyHaveOneValue() throws {
        let folder = try Folder()
        let list = try folder.write("http://h/a\n  header=X-A: 3\n  header=User-Agent: list\n", to: "list")
        let words = [
            "-H", "X-A: 1", "-H", "Host: a", "-H", "User-Agent: x", "-H", "x-a: 2", "-H", "host: b", "-H",
            "Accept: a/b", "-H", "Accept: c/d",
        ]
        let made = try plan(["get", "http://h/0", "-i", list] + words)
        let headers = made.descriptions.map { $0.options.headers.map { "\($0.name.rawName): \($0.value)" } }
        #expect(headers[0] == ["X-A: 1", "User-Agent: x", "x-a: 2", "host: b", "Accept: a/b", "Accept: c/d"])
        #expect(
            headers[1] == ["X-A: 1", "x-a: 2", "host: b", "Accept: a/b", "Accept: c/d", "X-A: 3", "User-Agent: list"])
    }

    @Test func syncsUnlessDisabled() throws {
        func syncs(_ words: String...) throws -> Bool {
            try plan(["get"] + words + ["http://h/a"]).descriptions[0].requireDownload().syncs
        }
        #expect(try syncs() == true)
        #expect(try syncs("--sync") == true)
        #expect(try syncs("--no-sync") == false)
        let error = #expect(throws: TransferError.self) { try plan(["get", "--sync", "--no-sync", "http://h/a"]) }
        #expect(error?.code == .usage)
    }

    @Test func acceptsHTTP3IfSupported() throws {
        let made = try plan(["get", "--http", "3", "https://h/a"], Listener().surroundings(speaksHTTP3: true))
        #expect(made.descriptions[0].options.httpVersion == .http3)
        let error = #expect(throws: TransferError.self) { try plan(["get", "--http", "3", "https://h/a"]) }
        #expect(error?.message == "--http 3: no HTTP/3 here")
    }

    @Test func ignoresCommentsAndBlankLines() throws {
        let folder = try Folder()
        let list = try folder.write("# one\n\n  http://h/a  \r\nhttp://h/b#part\n", to: "list")
        #expect(
            try plan(["get", "http://h/0", "-i", list]).descriptions.map(\.url.string)
                == ["http://h/0", "http://h/a", "http://h/b"])
    }

    @Test func readsSeveralLists() throws {
        let folder = try Folder()
        let lists = try [folder.write("http://h/a\n", to: "1"), folder.write("http://h/b\n", to: "2")]
        #expect(
            try plan(["get", "-i", lists[0], "-i", lists[1]]).descriptions.map(\.url.string)
                == ["http://h/a", "http://h/b"])
    }

    /// It would replace a file by an empty one.
    @Test func savesNoResponsesToHEAD() {
        let error = #expect(throws: TransferError.self) { try plan(["get", "-X", "HEAD", "http://h/a"]) }
        #expect(error?.code == .usage && error?.message.contains("--dry-run") == true)
    }

    @Test func sendsSessionAndMetadataAsCookies() throws {
        let cookies = try plan(["get", "--sid", "s1", "--meta", "title=夏 1", "--meta", "題=x", "http://h/a"])
            .descriptions[0].options.cookies
        #expect(
            cookies.map { "\($0.name)=\($0.value)" } == [
                "fileuploadSID=s1", "fileq-meta-title=%E5%A4%8F%201", "fileq-meta-%E9%A1%8C=x",
            ])
    }

    @Test func plansTenThousandURLsQuickly() throws {
        let folder = try Folder()
        let list = try folder.write((0..<10_000).map { "http://h/file-\($0)\n" }.joined(), to: "list")
        let clock = ContinuousClock()
        let spent = try clock.measure {
            let made = try plan(["get", "-i", list])
            #expect(made.descriptions.count == 10_000)
        }
        #expect(spent < .seconds(5))
    }
}
