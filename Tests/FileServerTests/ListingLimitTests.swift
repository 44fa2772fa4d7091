// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Testing
import TransferModel
import TransferTesting

@testable import FileServer

/// Listings are pages, and take memory only as far as there is some.
@Suite(.timeLimit(.minutes(10))) struct ListingLimitTests {
    private static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    private static func record(_ number: Int, metadata: Int = 0) -> UploadRecord {
        UploadRecord(
            id: id(number), name: "a", size: 1, sha256: "", received: Double(number / 2),
            metadata: metadata > 0 ? [.init(name: "n", value: String(repeating: "x", count: metadata))] : [],
            entityTag: "")
    }

    /// Uploads of an earlier server.
    private static func store(_ records: [UploadRecord], below base: URL) throws {
        let root = base.appendingPathComponent("root")
        let index = root.appendingPathComponent(".fileq-server/index")
        try FileManager.default.createDirectory(at: index, withIntermediateDirectories: true)
        for record in records {
            let folder = root.appendingPathComponent("files/\(record.id)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: folder.appendingPathComponent("a"))
            try JSONEncoder().encode(record).write(to: index.appendingPathComponent("\(record.id).json"))
        }
    }

    private func page(_ folder: ServedFolder, _ path: String) async throws -> FileQListing {
        try JSONDecoder().decode(FileQListing.self, from: try await folder.curl(path).body)
    }

    // MARK: Pages

    @Test func manyUploadsAreListedInPages() {
        // Half of them have the time of another one.
        let all = (0..<2500).map { Self.record($0) }
        var (seen, cursor, counts) = ([UploadRecord](), UploadCursor?.none, [Int]())
        repeat {
            let page = UploadPage(of: all.shuffled(), after: cursor)
            seen += page.records
            counts.append(page.records.count)
            cursor = page.next.flatMap { UploadCursor(parsing: $0.description) }
        } while cursor != nil && counts.count < 10
        #expect(counts == [1000, 1000, 500])
        #expect(seen == all)
    }

    @Test func pagesAreBoundedByTheirBytes() {
        let all = (0..<300).map { Self.record($0, metadata: 8000) }
        let first = UploadPage(of: all, after: nil)
        #expect(
            first.records.count == UploadPage.mostBytes / 8002 && first.next == first.records.last.map { .init($0) })
        // One alone is a page, whatever its size.
        let large = UploadPage(of: [Self.record(1, metadata: 2 * UploadPage.mostBytes), Self.record(2)], after: nil)
        #expect(large.records.count == 1 && large.next != nil)
        #expect(UploadPage(of: [], after: nil).next == nil)
    }

    @Test(arguments: ["", "-", "x", "1.5", "1.5-", "1.5-0", "nan-\(id(1))", "inf-\(id(1))", "-\(id(1))"])
    func malformedCursorsAreNone(text: String) {
        #expect(UploadCursor(parsing: text) == nil)
    }

    @Test(
        arguments: [
            ("/files", nil), ("/files?", nil), ("/files?after=", ""), ("/files?a=1&after=2-3", "2-3"),
            ("/files?after", nil), ("/files?a?after=1", nil),
        ] as [(String, String?)])
    func readsParameters(target: String, value: String?) {
        #expect(RequestHandler.query("after", of: target) == value)
    }

    @Test func uploadsAreServedInPages() async throws {
        let all = (0..<1001).map { Self.record($0, metadata: $0 == 1000 ? 2000 : 10) }
        try await ServedFolder.with({ _, base in try Self.store(all, below: base) }) { folder in
            let first = try await page(folder, "/files")
            #expect(first.files.map(\.id) == all.dropLast().map(\.id) && first.isTruncated)
            let second = try await page(folder, #require(first.next))
            // The metadata that are not kept in memory.
            #expect(second.files.map(\.id) == [Self.id(1000)] && second.files.first?.metadata == all.last?.metadata)
            #expect(!second.isTruncated && second.next == nil)
            #expect(try await folder.curl("/files?after=1").status == 400)
            let html = try await folder.curl("/files", "-H", "Accept: text/html")
            let next = try #require(first.next)
            #expect(html.text.contains("href=\"\(next)\""))
            let get = try await folder.curl("/files")
            let head = try await folder.curl("/files", "-I")
            for name in ["content-length", "content-type", "vary", "cache-control"] {
                #expect(head.headers[name] == get.headers[name] && head.headers[name] != nil, "\(name)")
            }
            #expect(get.body.count > RequestHandler.largestWholeBody)
        }
    }

    /// As those of servers without pages.
    @Test func listingsWithoutPagesAreWhole() throws {
        let listing = try JSONDecoder().decode(FileQListing.self, from: Data(#"{"files":[]}"#.utf8))
        #expect(listing == FileQListing(files: []))
        #expect(FileQListing(files: [], next: "/files?after=1").isTruncated)
    }

    // MARK: Memory

    @Test func closesUnreadListings() async throws {
        let all = (0..<1000).map { Self.record($0, metadata: 500) }
        try await ServedFolder.with({ configuration, base in
            configuration.limits.idleSeconds = 0.3
            try Self.store(all, below: base)
        }) { folder in
            let raw = try RawConnection(port: folder.server.port, receiveBuffer: 4096)
            // More than the buffers of the kernel take.
            await raw.send(String(repeating: "GET /files HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 20))
            #expect(await raw.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(try await eventually { LimitTests.established(to: folder.server.port) == 0 })
        }
    }

    @Test func bodiesShareTheirMemory() {
        let memory = BodyMemory(limit: 100)
        // The first one has room, whatever its size.
        let large = memory.take(200)
        #expect(large != nil && memory.take(1) == nil)
        large?.end()
        large?.end()
        #expect(memory.taken == 0)
        let (one, two) = (memory.take(60), memory.take(40))
        #expect(one != nil && two != nil && memory.take(1) == nil)
        one?.end()
        #expect(memory.taken == 40)
        two?.end()
        do { _ = memory.take(10) }
        #expect(memory.taken == 0)
    }

    // MARK: Gates

    /// Runs in `gate` until ``end()``.
    private struct Occupant {
        let task: Task<Int, any Error>
        let end: @Sendable () -> Void

        init(of gate: WorkGate) async {
            let (entered, entering) = AsyncStream<Void>.makeStream()
            let (left, leaving) = AsyncStream<Void>.makeStream()
            task = Task {
                try await gate.run(atMost: .seconds(60)) {
                    entering.yield()
                    for await _ in left { break }
                    return 1
                }
            }
            end = { leaving.yield() }
            for await _ in entered { break }
        }
    }

    @Test func aGateLetsSomeInAndRefusesTheRest() async throws {
        let gate = WorkGate(width: 1, mostWaiting: 1)
        let first = await Occupant(of: gate)
        let second = Task { try await gate.run(atMost: .seconds(60)) { 2 } }
        #expect(try await eventually { gate.waitingCount == 1 })
        await #expect(throws: WorkGate.busy) { try await gate.run(atMost: .seconds(60)) { 3 } }
        first.end()
        #expect(try await first.task.value == 1)
        #expect(try await second.value == 2)
        #expect(gate.waitingCount == 0)
    }

    @Test func whoWaitsMayGiveUp() async throws {
        let gate = WorkGate(width: 1, mostWaiting: 8)
        let first = await Occupant(of: gate)
        await #expect(throws: WorkGate.busy) { try await gate.run(atMost: .milliseconds(1)) { 2 } }
        // Without any patience, too, whichever thread is faster.
        for _ in 0..<500 { await #expect(throws: WorkGate.busy) { try await gate.run(atMost: .zero) { 2 } } }
        let cancelled = Task { try await gate.run(atMost: .seconds(60)) { 3 } }
        #expect(try await eventually { gate.waitingCount == 1 })
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        first.end()
        #expect(try await first.task.value == 1)
        // Its place is free again.
        let next = try await gate.run(atMost: .seconds(60)) { 4 }
        #expect(next == 4)
    }
}
