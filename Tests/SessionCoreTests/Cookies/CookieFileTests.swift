// SPDX-License-Identifier: MIT

import Foundation
import Glibc
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite struct CookieFileTests {
    private func text(_ folder: TemporaryFolder, _ name: String = "jar") throws -> String {
        String(decoding: try folder.read(name), as: UTF8.self)
    }

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// A line, and the cookie that is written for it again.
    @Test(
        arguments: [
            ("x.org\tFALSE\t/\tFALSE\t0\tn\tv", "x.org\tFALSE\t/\tFALSE\t0\tn\tv"),
            (".x.org\tTRUE\t/a\tTRUE\t1900000000\tn\tv", ".x.org\tTRUE\t/a\tTRUE\t1900000000\tn\tv"),
            ("#HttpOnly_.x.org\tTRUE\t/\tFALSE\t0\tn\tv", "#HttpOnly_.x.org\tTRUE\t/\tFALSE\t0\tn\tv"),
            ("X.ORG\ttrue\t/\tfalse\t0\tn\tv\r", ".x.org\tTRUE\t/\tFALSE\t0\tn\tv"),
            ("x.org\tFALSE\t/\tFALSE\t1900000000.75\tn\tv", "x.org\tFALSE\t/\tFALSE\t1900000000\tn\tv"),
            // 0 is a session.
            ("x.org\tFALSE\t/\tFALSE\t0.5\tn\tv", "x.org\tFALSE\t/\tFALSE\t1\tn\tv"),
            ("x.org\tFALSE\t/\tFALSE\t0\tn\t", "x.org\tFALSE\t/\tFALSE\t0\tn\t"),
            ("x.org\tFALSE\t/\tFALSE\t0\tn", "x.org\tFALSE\t/\tFALSE\t0\tn\t"),
            ("x.org\tFALSE\t/\tFALSE\t0\tn\ta b=c", "x.org\tFALSE\t/\tFALSE\t0\tn\ta b=c"),
            ("x.org\tFALSE\t/\tFALSE\t0\tn\t日本", "x.org\tFALSE\t/\tFALSE\t0\tn\t日本"),
            ("# comment", nil), ("", nil), ("\t\t\t\t\t\t", nil), ("garbage", nil),
            ("x.org\tFALSE\t/\tFALSE\t0\tn\tv\tmore", nil),
            ("x.org\tFALSE\t/\tFALSE\tsoon\tn\tv", nil), ("x.org\tFALSE\t/\tFALSE\t-1\tn\tv", nil),
            ("x.org\tFALSE\t/\tFALSE\tnan\tn\tv", nil),
            ("x.org\tFALSE\t/\tFALSE\tinf\tn\tv", nil), ("x.org\tmaybe\t/\tFALSE\t0\tn\tv", nil),
            ("x.org\tFALSE\tno/\tFALSE\t0\tn\tv", nil),
            ("\tFALSE\t/\tFALSE\t0\tn\tv", nil), ("x.org\tFALSE\t/\tFALSE\t0\tn\tv\0", nil),
            ("x.org\tFALSE\t/\tFALSE\t0\tn\ta;b", nil),
            ("x.org\tFALSE\t/\tFALSE\t0\tn\t" + String(repeating: "v", count: 5000), nil), ("#HttpOnly_", nil),
            ("x.org\tFALSE\t/\tFALSE\t1e300\tn\tv", "x.org\tFALSE\t/\tFALSE\t1000000000000000\tn\tv"),
        ] as [(String, String?)]) func linesAreReadAndWritten(_ line: String, _ expected: String?)
    {
        let cookies = CookieFileFormat.parse(Array("# head\n\(line)\n".utf8))
        let written = String(decoding: CookieFileFormat.print(cookies), as: UTF8.self)
        let lines = written.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map(String.init)
        #expect(lines == (expected.map { [$0] } ?? []))
    }

    @Test func binaryBytesAreOneInvalidLine() {
        let bytes =
            Array("x.org\tFALSE\t/\tFALSE\t0\tn\t".utf8) + [0xff, 0xfe]
            + Array("\nx.org\tFALSE\t/\tFALSE\t0\tm\tv".utf8)
        #expect(CookieFileFormat.parse(bytes).map(\.name) == ["m"])
    }

    @Test func roundTripsFiles() throws {
        let folder = try TemporaryFolder()
        let first = try CookieStage(file: folder.file("jar"))
        try first.receive(
            "z=1; Path=/", "a=2; Max-Age=60; HttpOnly; Secure", "tab=a\tb", "nameless", "w=3; Domain=x.org",
            from: "https://www.x.org/f/")
        try first.storage.save()
        #expect(mode(folder.file("jar")) == 0o600)
        #expect(folder.names == ["jar"])
        let second = try CookieStage(file: folder.file("jar"))
        let kept = first.storage.all.filter { $0.name != "tab" && !$0.name.isEmpty }
        #expect(second.storage.all.map(\.key) == kept.map(\.key))
        #expect(second.storage.all.map(\.expires) == kept.map(\.expires))
        #expect(second.storage.all.map(\.httpOnly) == kept.map(\.httpOnly))
        #expect(try second.sent(to: "https://www.x.org/f/") == "a=2; w=3; z=1")
        // What cannot be written is not lost to the session that has it.
        try first.storage.save()
        #expect(first.storage.all.count == 5)
    }

    @Test func writesSessionCookiesOnRequest() throws {
        let folder = try TemporaryFolder()
        let stage = try CookieStage(file: folder.file("jar"), keepsSessionCookies: false)
        try stage.receive("session=1", "lasting=1; Max-Age=60", from: "https://x.org/")
        for _ in 0..<2 {
            try stage.storage.save()
            #expect(try text(folder).contains("lasting"))
            #expect(try !text(folder).contains("session"))
            #expect(stage.storage.all.count == 2)
        }
        stage.scheduler.advance(by: 61)
        try stage.receive("other=1; Max-Age=60", from: "https://x.org/")
        try stage.storage.save()
        #expect(try !text(folder).contains("lasting"))
    }

    @Test func keepsPermissionsAndLinks() throws {
        let folder = try TemporaryFolder()
        try folder.write([], to: "real")
        chmod(folder.file("real"), 0o640)
        symlink("real", folder.file("jar"))
        let stage = try CookieStage(file: folder.file("jar"))
        try stage.receive("n=v", from: "https://x.org/")
        try stage.storage.save()
        #expect(try text(folder, "real").contains("n\tv"))
        #expect(mode(folder.file("real")) == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("jar")) == "real")
        #expect(folder.names == ["jar", "real"])
    }

    @Test func skipsUnchangedFiles() throws {
        let folder = try TemporaryFolder()
        let line = "# mine\nx.org\tFALSE\t/\tFALSE\t0\tn\tv\n"
        try folder.write(Array(line.utf8), to: "jar")
        let stage = try CookieStage(file: folder.file("jar"))
        try stage.storage.save()
        #expect(try text(folder) == line)
        let fresh = try CookieStage(file: folder.file("new"))
        try fresh.storage.save()
        #expect(try text(folder, "new").hasPrefix("# Netscape HTTP Cookie File\n"))
    }

    @Test func reportsUnreadableAndUnwritableFiles() throws {
        let folder = try TemporaryFolder()
        func code(_ body: () throws -> Void) -> TransferError.Code? {
            do { try body() } catch { return (error as? TransferError)?.code }
            return nil
        }
        #expect(code { _ = try CookieStage(file: folder.path) } == .cannotReadSource)
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(code { _ = try CookieStage(file: folder.file("pipe")) } == .cannotReadSource)
        #expect(code { _ = try CookieStage(file: folder.file("jar/below")) } == nil)
        try folder.write([], to: "file")
        #expect(code { _ = try CookieStage(file: folder.file("file/below")) } == .cannotReadSource)
        let nowhere = try CookieStage(file: folder.file("none/jar"))
        #expect(code { try nowhere.storage.save() } == .cannotWrite)
        let large = open(folder.file("large"), O_WRONLY | O_CREAT, 0o600)
        ftruncate(large, off_t(CookieFile.maximumBytes) + 1)
        close(large)
        #expect(code { _ = try CookieStage(file: folder.file("large")) } == .cannotReadSource)
    }

    @Test func repeatsFailedWrites() throws {
        let folder = try TemporaryFolder()
        let stage = try CookieStage(file: folder.file("jar"))
        try stage.receive("n=1", from: "https://x.org/")
        try stage.storage.save()
        try stage.receive("n=2", from: "https://x.org/")
        unlink(folder.file("jar"))
        try FileManager.default.createDirectory(atPath: folder.file("jar"), withIntermediateDirectories: false)
        #expect(throws: TransferError.self) { try stage.storage.save() }
        #expect(folder.names == ["jar"])
        try FileManager.default.removeItem(atPath: folder.file("jar"))
        try stage.storage.save()
        #expect(try text(folder).contains("n\t2"))
    }

    // MARK: Several writers

    @Test func mergesOtherWriters() throws {
        let folder = try TemporaryFolder()
        let first = try CookieStage(file: folder.file("jar"))
        try first.receive("shared=1", "gone=1", "mine=1", from: "https://x.org/")
        try first.storage.save()
        let second = try CookieStage(file: folder.file("jar"))
        try second.receive("added=2", "shared=2", "gone=; Max-Age=0", "mine=2", from: "https://x.org/")
        try second.storage.save()
        try first.receive("mine=3", "own=3", from: "https://x.org/")
        try first.storage.save()
        let expected = "shared=2; mine=3; added=2; own=3"
        #expect(
            Set(try #require(try first.sent(to: "https://x.org/")).split(separator: ";").map { $0.drop { $0 == " " } })
                == Set(expected.split(separator: ";").map { $0.drop { $0 == " " } }))
        let third = try CookieStage(file: folder.file("jar"))
        #expect(third.storage.all.map(\.pair).sorted() == ["added=2", "mine=3", "own=3", "shared=2"])
    }

    @Test func removalsReachTheFile() throws {
        let folder = try TemporaryFolder()
        let first = try CookieStage(file: folder.file("jar"))
        try first.receive("a=1", "b=1", from: "https://x.org/")
        try first.storage.save()
        let second = try CookieStage(file: folder.file("jar"))
        try second.receive("c=1", from: "https://x.org/")
        try second.storage.save()
        first.storage.removeAll()
        try first.storage.save()
        // It knew nothing of this one.
        #expect(first.storage.all.map(\.name) == ["c"])
        #expect(try CookieStage(file: folder.file("jar")).storage.all.map(\.name) == ["c"])
        first.storage.set(try StoredCookie(name: "a", value: "back", domain: "x.org"))
        try first.storage.save()
        #expect(try CookieStage(file: folder.file("jar")).storage.all.map(\.pair).sorted() == ["a=back", "c=1"])
    }

    @Test func concurrentWritersLoseNoCookie() async throws {
        let folder = try TemporaryFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let stage = try CookieStage(file: folder.file("jar"))
                    for number in 0..<10 {
                        try stage.receive("n\(number)=v", from: "https://h\(writer).org/")
                        try stage.storage.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try CookieStage(file: folder.file("jar")).storage.all.count == 40)
        #expect(folder.names == ["jar"])
    }

    @Test func rereadsAfterWaitingForTheLock() async throws {
        let folder = try TemporaryFolder()
        let stage = try CookieStage(file: folder.file("jar"))
        try stage.receive("mine=1", from: "https://x.org/")
        try folder.write([], to: "jar")
        let held = open(folder.file("jar"), O_RDWR)
        #expect(flock(held, LOCK_EX) == 0)
        let ends = Counter()
        Thread.detachNewThread {
            try? stage.storage.save()
            ends.add()
        }
        // It waits once it has the file open.
        #expect(
            await eventually {
                let open = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).filter {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
                        == folder.file("jar")
                }
                return open.count == 2
            })
        try folder.write(Array("x.org\tFALSE\t/\tFALSE\t0\ttheirs\t2\n".utf8), to: "next")
        #expect(rename(folder.file("next"), folder.file("jar")) == 0)
        close(held)
        #expect(await eventually { ends.count == 1 })
        #expect(try CookieStage(file: folder.file("jar")).storage.all.map(\.pair) == ["mine=1", "theirs=2"])
        #expect(folder.names == ["jar"])
    }

    /// Whatever program holds the lock, and for however long.
    @Test func doesNotWaitForEverForTheLock() throws {
        let folder = try TemporaryFolder()
        let held = open(try folder.write(Array("mine".utf8), to: "jar"), O_RDWR | O_CLOEXEC)
        defer { close(held) }
        #expect(flock(held, LOCK_EX) == 0)
        let error = #expect(throws: TransferError.self) {
            try CookieFile(path: folder.file("jar"), patience: 0).update({ _ in [] }, done: { _ in })
        }
        #expect(error?.code == .cannotWrite && error?.fields.file?.kind == .beingChanged)
        #expect(try text(folder) == "mine")
    }

    @Test func followsOtherProgramsThatChangeTheFile() throws {
        let folder = try TemporaryFolder()
        let line = "x.org\tFALSE\t/\tFALSE\t0\t"
        let jars = CookieJars(publicSuffixes: ListedSuffixes())
        func sent() throws -> String? {
            try jars.storage(folder.file("jar")).header(for: try TransferURL("http://x.org/"))
        }
        #expect(try sent() == nil)
        try folder.write(Array("\(line)sid\tmorning\n".utf8), to: "jar")
        #expect(try sent() == "sid=morning")
        try folder.write(Array("\(line)sid\tnoon\n\(line)two\t2\n".utf8), to: "jar")
        #expect(try sent() == "sid=noon; two=2")
        let own = try jars.storage(folder.file("jar"))
        own.set(try StoredCookie(name: "two", value: "mine", domain: "x.org"))
        try folder.write(Array("\(line)sid\tevening\n".utf8), to: "jar")
        #expect(try sent() == "sid=evening; two=mine")
        try jars.save()
        #expect(try sent() == "sid=evening; two=mine")
        try FileManager.default.removeItem(atPath: folder.file("jar"))
        #expect(try sent() == nil)
    }

    // MARK: With curl

    private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    private func curl(_ arguments: [String]) async throws -> Int32 {
        try await ChildProcess.run(
            ["curl", "-q", "-sS", "--noproxy", "*", "--max-time", "60", "-o", "/dev/null"] + arguments)
    }

    @Test(.enabled(if: hasCurl, "curl is not installed")) func readsACurlJar() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer(
                "200 OK",
                [
                    "Set-Cookie: session=one", "Set-Cookie: lasting=two; Max-Age=3600; Path=/a; HttpOnly",
                    "Set-Cookie: wide=three; Domain=jar.example; Path=/", "Set-Cookie: empty=; Path=/",
                    "Connection: close",
                ])
        }
        let place = ["--connect-to", "::127.0.0.1:\(server.port)"]
        #expect(try await curl(["-c", folder.file("jar")] + place + ["http://www.jar.example/x/y"]) == 0)
        let storage = try CookieStorage(
            file: folder.file("jar"), keepsSessionCookies: true, publicSuffixes: ListedSuffixes())
        #expect(
            storage.all.map { "\($0)" } == [
                "wide=(hidden) for *.jar.example/", "empty=(hidden) for www.jar.example/",
                "lasting=(hidden) for www.jar.example/a",
                "session=(hidden) for www.jar.example/x/",
            ])
        #expect(storage.all.filter(\.httpOnly).map(\.name) == ["lasting"])
        #expect(storage.all.filter { $0.expires != nil }.map(\.name) == ["lasting"])
        #expect(storage.header(for: try TransferURL("http://other.jar.example/")) == "wide=three")
    }

    @Test(.enabled(if: hasCurl, "curl is not installed")) func curlReadsItsJar() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("200 OK", ["Connection: close"])
        }
        let storage = try CookieStorage(
            file: folder.file("jar"), keepsSessionCookies: true, publicSuffixes: ListedSuffixes())
        for (name, domain, hostOnly, path, secure, httpOnly, expires) in [
            ("session", "www.jar.example", true, "/", false, false, nil),
            ("lasting", "www.jar.example", true, "/x", false, true, 4_000_000_000),
            ("wide", "jar.example", false, "/", false, true, nil),
            ("narrow", "jar.example", true, "/", false, false, nil),
            ("secure", "www.jar.example", true, "/", true, false, nil),
            ("elsewhere", "www.jar.example", true, "/z", false, false, nil),
        ] as [(String, String, Bool, String, Bool, Bool, Int64?)] {
            storage.set(
                try StoredCookie(
                    name: name, value: "a b=\(name)", domain: domain, hostOnly: hostOnly, path: path,
                    secure: secure, httpOnly: httpOnly, expires: expires))
        }
        try storage.save()
        let url = try TransferURL("http://www.jar.example/x/y")
        #expect(
            try await curl(["-b", folder.file("jar"), "--connect-to", "::127.0.0.1:\(server.port)", url.string]) == 0)
        let line = try #require(server.requests.first?.split(separator: "\r\n").first { $0.hasPrefix("Cookie: ") })
        func pairs(_ text: some StringProtocol) -> [String] { text.components(separatedBy: "; ").sorted() }
        #expect(pairs(line.dropFirst("Cookie: ".count)) == pairs(try #require(storage.header(for: url))))
        #expect(
            pairs(line.dropFirst("Cookie: ".count)) == ["lasting=a b=lasting", "session=a b=session", "wide=a b=wide"])
    }
}
