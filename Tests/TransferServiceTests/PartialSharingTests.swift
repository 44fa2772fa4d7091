// SPDX-License-Identifier: MIT

import FoundationEssentials
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Transfers that have the same file keep their own bytes, whatever a command does to one of them.
@Suite(.timeLimit(.minutes(5))) struct PartialSharingTests {
    let stage: DurableStage
    private let bodies = ["/a": patternedBytes(400_000), "/b": Array(patternedBytes(400_000).reversed())]
    private let first = "out.bin.fileq-part"
    private let second = "out.bin.fileq-part-new"

    init() throws { stage = try DurableStage() }

    /// A first response for an address stops after 150,000 bytes.
    private func server() throws -> ScriptedServer {
        try ScriptedServer { [bodies] connection, _ in
            guard let head = connection.readHead() else { return }
            let path = String(head.split(separator: " ")[1])
            guard let body = bodies[path] else { return }
            guard !head.lowercased().contains("range: bytes=") else {
                return connection.answer(body, to: head, tag: "\"v1\"")
            }
            connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nAccept-Ranges: bytes\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.send(Array(body[..<150_000]))
            connection.waitForClose()
        }
    }

    private func exists(_ name: String) -> Bool { stage.folder.exists(name) }

    /// A paused download of `path`, whose file is not open.
    private func begun(_ server: ScriptedServer, _ path: String, name: String = "out.bin") async throws -> TransferID {
        let id = try await stage.queue.add([stage.download(server.url(path), name: name)], paused: false)[0]
        try await stage.wait(for: id) { $0.bytes == 150_000 }
        try await stage.queue.perform(.pause, on: [id])
        try await stage.wait(for: id) { $0.state == .paused }
        try await stage.reopen()
        return id
    }

    private func completes(_ id: TransferID, _ path: String, in name: String = "out.bin") async throws {
        try await stage.queue.perform(.resume, on: [id])
        #expect(try await stage.end(of: id).state == .completed)
        #expect(try stage.folder.read(name) == bodies[path])
    }

    @Test(arguments: [false, true]) func deletingOneKeepsTheOther(_ isRunning: Bool) async throws {
        let server = try server()
        let one = try await begun(server, "/a")
        let other = try await begun(server, "/b")
        #expect(exists(first) && exists(second))
        if isRunning { try await stage.queue.perform(.resume, on: [other]) }
        // The rest of it may have arrived.
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [other])
        let state = try await stage.end(of: other).state
        guard state == .cancelled else {
            #expect(isRunning && exists(first))
            return
        }
        #expect(await eventually { !exists(second) && exists(first) })
        try await completes(one, "/a")
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    /// What one transfer has continued is also of the other, which had it first, if that can continue it.
    @Test(arguments: [
        ("http://a.test/f?1", 9, true), ("http://a.test/g?1", 9, false), ("http://a.test/f?1", nil, false),
        ("http://a.test/f?2", nil, true),
    ] as [(String, Int64?, Bool)])
    func deletingKeepsWhatARenewedLinkHasContinued(_ other: String, _ total: Int64?, _ isKept: Bool) {
        let (path, url) = (stage.folder.file("x.fileq-part"), "http://a.test/f?2")
        PartialRecord.save(
            ResumeData(
                url: url, validator: Validator(entityTag: "\"v1\""), ranges: ByteRangeSet(0..<3), total: total,
                partialPath: path))
        let sharing = PartialSharing(url: url, hasBytes: true, others: [other])
        #expect(sharing.isOfAnother(path, keepsShared: true) == isKept)
        #expect(!sharing.isOfAnother(path))
    }

    @Test func deletingTheFirstKeepsTheNewer() async throws {
        let server = try server()
        let one = try await begun(server, "/a")
        let other = try await begun(server, "/b")
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [one])
        try await stage.wait(for: one) { $0.state == .cancelled }
        #expect(await eventually { !exists(first) && exists(second) })
        try await completes(other, "/b")
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    @Test func deletingBothKeepsNeither() async throws {
        let server = try server()
        let one = try await begun(server, "/a")
        let other = try await begun(server, "/b")
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [one, other])
        for id in [one, other] { try await stage.wait(for: id) { $0.state == .cancelled } }
        #expect(await eventually { !exists(first) && !exists(second) })
    }

    @Test func anotherNameTakesOwnBytesAlone() async throws {
        let server = try server()
        let one = try await begun(server, "/a")
        let other = try await begun(server, "/b")
        try await stage.queue.relocate(other, to: Relocation(file: stage.folder.file("b")))
        #expect(await eventually { !exists(second) && exists(first) })
        // The only version has the first name once it is opened.
        #expect(!exists("b.fileq-part") && exists("b.fileq-part-new"))
        try await completes(other, "/b", in: "b")
        #expect(server.requests.last?.contains("bytes=150000-") == true)
        try await completes(one, "/a")
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    @Test func anotherAddressIsThatOfOwnBytesAlone() async throws {
        let server = try server()
        let one = try await begun(server, "/a")
        let other = try await begun(server, "/b")
        try await stage.queue.relocate(other, to: Relocation(url: TransferURL(server.url("/c"))))
        #expect(PartialRecord.load(stage.folder.file(first + ".json"))?.url == server.url("/a"))
        #expect(PartialRecord.load(stage.folder.file(second + ".json"))?.url == server.url("/c"))
        try await completes(one, "/a")
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    @Test func aCompletedOneLeavesTheBytesOfTheOther() async throws {
        let server = try server()
        let one = try await begun(server, "/a")
        let other = try await begun(server, "/b")
        try await completes(other, "/b")
        #expect(exists(first) && !exists(second))
        try await stage.queue.relocate(one, to: Relocation(file: stage.folder.file("a")))
        try await completes(one, "/a", in: "a")
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    @Test func onlyOneOfTwoTakesAName() async throws {
        let server = try server()
        let one = try await begun(server, "/a", name: "a")
        let other = try await begun(server, "/b", name: "b")
        let place = Relocation(file: stage.folder.file("z"))
        let queue = stage.queue
        async let isFirst: [String]? = try? await queue.relocate(one, to: place)
        async let isSecond: [String]? = try? await queue.relocate(other, to: place)
        let moved = await [isFirst != nil, isSecond != nil]
        #expect(moved.count { $0 } == 1)
        try await completes(one, "/a", in: moved[0] ? "z" : "a")
        #expect(server.requests.last?.contains("bytes=150000-") == true)
        try await completes(other, "/b", in: moved[1] ? "z" : "b")
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    /// The record that is there describes the bytes that are there.
    @Test func aNameThatIsTakenKeepsItsRecord() throws {
        for (name, url) in [("a.fileq-part", "http://x/a"), ("b.fileq-part", "http://x/b")] {
            let path = try stage.folder.write([1], to: name)
            PartialRecord.save(
                ResumeData(url: url, validator: Validator(), ranges: ByteRangeSet(), total: nil, partialPath: path))
        }
        PartialMove(from: stage.folder.file("a.fileq-part"), to: stage.folder.file("b.fileq-part")).carryOut()
        #expect(PartialRecord.load(stage.folder.file("a.fileq-part.json"))?.url == "http://x/a")
        #expect(PartialRecord.load(stage.folder.file("b.fileq-part.json"))?.url == "http://x/b")
    }

    /// Also in a folder with another path.
    @Test(arguments: ["", "link/"]) func deletingADuplicateKeepsSharedBytes(_ prefix: String) async throws {
        let server = try server()
        try FileManager.default.createSymbolicLink(
            atPath: stage.folder.file("link"), withDestinationPath: stage.folder.file(""))
        let one = try await begun(server, "/a")
        let other = try await stage.queue.add(
            [stage.download(server.url("/a"), name: prefix + "out.bin")], paused: true)[0]
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [other])
        try await stage.wait(for: other) { $0.state == .cancelled }
        try await completes(one, "/a")
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    @Test func whatIsOfAnotherAddressStaysBesideARenamedFile() throws {
        for (name, url) in [("f.fileq-part", "http://x/other"), ("f.fileq-part-new", "http://x/own")] {
            let path = try stage.folder.write([1], to: name)
            PartialRecord.save(
                ResumeData(url: url, validator: Validator(), ranges: ByteRangeSet(), total: nil, partialPath: path))
        }
        let sharing = PartialSharing(url: "http://x/own", hasBytes: true, others: ["http://x/other"])
        PartialFiles.removeLeftovers(of: stage.folder.file("f.fileq-part-new"), leaving: sharing)
        #expect(exists("f.fileq-part") && exists("f.fileq-part.json"))
        #expect(!exists("f.fileq-part-new") && !exists("f.fileq-part-new.json"))
    }

    /// (address of the record, own bytes, whether shared bytes stay) and whose bytes they are.
    @Test(
        arguments: [
            ("http://x/own", true, true, false), ("http://x/own", false, false, false),
            ("http://x/other", true, false, true), ("http://x/other", false, true, true),
            ("http://x/mirror", true, true, false), ("http://x/mirror", false, false, true),
            (nil, true, true, false), (nil, false, false, true),
        ] as [(String?, Bool, Bool, Bool)])
    func recordsNameTheAddressOfTheBytes(
        _ url: String?, _ hasBytes: Bool, _ keepsShared: Bool, _ isOther: Bool
    ) throws {
        let path = try stage.folder.write([1], to: "x.fileq-part")
        if let url {
            PartialRecord.save(
                ResumeData(url: url, validator: Validator(), ranges: ByteRangeSet(), total: nil, partialPath: path))
        }
        let sharing = PartialSharing(url: "http://x/own", hasBytes: hasBytes, others: ["http://x/other"])
        #expect(sharing.isOfAnother(path, keepsShared: keepsShared) == isOther)
        #expect(!PartialSharing.alone.isOfAnother(path, keepsShared: true))
        let same = PartialSharing(url: "http://x/own", hasBytes: hasBytes, others: ["http://x/own"])
        if url == same.url { #expect(same.isOfAnother(path, keepsShared: keepsShared) == (keepsShared || !hasBytes)) }
    }
}
