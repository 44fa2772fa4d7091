// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Testing
import TransferModel

@testable import fileq

@Suite struct DownloadListTests {
    private func lines(_ text: String) throws -> [String] {
        try DownloadList.parse(text, named: "l").map { request in
            "\(request.origin?.line ?? 0):\(request.address)"
                + request.options.map { "|\($0.line):\($0.name)=\($0.value)" }.joined()
        }
    }

    @Test(arguments: [
        ("", []), ("# a\n\n \t\n", []), ("http://h/a", ["1:http://h/a"]),
        ("# x\n\n  http://h/a  \r\nhttp://h/b#part\n", ["3:http://h/a", "4:http://h/b#part"]),
        ("a\rb\r\nc", ["1:a", "2:b", "3:c"]), ("a\n  out=b c\n\n\tdir=/d=e\nf\n", ["1:a|2:out=b c|4:dir=/d=e", "5:f"]),
        ("a\n  # no\n  out=b\n", ["1:a|3:out=b"]), ("a\n http://h/?x=1\n", ["1:a", "2:http://h/?x=1"]),
        ("a\nout=b\n", ["1:a", "2:out=b"]),
        ("a\n  HEADER=x\n", ["1:a", "2:HEADER=x"]), ("a\n  out=\n", ["1:a|2:out="]), ("夏\n", ["1:夏"]),
        ("\u{feff}http://h/a\n  out=b\n", ["1:http://h/a|2:out=b"]), ("a\n =x", ["1:a", "2:=x"]),
        ("http://h/a # b\nhttp://h/c#d\t# e\n  out=f #g\n", ["1:http://h/a", "2:http://h/c#d|3:out=f #g"]),
        ("a\n header=X: y\n header=Z: w", ["1:a|2:header=X: y|3:header=Z: w"]),
    ])
    func distinguishesURLsAndOptions(text: String, expected: [String]) throws {
        #expect(try lines(text) == expected)
    }

    @Test func severalURLsOfALineAreOfOneFile() throws {
        let requests = try DownloadList.parse(
            "x\nhttp://h/a\thttp://k/a\t http://l/a \t\n  out=a\nhttp://h/b\thttp://k/b\n", named: "l")
        #expect(requests.map(\.address) == ["x", "http://h/a", "http://h/b"])
        #expect(requests.map { $0.mirrors.map(\.address) } == [[], ["http://k/a", "http://l/a"], ["http://k/b"]])
        #expect(requests[1].options.map(\.name) == ["out"])
    }

    @Test func mirrorsThatAreNoAddressAreLeftOut() throws {
        let listener = Listener()
        let folder = try Folder()
        let list = try folder.write("http://h/a\tftp://k/a\thttp://l/a\thttp://h/a\n", to: "list")
        let plan = try addPlan(["get", "-d", folder.path, "-i", list], listener.surroundings())
        let downloads = plan.descriptions.compactMap { spec in
            if case .download(let download) = spec.operation { download } else { nil }
        }
        #expect(downloads.map { $0.mirrors.map(\.url.string) } == [["http://l/a"]])
        #expect(listener.warnings.count == 1)
        #expect(listener.warnings.first?.contains("line 1: address left out: unknown scheme 'ftp'") == true)
    }

    /// Latin-1 in a URL, in an option, and in a comment.
    @Test func linesThatAreNotUTF8AreSkipped() throws {
        let folder = try Folder()
        let text =
            "# é\nhttp://h/a\r\nhttp://h/é\rhttp://h/b\n  out=é\nhttp://h/c\thttp://k/é\n\nhttp://h/d\n  out=e\n"
        try folder.write(text.unicodeScalars.map { UInt8($0.value) }, to: Array("list".utf8))
        let listener = Listener()
        let made = try addPlan(
            ["get", "-d", folder.path, "-i", "\(folder.path)/list"], listener.surroundings(), folder: folder.path)
        #expect(made.descriptions.map(\.url.string) == ["http://h/a", "http://h/d"])
        #expect(made.skipped == 3)
        let starts = ["line 3: not UTF-8", "line 4: line 5: out: not UTF-8", "line 6: not UTF-8"]
        #expect(listener.warnings.count == 3)
        for (warning, start) in zip(listener.warnings, starts) {
            #expect(warning.hasPrefix("skipped: '\(folder.path)/list', \(start)"), "\(warning)")
        }
    }

    @Test(
        arguments: [
            ("", []), ("a", ["a"]), ("a\nb\r\nc\rd\n", ["a", "b", "c", "d"]), ("\n\r\r\n", ["", "", ""]),
            ("a\n\nb", ["a", "", "b"]),
        ] as [(String, [String])])
    func linesEndInAnyWay(text: String, lines: [String]) {
        #expect(ListText.lines(of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } == lines)
        #expect(ListText(bytes: Array(text.utf8)).damaged.isEmpty)
    }

    @Test func optionsNeedAURL() {
        let error = #expect(throws: TransferError.self) {
            try DownloadList.parse("# a\n  out=b\nhttp://h/\n", named: "l")
        }
        #expect(error?.message == "'l', line 2: 'out' needs a URL above it")
    }
}

@Suite struct ListedOptionsTests {
    private func plan(_ text: String, _ listener: Listener = Listener(), _ words: [String] = []) throws -> AddPlan {
        let folder = try Folder()
        let list = try folder.write(text.replacing("FOLDER", with: folder.path), to: "list")
        try folder.write(".example.org\tTRUE\t/\tFALSE\t0\tkept\t1\n", to: "cookies.txt")
        try folder.write("", to: "sub/x")
        try folder.write("TOKEN=secret\n", to: "settings.txt")
        try folder.write("TOKEN=secret\n", to: ".env")
        return try addPlan(
            ["get", "-d", folder.path, "-i", list] + words.map { $0.replacing("FOLDER", with: folder.path) },
            listener.surroundings())
    }

    @Test func everyOptionHasItsEffect() throws {
        let sum = String(repeating: "ab", count: 32)
        let listener = Listener()
        let plan = try plan(
            """
            https://www.example.org/a
              out=sub/b
              header=X-A: 1
              header=Cookie: c=d; e=f
              header=Accept-Encoding: gzip
              user-agent=U/1
              referer=*
              http-user=me
              http-passwd=se cret
              checksum=sha-256=\(sum)
              max-download-limit=500K
              load-cookies=FOLDER/cookies.txt
              connect-timeout=3
              timeout=4
              max-tries=3
              allow-overwrite=true
              pause=true
              split=5
              follow-metalink=false
              continue=true
            https://www.example.org/d
              dir=FOLDER/sub
              max-tries=0
              max-download-limit=0
            https://www.example.org/c
            """, listener, ["--overwrite"])
        let path = try #require(plan.destinations.first.flatMap { if case .file(let path) = $0 { path } else { nil } })
        #expect(path.hasSuffix("/sub/b") && path.hasPrefix("/"))
        let options = plan.descriptions[0].options
        #expect(
            options.headers.map { "\($0.name.rawName): \($0.value)" } == [
                "X-A: 1", "User-Agent: U/1", "Referer: https://www.example.org/a",
            ])
        #expect(options.cookies.map { "\($0.name)=\($0.value)" } == ["c=d", "e=f", "kept=1"])
        #expect(options.credential == Credential(user: "me", password: "se cret"))
        #expect((options.rateLimit, options.retries) == (512_000, 2))
        #expect((options.connectTimeout, options.requestTimeout) == (3, 4))
        let download = try plan.descriptions[0].requireDownload()
        #expect(download.checksum?.hex == sum && download.overwrites && !download.followsMetalink)
        #expect(plan.held == [0])
        guard case .folder(let folder, "d") = plan.destinations[1] else {
            Issue.record("\(plan.destinations[1])")
            return
        }
        #expect(folder.hasSuffix("/sub"))
        #expect(plan.descriptions[1].options.retries == nil && plan.descriptions[1].options.rateLimit == nil)
        #expect(plan.descriptions[2].options == TransferOptions())
        #expect(listener.warnings.isEmpty)
    }

    /// Only the command decides that.
    @Test func aListReplacesNoFiles() throws {
        let listener = Listener()
        let made = try plan("http://h/a\n  allow-overwrite=true\n", listener)
        #expect(try !made.descriptions[0].requireDownload().overwrites)
        #expect(listener.warnings.contains { $0.contains("'allow-overwrite' is ignored: --overwrite") })
        let allowed = try plan("http://h/a\n  allow-overwrite=true\n", listener, ["--allow-outside"])
        #expect(try allowed.descriptions[0].requireDownload().overwrites)
    }

    @Test func warnsOnceAboutIgnoredOptions() throws {
        let listener = Listener()
        _ = try plan("http://h/1\n  bt-x=1\nhttp://h/2\n  foo=1\n  bt-x=2\n", listener)
        #expect(listener.warnings.count == 2)
        #expect(listener.warnings.first?.contains("line 2 and 1 more: 'bt-x' is ignored") == true)
    }

    @Test(arguments: [
        ("ftp://h/a", 3, "line 3: unknown scheme"), ("http://h/a\n  all-proxy=x", 2, "line 3: line 4: all-proxy"),
        ("http://h/a\n  pause=maybe", 2, "pause: use true"),
        ("http://h/a\n  checksum=crc32=00", 2, "sha-256"), ("http://h/a\n  checksum=sha-256=00", 2, "64 hexadecimal"),
        ("http://h/a\n  timeout=x", 2, "timeout: use seconds"),
        ("http://h/a\n  max-tries=-1", 2, "max-tries"),
        ("http://h/a\n  max-download-limit=fast", 2, "max-download-limit"), ("http://h/a\n  header=x", 2, "header"),
        ("http://h/a\n  http-passwd=x", 2, "http-user"), ("http://h/a\n  dir=nonexistent", 2, "outside"),
        ("http://h/a\n  out=/dev/null", 2, "outside"),
        ("http://h/a\n  out=", 2, "out: the name is empty"),
        ("http://h/a\nhttp://k/a", 2, "line 4: http://h/a and http://k/a would both be saved as 'a'"),
        ("http://h/a\nhttp://h/a", 2, "line 4: http://h/a is given twice, to be saved as 'a'"),
        ("http://h/a\nhttp://k/b\n  out=a", 2, "line 4: "), ("http://h/a\n  load-cookies=/nonexistent", 2, "outside"),
        ("http://h/a\n  load-cookies=FOLDER/nonexistent", 2, "not a regular file"),
        ("http://h/a\n  load-cookies=FOLDER/sub", 2, "not a regular file"),
        ("http://h/a\n  load-cookies=FOLDER/.env", 2, "hidden"),
        ("http://h/a\n  load-cookies=FOLDER/settings.txt", 2, "not a cookie file in Netscape format"),
        ("http://h/a\n  check-certificate=false", 2, "fileq trust"),
        ("http://h/a\n  header=Range: bytes=1-", 2, "Range"),
    ])
    func skipsInvalidLinesWithAWarning(text: String, code: Int, part: String) throws {
        let listener = Listener()
        let made = try plan("# list\nhttp://h/first\n\(text)\n", listener)
        #expect(made.skipped == 1)
        #expect(made.descriptions.first?.url.string == "http://h/first")
        let warning = listener.warnings.first { $0.hasPrefix("skipped: ") }
        #expect(warning?.contains(part) == true && warning?.contains("/list'") == true, "\(listener.warnings)")
    }

    @Test func failsIfEveryLineIsInvalid() {
        let error = #expect(throws: TransferError.self) { try plan("ftp://h/a\nhttp://h/a\n  pause=maybe\n") }
        #expect(error?.code == .malformedURL && error?.message.contains("line 1") == true)
    }

    @Test func heldIndexesIgnoreSkippedLines() throws {
        let made = try plan("http://h/a\n  pause=maybe\nhttp://h/b\nftp://h/c\nhttp://h/d\n  pause=true\n")
        #expect(made.descriptions.map(\.url.string) == ["http://h/b", "http://h/d"])
        #expect(made.held == [1] && made.skipped == 2)
    }

    @Test func acceptsOlderChecksumsWithAWarning() throws {
        let listener = Listener()
        let made = try plan(
            "http://h/a\n  checksum=md5=0cc175b9c0f1b6a831c399e269772661\nhttp://h/b\n  "
                + "checksum=sha-1=86f7e437faa5a7fce15d1ddcb9eaeaea377667b8\n",
            listener)
        #expect(made.descriptions.count == 2 && made.skipped == 0)
        #expect(listener.warnings.map { $0.prefix(13) } == ["warning: MD5 ", "warning: SHA-"])
    }

    @Test func createsFoldersOnRequest() throws {
        let folder = try Folder()
        let list = try folder.write("http://h/a\n  out=deep/er/x\n", to: "list")
        #expect(throws: TransferError.self) {
            try foregroundPlan(["get", "-d", folder.path, "-i", list], Listener().surroundings())
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/deep"))
        let made = try foregroundPlan(
            ["get", "--create-dirs", "-d", folder.path, "-i", list], Listener().surroundings())
        #expect(made.destinations == [.file(path: "\(folder.path)/deep/er/x")])
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/deep"), "planning creates nothing")
        try made.makeFolders()
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/deep/er"))
        try foregroundPlan(
            ["get", "--create-dirs", "-d", "\(folder.path)/other/one", "http://h/a"], Listener().surroundings()
        ).makeFolders()
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/other/one"))
    }

    @Test(arguments: [
        "out=../x", "out=/tmp/x", "out=sub/../../x", "out=.profile", "out=sub/.x", "dir=..", "dir=/tmp",
        "dir=FOLDER/.ssh", "dir=FOLDERx",
    ])
    func listsStayInTheirFolder(option: String) throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path + "/.ssh", withIntermediateDirectories: true)
        let list = try folder.write("http://h/a\n  \(option.replacing("FOLDER", with: folder.path))\n", to: "list")
        try folder.write("", to: "sub/y")
        let error = #expect(throws: TransferError.self) { try foregroundPlan(["get", "-d", folder.path, "-i", list]) }
        #expect(error?.code == .usage)
        #expect(
            error?.message.contains("--allow-outside") == true && error?.message.contains("line 1") == true,
            "\(error?.message ?? "")")
        do { _ = try foregroundPlan(["get", "-d", folder.path, "--allow-outside", "-i", list]) } catch let error
            as TransferError
        {
            #expect(error.code == .cannotWrite, "\(error)")
        }
    }

    @Test(arguments: [
        "out=x", "out=sub/x", "out=./sub/./x", "dir=FOLDER", "dir=FOLDER/sub", "dir=FOLDER/sub\n  out=x",
        "out=FOLDER/x",
    ])
    func listsMayNameFilesBelowTheirFolder(option: String) throws {
        let folder = try Folder()
        try folder.write("", to: "sub/y")
        let list = try folder.write("http://h/a\n  \(option.replacing("FOLDER", with: folder.path))\n", to: "list")
        _ = try foregroundPlan(["get", "-d", folder.path, "-i", list])
    }

    /// The kernel ends a name there: `precious` would be taken for the partial file.
    @Test func rejectsNULInNames() throws {
        let folder = try Folder()
        let list = try folder.write("http://h/a\n  out=precious\0x\n", to: "list")
        let words = ["get", "--overwrite", "-d", folder.path]
        #expect(throws: TransferError(.usage, option: "--input", "'\(list)' is not text: it contains NUL")) {
            try foregroundPlan(words + ["-i", list])
        }
        for words in [
            ["get", "-o", "\(folder.path)/a\0x", "http://h/a"], ["get", "-d", "\(folder.path)\0x", "http://h/a"],
            ["put", "\(list)\0x", "http://h/a"],
        ] {
            let error = #expect(throws: TransferError.self) { try foregroundPlan(words) }
            #expect(error?.code == .usage && error?.message.contains("NUL") == true)
        }
    }

    /// In the foreground a list means the same.
    @Test func getAcceptsThem() throws {
        let folder = try Folder()
        let list = try folder.write("http://h/a\n  out=b\n  pause=true\n", to: "list")
        let listener = Listener()
        let made = try foregroundPlan(["get", "-d", folder.path, "-i", list], listener.surroundings())
        #expect(made.destinations == [.file(path: "\(folder.path)/b")])
        #expect(made.descriptions[0].options.retries == 5)
        #expect(listener.warnings.count == 1)
    }
}

/// Inside a suite that has a `plan` of its own.
private func foregroundPlan(
    _ words: [String], _ surroundings: CommandEnvironment = Listener().surroundings()
) throws -> TransferPlan { try plan(words, surroundings) }
