// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import SessionCore
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Kept bytes go only when a newer version is whole: until then that one is written beside them.
@Suite(.timeLimit(.minutes(10))) struct NewerVersionTests {
    let stage: QueueStage

    init() throws { stage = try QueueStage() }

    private let old = patternedBytes(300_000, seed: 1)
    private let new = patternedBytes(100_000, seed: 2)
    private let part = "out.bin.fileq-part", newPart = "out.bin.fileq-part-new"

    /// Leaves a partial file with a record, as an earlier run would.
    private func leave(
        _ bytes: [UInt8], of url: String, tag: String, total: Int, as name: String = "out.bin.fileq-part"
    ) throws {
        let path = try stage.folder.write(bytes, to: name)
        PartialRecord.save(
            ResumeData(
                url: url, validator: Validator(entityTag: tag), ranges: ByteRangeSet(0..<Int64(bytes.count)),
                total: Int64(total), partialPath: path, bootID: BootID.current,
                contentType: "application/octet-stream"))
    }

    private func once(_ url: String, retries: Int = 0) throws -> Spec {
        try stage.download(url) { description, _ in description.options.retries = retries }
    }

    // MARK: Responses that are no newer version

    private static let multipart =
        "HTTP/1.1 206 Partial Content\r\nContent-Type: multipart/byteranges; boundary=x\r\n"
        + "ETag: \"1\"\r\nContent-Length: 0\r\n\r\n"
    private static let unfit =
        "HTTP/1.1 206 Partial Content\r\nETag: \"9\"\r\nContent-Range: bytes 0-2/9\r\nContent-Length: 3\r\n\r\nabc"
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    private static let emptyOfItsType =
        "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 0\r\n\r\n"
    private static let untyped = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nlimit"
    private static let login =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 5\r\n\r\nlogin"

    @Test(
        arguments: [
            (multipart, .rangeRefused), (unfit, .rangeRefused),
            ("HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n", .httpStatus),
            ("HTTP/1.1 204 No Content\r\n\r\n", .httpStatus),
            ("HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n", .httpStatus),
            ("HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok", .httpStatus),
            ("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok", .httpStatus), (login, .httpStatus),
            (empty, .httpStatus), (emptyOfItsType, .httpStatus), (untyped, .httpStatus),
        ] as [(String, TransferError.Code)]) func keepsItsBytesAfterAnUnfitResponse(
            _ response: String, _ code: TransferError.Code
        ) async throws
    {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.send(response) }
        }
        let kept = Array(old[..<100_000])
        try leave(kept, of: server.url(), tag: "\"1\"", total: 300_000)
        let result = try await stage.end(of: once(server.url(), retries: 2))
        #expect(result.state == .failed)
        #expect(result.error?.code == code, "\(String(describing: result.error))")
        #expect(try stage.folder.read(part) == kept)
        #expect(stage.folder.names == [part, part + ".json"])
    }

    @Test(arguments: ["201 Created", "202 Accepted", "204 No Content", "205 Reset Content"])
    func statusesWithoutAFileFail(_ status: String) async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n") }
        }
        let result = try await stage.end(of: once(server.url()))
        #expect(result.error?.code == .httpStatus)
        #expect(result.error?.message.contains(status) == true)
        #expect(stage.folder.names.isEmpty)
    }

    // MARK: Parts and wholes

    /// Some servers honor a range and answer 200; some answer 206 although no range was requested.
    @Test(arguments: ["200 OK", "206 Partial Content"])
    func contentRangeSaysWhatThePartIs(_ status: String) async throws {
        let server = try ScriptedServer { [old] connection, _ in
            while let head = connection.readHead() {
                let first = head.contains("bytes=200000-") ? 200_000 : 0
                connection.answer(
                    status, ["ETag: \"1\"", "Content-Range: bytes \(first)-299999/300000"], body: Array(old[first...]))
            }
        }
        try leave(Array(old[..<200_000]), of: server.url(), tag: "\"1\"", total: 300_000)
        let resumed = try await stage.end(of: once(server.url()))
        #expect(resumed.state == .completed, "\(String(describing: resumed.error))")
        #expect(try stage.folder.read("out.bin") == old)
        #expect(server.requests.count == 1)
        let whole = try await stage.end(
            of: stage.download(server.url(), name: "whole.bin") { description, _ in description.options.retries = 0 })
        #expect(whole.state == .completed, "\(String(describing: whole.error))")
        #expect(try stage.folder.read("whole.bin") == old)
    }

    /// An entity tag is of one resource: another server may have the same one for other bytes.
    @Test func bytesOfTwoOriginsAreNotJoined() async throws {
        let other = try ScriptedServer { [new] connection, _ in
            while let head = connection.readHead() {
                let first = head.contains("bytes=60000-") ? 60_000 : 0
                connection.answer(
                    first > 0 ? "206 Partial Content" : "200 OK",
                    ["ETag: \"1\""] + (first > 0 ? ["Content-Range: bytes 60000-99999/100000"] : []),
                    body: Array(new[first...]))
            }
        }
        let server = try ScriptedServer { [old] connection, number in
            guard connection.readHead() != nil else { return }
            guard number == 1 else { return connection.answer("302 Found", ["Location: \(other.url())"]) }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 100000\r\n\r\n")
            connection.send(Array(old[..<60_000]))
        }
        #expect(try await stage.end(of: once(server.url())).state == .failed)
        #expect(try stage.folder.read(part).count == 60_000)
        let second = try await stage.end(of: once(server.url()))
        #expect(second.state == .completed, "\(String(describing: second.error))")
        #expect(try stage.folder.read("out.bin") == new)
    }

    // MARK: Newer versions

    @Test func interruptedNewVersionKeepsTheOldBytes() async throws {
        let server = try ScriptedServer { [new] connection, number in
            guard connection.readHead() != nil else { return }
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 100000\r\n\r\n")
            connection.send(number == 1 ? Array(new[..<40_000]) : new)
        }
        // Not as many as would make the new version as long as the rest.
        let kept = Array(old[..<150_000])
        try leave(kept, of: server.url(), tag: "\"1\"", total: 300_000)
        let first = try await stage.end(of: once(server.url()))
        #expect(first.state == .failed)
        #expect(first.error?.fields.partialFile == "out.bin.fileq-part-new")
        #expect(first.error?.fields.partialBytes == 40_000)
        #expect(try stage.folder.read(part) == kept)
        #expect(stage.folder.exists(part + ".json"))
        #expect(try stage.folder.read(newPart) == Array(new[..<40_000]))
        let second = try await stage.end(of: once(server.url()))
        #expect(second.state == .completed)
        #expect(try stage.folder.read("out.bin") == new)
        #expect(stage.folder.names == ["out.bin"])
    }

    @Test func resumesANewVersion() async throws {
        let server = try ScriptedServer { [new] connection, number in
            guard let head = connection.readHead() else { return }
            if number == 1 {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"2\"\r\nContent-Length: 100000\r\n\r\n")
                return connection.send(Array(new[..<60_000]))
            }
            guard head.contains("bytes=60000-"), head.contains("If-Range: \"2\"") else {
                return connection.answer("400 Bad")
            }
            connection.answer(
                "206 Partial Content", ["ETag: \"2\"", "Content-Range: bytes 60000-99999/100000"],
                body: Array(new[60_000...]))
        }
        try leave(Array(old[..<200_000]), of: server.url(), tag: "\"1\"", total: 300_000)
        let first = try await stage.end(of: once(server.url()))
        #expect(first.state == .failed)
        #expect(stage.folder.names == [part, newPart, newPart + ".json", part + ".json"].sorted())
        let second = try await stage.end(of: once(server.url()))
        #expect(second.state == .completed, "\(String(describing: second.error))")
        #expect(try stage.folder.read("out.bin") == new)
        #expect(stage.folder.names == ["out.bin"])
    }

    @Test func reportsARestartWithItsReason() async throws {
        let server = try ScriptedServer { [new] connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", ["ETag: \"2\""], body: new) }
        }
        try leave(Array(old[..<200_000]), of: server.url(), tag: "\"1\"", total: 300_000)
        let updates = stage.queue.updates()
        let ids = try await stage.queue.add([once(server.url())], paused: false)
        var note: TransferNote?
        for await update in updates {
            guard case .events(let events) = update else { continue }
            for event in events where event.name == .restarted { note = event.transfer.note }
            if events.contains(where: { $0.transfer.id == ids[0] && $0.transfer.state.isEnded }) { break }
        }
        #expect(note == .restarted(.changed, file: "out.bin.fileq-part", bytes: 200_000))
        #expect(try stage.folder.read("out.bin") == new)
    }

    @Test func wrongChecksumOfANewVersionKeepsTheOldBytes() async throws {
        let server = try ScriptedServer { [new] connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", ["ETag: \"2\""], body: new) }
        }
        let kept = Array(old[..<200_000])
        try leave(kept, of: server.url(), tag: "\"1\"", total: 300_000)
        let result = try await stage.end(
            of: stage.download(server.url()) { _, download in
                download.checksum = Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 7, count: 32))
            })
        #expect(result.error?.code == .checksumMismatch)
        #expect(try stage.folder.read(part) == kept)
        #expect(stage.folder.names == [part, part + ".json"])
    }

    @Test func cancelDeletesBothPartialFiles() async throws {
        let server = try ScriptedServer { [new] connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"2\"\r\nContent-Length: 100000\r\n\r\n")
            connection.send(Array(new[..<40_000]))
            connection.waitForClose()
        }
        try leave(Array(old[..<200_000]), of: server.url(), tag: "\"1\"", total: 300_000)
        let ids = try await stage.queue.add([once(server.url())], paused: false)
        try await stage.wait { $0[ids[0]]?.bytes == 40_000 }
        try await stage.queue.perform(.cancel(deletingPartial: true), on: ids)
        try await stage.wait { $0[ids[0]]?.state == .cancelled }
        #expect(stage.folder.names.isEmpty)
    }

    // MARK: No strong validator

    @Test(arguments: [
        [], ["ETag: W/\"1\""], ["Last-Modified: yesterday"],
        ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:37 GMT"],
    ])
    func keepsBytesThatCannotBeResumed(_ fields: [String]) async throws {
        let server = try ScriptedServer { [old] connection, number in
            guard let head = connection.readHead() else { return }
            if number > 1 {
                return connection.answer(
                    head.contains("Range:") ? "400 No" : "200 OK", fields, body: head.contains("Range:") ? [] : old)
            }
            connection.send(
                "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined() + "Content-Length: 300000\r\n\r\n")
            connection.send(Array(old[..<50_000]))
            connection.waitForClose()
        }
        let updates = stage.queue.updates()
        let ids = try await stage.queue.add([once(server.url())], paused: false)
        try await stage.wait { $0[ids[0]]?.bytes == 50_000 }
        #expect(try await stage.queue.snapshot().transfers[0].note == .notResumable)
        await stage.queue.shutDown()
        var last: Transfer?
        for await update in updates { if case .events(let events) = update { last = events.last?.transfer ?? last } }
        #expect(last?.state == .cancelled)
        #expect(last?.note == .leftBehind(file: "out.bin.fileq-part", bytes: 50_000))
        #expect(try stage.folder.read(part) == Array(old[..<50_000]))

        let later = LocalQueue(transport: try CurlTransport())
        let again = later.updates()
        let next = try await later.add([once(server.url())], paused: false)
        var end: Transfer?
        for await update in again {
            guard case .events(let events) = update else { continue }
            end = events.last { $0.transfer.id == next[0] && $0.transfer.state.isEnded }?.transfer
            if end != nil { break }
        }
        #expect(end?.state == .completed, "\(String(describing: end?.error))")
        #expect(try stage.folder.read("out.bin") == old)
        #expect(stage.folder.names == ["out.bin"])
    }

    /// While it awaits its next attempt there is no task that would say so.
    @Test func aCancelledRetrySaysThatItsBytesCannotBeResumed() async throws {
        let server = try ScriptedServer { [old] connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nRetry-After: 3600\r\n\r\n")
            connection.send(Array(old[..<50_000]))
        }
        let ids = try await stage.queue.add([stage.download(server.url())], paused: false)
        try await stage.wait { $0[ids[0]].map { $0.state == .retrying && $0.bytes == 50_000 } ?? false }
        try await stage.queue.perform(.cancel(deletingPartial: false), on: ids)
        try await stage.wait { $0[ids[0]]?.state == .cancelled }
        let note = try await stage.queue.snapshot().transfers[0].note
        #expect(note == .leftBehind(file: "out.bin.fileq-part", bytes: 50_000))
        await stage.queue.shutDown()
    }

    /// Beside them there might be no room, attempt after attempt.
    @Test(arguments: [true, false]) func bytesThatCannotBeResumedAreReplaced(_ areOfThisProcess: Bool) async throws {
        let server = try ScriptedServer { [old, new] connection, number in
            guard connection.readHead() != nil else { return }
            let isFirst = areOfThisProcess && number == 1
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            connection.send(Array((isFirst ? old : new)[..<(isFirst ? 50_000 : 40_000)]))
            // The first one breaks off.
            if !isFirst { connection.waitForClose() }
        }
        // As `kill -9` leaves them.
        if !areOfThisProcess { _ = try stage.folder.write(Array(old[..<50_000]), to: part) }
        let ids = try await stage.queue.add([stage.download(server.url())], paused: false)
        try await stage.wait { $0[ids[0]]?.bytes == 40_000 }
        #expect(try stage.folder.read(part) == Array(new[..<40_000]))
        #expect(stage.folder.names == [part])
        let note = try await stage.queue.snapshot().transfers[0].note
        let cause = areOfThisProcess ? RestartCause.noValidator : .notRecorded
        #expect(note == .joined([.restarted(cause), .notResumable]))
        await stage.queue.shutDown()
    }

    /// A server is not blamed for a record that is gone.
    @Test(
        arguments: [
            (nil, nil, .notRecorded), ("", nil, .notRecorded), ("{", nil, .notRecorded), (nil, "W/\"1\"", .noValidator),
        ] as [(String?, String?, RestartCause)])
    func saysWhyBytesCannotBeResumed(_ record: String?, _ tag: String?, _ cause: RestartCause) async throws {
        let server = try ScriptedServer { [new] connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", ["ETag: \"2\""], body: new) }
        }
        let bytes = Array(old[..<50_000])
        if let tag {
            try leave(bytes, of: server.url(), tag: tag, total: 300_000)
        } else {
            _ = try stage.folder.write(bytes, to: part)
            if let record { _ = try stage.folder.write(Array(record.utf8), to: part + ".json") }
        }
        let (_, events) = try await stage.ends(of: [once(server.url())])
        // Bytes whose record cannot be read stay until the new version is complete.
        let isKept = record != nil
        #expect(
            events.first { $0.name == .restarted }?.transfer.note
                == .restarted(cause, file: isKept ? part : nil, bytes: isKept ? 50_000 : 0))
        #expect(try stage.folder.read("out.bin") == new)
        #expect(stage.folder.names == ["out.bin"])
    }

    @Test func weakDatesDoNotResume() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let newer = patternedBytes(300_000, seed: 3)
        let server = try ScriptedServer { [old] connection, number in
            guard let head = connection.readHead() else { return }
            let fields = ["Last-Modified: \(date)", "Date: \(date)"]
            if number == 1 {
                connection.send(
                    "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined() + "Content-Length: 300000\r\n\r\n")
                return connection.send(Array(old[..<100_000]))
            }
            guard head.contains("Range:") else { return connection.answer("200 OK", fields, body: newer) }
            connection.answer(
                "206 Partial Content", fields + ["Content-Range: bytes 100000-299999/300000"],
                body: Array(newer[100_000...]))
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == newer)
    }

    @Test func strongDatesResume() async throws {
        let fields = ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:50:37 GMT"]
        let server = try ScriptedServer { [old] connection, number in
            guard connection.readHead() != nil else { return }
            if number == 1 {
                connection.send(
                    "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined() + "Content-Length: 300000\r\n\r\n")
                return connection.send(Array(old[..<100_000]))
            }
            connection.answer(
                "206 Partial Content", fields + ["Content-Range: bytes 100000-299999/300000"],
                body: Array(old[100_000...]))
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.metrics?.resumedFrom == 100_000)
        #expect(try stage.folder.read("out.bin") == old)
    }

    @Test func doesNotMixContentCodings() async throws {
        let server = try ScriptedServer { [old] connection, number in
            guard let head = connection.readHead() else { return }
            if number == 1 {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 300000\r\n\r\n")
                return connection.send(Array(old[..<100_000]))
            }
            guard head.contains("Range:") else { return connection.answer("200 OK", ["ETag: \"1\""], body: old) }
            connection.answer(
                "206 Partial Content",
                ["ETag: \"1\"", "Content-Encoding: gzip", "Content-Range: bytes 100000-299999/300000"],
                body: [UInt8](repeating: 0, count: 200_000))
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(try stage.folder.read("out.bin") == old)
        #expect(stage.folder.names == ["out.bin"])
    }

    @Test(arguments: [("out.bin", true), ("out.bin.gz", false)])
    func reportsAnUnrequestedCoding(_ name: String, _ isReported: Bool) async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("200 OK", ["Content-Encoding: gzip"], body: [1, 2, 3])
            }
        }
        let result = try await stage.end(of: stage.download(server.url(), name: name))
        #expect(result.state == .completed)
        #expect((result.note == .encoded("gzip")) == isReported)
        #expect(try stage.folder.read(name) == [1, 2, 3])
    }

    // MARK: Files that others made

    @Test func doesNotWriteThroughAHardLink() async throws {
        let victim = try stage.folder.write([1, 2, 3], to: "victim")
        #expect(link(victim, stage.folder.file(part)) == 0)
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: [7]) }
        }
        let result = try await stage.end(of: once(server.url()))
        #expect(result.error?.code == .cannotWrite)
        #expect(try stage.folder.read("victim") == [1, 2, 3])
    }

    @Test(arguments: ["link", "folder", "pipe"]) func reportsWhatHasThePartialName(_ kind: String) async throws {
        let path = stage.folder.file(part)
        switch kind {
        case "link": #expect(symlink("victim", path) == 0)
        case "folder": #expect(mkdir(path, 0o700) == 0)
        default: #expect(mkfifo(path, 0o600) == 0)
        }
        let result = try await stage.end(of: once("http://127.0.0.1:9/"))
        #expect(result.error?.fields.file?.kind == .notRegularFile)
        #expect(result.error?.fields.variant == .fileInTheWay)
        #expect(stage.folder.names == [part])
    }

    @Test func doesNotWriteARecordIntoAnotherFile() throws {
        let victim = try stage.folder.write([1, 2, 3], to: "victim")
        #expect(link(victim, stage.folder.file(part + ".json.new")) == 0)
        try leave([1], of: "http://host.test/", tag: "\"1\"", total: 2)
        #expect(try stage.folder.read("victim") == [1, 2, 3])
        #expect(PartialRecord.load(stage.folder.file(part + ".json"))?.total == 2)
    }

    @Test func aPipeAsRecordDoesNotBlock() async throws {
        #expect(mkfifo(stage.folder.file(part + ".json.new"), 0o600) == 0)
        let server = try ScriptedServer { [old] connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 300000\r\n\r\n")
            connection.send(Array(old[..<50_000]))
            connection.waitForClose()
        }
        let ids = try await stage.queue.add([once(server.url())], paused: false)
        try await stage.wait { $0[ids[0]]?.bytes == 50_000 }
        await stage.queue.shutDown()
        #expect(PartialRecord.load(stage.folder.file(part + ".json"))?.total == 300_000)
    }
}
