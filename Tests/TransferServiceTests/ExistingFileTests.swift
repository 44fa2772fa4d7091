// SPDX-License-Identifier: MIT

import CurlTransport
import Dispatch
import Glibc
import HTTPTypes
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Files that are here before their download begins.
@Suite(.timeLimit(.minutes(10))) struct ExistingFileTests {
    let stage: QueueStage

    init() throws { stage = try QueueStage() }

    private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func place(_ bytes: [UInt8], _ name: String = "out.bin", modified: Int = 784_111_777) throws {
        let path = try stage.folder.write(bytes, to: name)
        let times = [timespec(tv_sec: modified, tv_nsec: 0), timespec(tv_sec: modified, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
    }

    @Test func skippingSendsNoRequest() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("200 OK", body: patternedBytes(10))
        }
        try place(patternedBytes(5))
        let result = try await stage.end(of: stage.download(server.url()) { $1.existing = .skips })
        #expect(result.state == .completed && result.note == .skipped)
        #expect(result.bytes == 5 && result.metrics?.exchanges == 0)
        #expect(try stage.folder.read("out.bin") == patternedBytes(5))
        #expect(stage.folder.names == ["out.bin"])
    }

    @Test func skipsTheServersName() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer(
                "200 OK", ["Content-Disposition: attachment; filename=named.bin"], body: patternedBytes(10))
        }
        try place(patternedBytes(5), "named.bin")
        let folder = stage.folder.file("")
        let result = try await stage.end(
            of: stage.download(server.url()) {
                $1.destination = .folder(path: folder, name: "x")
                $1.existing = .skips
            })
        #expect(result.state == .completed && result.note == .skipped)
        #expect(stage.folder.names == ["named.bin"])
        #expect(try stage.folder.read("named.bin") == patternedBytes(5))
    }

    /// Both in the folder and of transfers that run concurrently.
    @Test func keepsBothUnderTheServersName() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer(
                    "200 OK", ["Content-Disposition: attachment; filename=named.tar.gz"], body: patternedBytes(10))
            }
        }
        try place(patternedBytes(5), "named.tar.gz")
        let folder = stage.folder.path
        let specs = try ["a", "b"].map { name in
            var download = Download(destination: .folder(path: folder, name: name))
            download.existing = .keepsBoth
            return Spec(url: try TransferURL(server.url("/\(name)")), operation: .download(download))
        }
        let ids = try await stage.queue.add(specs, paused: false)
        try await stage.wait { known in ids.allSatisfy { known[$0]?.state.isEnded == true } }
        let transfers = try await stage.queue.snapshot().transfers
        #expect(transfers.map(\.state) == [.completed, .completed])
        #expect(Set(transfers.map(\.file)) == [folder + "/named-2.tar.gz", folder + "/named-3.tar.gz"])
        #expect(stage.folder.names.sorted() == ["named-2.tar.gz", "named-3.tar.gz", "named.tar.gz"])
        #expect(try stage.folder.read("named.tar.gz") == patternedBytes(5))
    }

    @Test func keepsBothIfAnotherProgramTakesTheName() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n")
            connection.send(Array(patternedBytes(200_000).prefix(100_000)))
            gate.wait()
            connection.send(Array(patternedBytes(200_000).dropFirst(100_000)))
        }
        let folder = stage.folder.path
        let spec = try stage.download(server.url()) {
            $1.destination = .folder(path: folder, name: "x.bin")
            $1.existing = .keepsBoth
        }
        let id = try await stage.queue.add([spec], paused: false)[0]
        try await stage.wait { $0[id]?.bytes ?? 0 > 0 }
        try place(patternedBytes(5), "x.bin")
        try place(patternedBytes(6), "x-2.bin")
        gate.signal()
        try await stage.wait { $0[id]?.state.isEnded == true }
        let transfers = try await stage.queue.snapshot().transfers
        #expect(transfers.map(\.state) == [.completed])
        #expect(transfers.map(\.file) == [folder + "/x-3.bin"])
        #expect(stage.folder.names.sorted() == ["x-2.bin", "x-3.bin", "x.bin"])
        #expect(try stage.folder.read("x.bin") == patternedBytes(5))
        #expect(try stage.folder.read("x-3.bin") == patternedBytes(200_000))
    }

    /// Its body would be received in vain.
    @Test func overwritingRefusesAFolderBeforeTheBody() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer(
                "200 OK", ["Content-Disposition: attachment; filename=named.bin"], body: patternedBytes(100_000))
        }
        #expect(mkdir(stage.folder.file("named.bin"), 0o755) == 0)
        let folder = stage.folder.path
        let result = try await stage.end(
            of: stage.download(server.url()) {
                $1.destination = .folder(path: folder, name: "x")
                $1.overwrites = true
            })
        #expect(result.state == .failed && result.error?.systemErrno == EISDIR)
        #expect(result.bytes == 0)
        #expect(stage.folder.names == ["named.bin"])
    }

    /// Such as one that the command has chosen beside another file: it counts on.
    @Test func keepsBothWhereTheNameIsGiven() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer(
                    "200 OK", ["Content-Disposition: attachment; filename=named.bin"], body: patternedBytes(10))
            }
        }
        for (name, count) in [("x.bin", 4), ("x-2.bin", 5), ("x-3.bin", 6)] { try place(patternedBytes(count), name) }
        let path = stage.folder.file("x-2.bin")
        let result = try await stage.end(
            of: stage.download(server.url()) {
                $1.destination = .file(path: path)
                $1.existing = .keepsBoth
            })
        #expect(result.state == .completed && result.file == stage.folder.file("x-4.bin"))
        #expect(stage.folder.names.sorted() == ["x-2.bin", "x-3.bin", "x-4.bin", "x.bin"])
        #expect(try stage.folder.read("x-2.bin") == patternedBytes(5))
        #expect(try stage.folder.read("x-4.bin") == patternedBytes(10))
    }

    @Test func keepsBothCountsNoDates() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: patternedBytes(10)) }
        }
        try place(patternedBytes(5), "2026-11-27.log")
        let path = stage.folder.file("2026-11-27.log")
        let result = try await stage.end(
            of: stage.download(server.url()) {
                $1.destination = .file(path: path)
                $1.existing = .keepsBoth
            })
        #expect(result.file == stage.folder.file("2026-11-27-2.log"))
    }

    /// Two processes that begin at the same moment find the same name free.
    @Test(arguments: [true, false]) func keepsBothIfAnotherProcessWritesThePartialFile(isInFolder: Bool) async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: patternedBytes(10)) }
        }
        let folder = stage.folder.path
        var writers: [Int32] = []
        defer { for writer in writers { close(writer) } }
        for name in ["x.bin", "x-2.bin"] {
            try place(patternedBytes(3), name + ".fileq-part")
            let writer = open(stage.folder.file(name + ".fileq-part"), O_RDWR | O_CLOEXEC)
            writers.append(writer)
            try #require(flock(writer, LOCK_EX | LOCK_NB) == 0)
        }
        let result = try await stage.end(
            of: stage.download(server.url()) {
                $1.destination =
                    isInFolder ? .folder(path: folder, name: "x.bin") : .file(path: folder + "/x.bin")
                $1.existing = .keepsBoth
            })
        #expect(result.state == .completed && result.file == folder + "/x-3.bin")
        #expect(stage.folder.names.sorted() == ["x-2.bin.fileq-part", "x-3.bin", "x.bin.fileq-part"])
        #expect(try stage.folder.read("x.bin.fileq-part") == patternedBytes(3))
    }

    @Test func doesNotSkipAWrongChecksum() async throws {
        try place(patternedBytes(5))
        let result = try await stage.end(
            of: stage.download("http://127.0.0.1:9/") {
                $1.existing = .skips
                $1.checksum = Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 0, count: 32))
            })
        #expect(result.state == .failed && result.error?.code == .checksumMismatch)
        #expect(try stage.folder.read("out.bin") == patternedBytes(5))
    }

    @Test func doesNotFetchUnchangedFiles() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("304 Not Modified")
        }
        try place(patternedBytes(5))
        let result = try await stage.end(of: stage.download(server.url()) { $1.existing = .updates })
        #expect(result.state == .completed && result.note == .notModified && result.httpStatus == 304)
        #expect(server.requests.first?.lowercased().contains("if-modified-since: \(date.lowercased())") == true)
        #expect(try stage.folder.read("out.bin") == patternedBytes(5))
        #expect(stage.folder.names == ["out.bin"])
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 5, false), ("Sun, 06 Nov 1994 08:49:38 GMT", 5, true),
            ("Sun, 06 Nov 1994 08:49:36 GMT", 6, true), (nil, 5, true),
        ] as [(String?, Int, Bool)])
    func comparesDateAndSizeIfTheConditionIsIgnored(modified: String?, size: Int, isFetched: Bool) async throws {
        let new = patternedBytes(size, seed: 7)
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("200 OK", modified.map { ["Last-Modified: \($0)"] } ?? [], body: new)
        }
        try place(patternedBytes(5))
        let result = try await stage.end(of: stage.download(server.url()) { $1.existing = .updates })
        #expect(result.state == .completed && (result.note == nil) == isFetched)
        #expect(try stage.folder.read("out.bin") == (isFetched ? new : patternedBytes(5)))
        #expect(stage.folder.names == ["out.bin"])
    }

    @Test func fetchesMissingFiles() async throws {
        for existing in [ExistingFile.skips, .updates] {
            let server = try ScriptedServer { connection, _ in
                guard connection.readHead() != nil else { return }
                connection.answer("200 OK", body: patternedBytes(10))
            }
            let result = try await stage.end(
                of: stage.download(server.url(), name: "\(existing)") { $1.existing = existing })
            #expect(result.state == .completed && result.note == nil)
            #expect(server.requests.allSatisfy { !$0.lowercased().contains("if-modified") })
            #expect(try stage.folder.read("\(existing)") == patternedBytes(10))
        }
    }

    @Test(arguments: [Checksum.Algorithm.md5, .sha1]) func computesOlderChecksums(
        algorithm: Checksum.Algorithm
    ) async throws {
        // Of the one byte 0x61.
        let hex = algorithm == .md5 ? "0cc175b9c0f1b6a831c399e269772661" : "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil else { return }
            connection.answer("200 OK", body: [number == 1 ? 0x61 : 0x62])
        }
        let checksum = try Checksum(parsing: "\(algorithm.rawValue):\(hex)")
        #expect(try await stage.end(of: stage.download(server.url()) { $1.checksum = checksum }).state == .completed)
        let wrong = try await stage.end(of: stage.download(server.url(), name: "other") { $1.checksum = checksum })
        #expect(wrong.error?.code == .checksumMismatch)
        // A file that is here is read for it.
        let again = try await stage.end(of: stage.download("http://127.0.0.1:9/") { $1.checksum = checksum })
        #expect(again.state == .completed)
    }

    @Test func limitsRedirectsPerTransfer() async throws {
        for count in [0, 2] {
            let server = try ScriptedServer { connection, _ in
                while connection.readHead() != nil { connection.answer("302 Found", ["Location: /next"]) }
            }
            let result = try await stage.end(
                of: stage.download(server.url()) { description, _ in description.options.maximumRedirects = count })
            #expect(result.error?.code == .tooManyRedirects)
            #expect(server.requests.count == count + 1)
        }
    }

    @Test(arguments: ["200 OK", "201 Created"]) func downloadsTheResponseToAPost(_ status: String) async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            let body = connection.readBody(5)
            connection.answer(status, body: Array("got ".utf8) + body)
        }
        let checksum = try Checksum(parsing: "md5:0cc175b9c0f1b6a831c399e269772661")
        let description = try stage.download(server.url()) { description, download in
            description.options.method = .post
            download.body = Array("a=1&b".utf8)
        }
        let result = try await stage.end(of: description)
        #expect(result.state == .completed && result.bytes == 9)
        #expect(try stage.folder.read("out.bin") == Array("got a=1&b".utf8))
        #expect(server.requests.first?.hasPrefix("POST /file") == true)
        // The checksum is that of the response.
        let wrong = try await stage.end(
            of: stage.download(server.url(), name: "other") { description, download in
                description.options.method = .post
                (download.body, download.checksum) = (Array("a=1&b".utf8), checksum)
            })
        #expect(wrong.error?.code == .checksumMismatch)
    }

    @Test func anEmptyResponseToAPostIsNoFile() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            _ = connection.readBody(5)
            connection.answer("201 Created", ["Location: /there"])
        }
        let result = try await stage.end(
            of: stage.download(server.url()) { description, download in
                description.options.method = .post
                description.options.retries = 0
                download.body = Array("a=1&b".utf8)
            })
        #expect(result.error?.code == .httpStatus && result.error?.fields.variant == .doubtfulAddress)
        #expect(stage.folder.names.isEmpty)
    }
}
