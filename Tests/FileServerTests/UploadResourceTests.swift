// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import FileServer

/// The machine without disk and network.
struct UploadResourceTests {
    private func resource(
        offset: Int64 = 0, length: Int64? = nil, limits: UploadResource.Limits = .init()
    )
        -> UploadResource
    {
        UploadResource(offset: offset, length: length, expires: 100, limits: limits)
    }

    private func begin(
        _ resource: UploadResource, offset: Int64, length: Int64? = nil, content: Int64?,
        _ end: UploadResource.Append.End
    ) -> UploadFault? {
        var resource = resource
        let before = resource
        do {
            try resource.begin(
                .init(offset: offset, length: length, contentLength: content, end: end), isVerified: false, now: 0)
            return nil
        } catch {
            #expect(resource == before)
            return error
        }
    }

    @Test(
        arguments: [
            // At its offset, to its end, or short of it.
            (0, nil, 0, nil, 10, .stated(true), nil), (5, 10, 5, nil, 5, .stated(true), nil),
            (5, 10, 5, nil, 4, .stated(false), nil), (5, 10, 5, nil, 5, .atLength, nil),
            (5, nil, 5, 10, nil, .stated(false), nil), (10, 10, 10, nil, 0, .stated(true), nil),
            (5, nil, 5, 9, 2, .atLength, nil),
            // Elsewhere: back, beyond, beyond the end, and as far as numbers go.
            (5, 10, 4, nil, 1, .stated(false), .mismatchingOffset(expected: 5, provided: 4)),
            (5, 10, 0, nil, 10, .stated(true), .mismatchingOffset(expected: 5, provided: 0)),
            (5, 10, 6, nil, 4, .stated(true), .mismatchingOffset(expected: 5, provided: 6)),
            (5, 10, 11, nil, 1, .atLength, .mismatchingOffset(expected: 5, provided: 11)),
            (5, nil, .max, nil, 1, .atLength, .mismatchingOffset(expected: 5, provided: .max)),
            // Lengths that contradict each other, or the bytes already stored.
            (5, 10, 5, nil, 4, .stated(true), .inconsistentLength),
            (5, 10, 5, nil, 6, .stated(true), .beyondLength),
            (5, 10, 5, nil, 6, .stated(false), .beyondLength), (5, 10, 5, 11, 5, .atLength, .inconsistentLength),
            (5, 10, 5, nil, 6, .atLength, .inconsistentLength), (5, nil, 5, 4, 0, .atLength, .inconsistentLength),
            (5, nil, 5, 9, 5, .stated(true), .inconsistentLength), (5, nil, 5, 4, nil, .atLength, .inconsistentLength),
            (5, nil, 5, nil, .max, .stated(true), .tooLarge(nil)),
        ] as [(Int64, Int64?, Int64, Int64?, Int64?, UploadResource.Append.End, UploadFault?)])
    func begins(
        at: Int64, of: Int64?, offset: Int64, length: Int64?, content: Int64?, end: UploadResource.Append.End,
        fault: UploadFault?
    ) {
        #expect(begin(resource(offset: at, length: of), offset: offset, length: length, content: content, end) == fault)
    }

    @Test func sizesAfterAnAppendDoNotOverflow() throws {
        let upload = resource(offset: 5)
        func size(length: Int64?, content: Int64?) throws(UploadFault) -> Int64? {
            try upload.size(after: .init(offset: 3, length: length, contentLength: content, end: .stated(true)))
        }
        #expect(try size(length: nil, content: 7) == 12)
        #expect(try size(length: Int64.max, content: 7) == Int64.max)
        #expect(try size(length: nil, content: nil) == nil)
        #expect(throws: UploadFault.tooLarge(nil)) { try size(length: nil, content: Int64.max) }
    }

    @Test func limitsOfSizes() {
        let limited = resource(limits: .init(maximumSize: 10, maximumAppend: 5, minimumAppend: 2))
        #expect(begin(limited, offset: 0, length: 11, content: 5, .stated(false)) == .tooLarge(10))
        #expect(begin(limited, offset: 0, content: 11, .stated(true)) == .tooLarge(10))
        #expect(begin(limited, offset: 0, content: 6, .stated(true)) == .appendTooLarge(5))
        #expect(begin(limited, offset: 0, content: 1, .stated(false)) == .appendTooSmall(2))
        #expect(begin(limited, offset: 0, content: 1, .stated(true)) == nil)
        #expect(begin(limited, offset: 0, length: 1, content: 1, .atLength) == nil)
        #expect(begin(limited, offset: 0, length: 10, content: 2, .stated(false)) == nil)
    }

    @Test func bytesBeyondTheLengthDeactivateIt() throws {
        var upload = resource(length: 10)
        try upload.begin(.init(offset: 0, contentLength: nil, end: .stated(false)), isVerified: false, now: 0)
        try upload.admit(10)
        upload.wrote(10)
        #expect(throws: UploadFault.beyondLength) { try upload.admit(1) }
        #expect(upload.phase == .failed && upload.offset == 10)
        #expect(begin(upload, offset: 10, content: 0, .stated(true)) == .deactivated)
        #expect(throws: UploadFault.deactivated) { try upload.checkActive(now: 0) }
    }

    @Test func chunksBeyondTheLargestSizeDeactivateIt() throws {
        var upload = resource(limits: .init(maximumSize: 10))
        try upload.begin(.init(offset: 0, contentLength: nil, end: .stated(true)), isVerified: false, now: 0)
        #expect(throws: UploadFault.tooLarge(10)) { try upload.admit(11) }
        #expect(upload.phase == .failed)
    }

    @Test func theEndIsStatedOrReached() throws {
        for (end, length, isWhole) in [
            (.stated(true), nil, true), (.stated(false), 4, false), (.atLength, 4, true), (.atLength, 5, false),
            (.atLength, nil, false), (.stated(true), 4, true),
        ] as [(UploadResource.Append.End, Int64?, Bool)] {
            var upload = resource(length: length)
            let append = UploadResource.Append(offset: 0, contentLength: nil, end: end)
            try upload.begin(append, isVerified: false, now: 0)
            try upload.admit(4)
            upload.wrote(4)
            #expect(try upload.end(append) == isWhole)
            #expect(upload.offset == 4)
        }
        var short = resource(length: 5)
        let append = UploadResource.Append(offset: 0, contentLength: nil, end: .stated(true))
        try short.begin(append, isVerified: false, now: 0)
        short.wrote(4)
        #expect(throws: UploadFault.inconsistentLength) { try short.end(append) }
        #expect(short.phase == .open && short.offset == 4)
    }

    @Test func verifiedBytesCountAtTheirEnd() throws {
        var upload = resource(offset: 5)
        let append = UploadResource.Append(offset: 5, contentLength: 3, end: .stated(false))
        try upload.begin(append, isVerified: true, now: 0)
        upload.wrote(3)
        #expect(upload.offset == 5 && upload.written == 8)
        #expect(upload.abandon() == 5)
        try upload.begin(append, isVerified: true, now: 0)
        upload.wrote(3)
        #expect(try !upload.end(append) && upload.offset == 8)
    }

    @Test func completeAndExpiredUploadsTakeNothing() throws {
        var upload = resource(offset: 5)
        upload.completed()
        #expect(upload.length == 5)
        #expect(begin(upload, offset: 5, content: 0, .stated(true)) == .completed)
        #expect(begin(upload, offset: 5, content: 1, .stated(true)) == .appendToCompleted(provided: 5))
        #expect(begin(upload, offset: 0, content: 0, .stated(true)) == .appendToCompleted(provided: 0))
        #expect(throws: UploadFault.expired) { try upload.checkActive(now: 100) }
        #expect(throws: Never.self) { try upload.checkActive(now: 99) }
    }
}

struct UploadMarkTests {
    @Test func readsWhatItWrites() {
        for mark in [
            UploadState.Mark(synced: 0, isTentative: false), .init(synced: .max, isTentative: true),
            .init(synced: 12_345, isTentative: false),
        ] {
            #expect(mark.bytes.count == UploadState.Mark.byteCount)
            #expect(UploadState.Mark(parsing: mark.bytes + Array("{}".utf8)) == mark)
        }
        for text in ["", "00000000000000000001 +", "00000000000000000001 *\n", "-0000000000000000001 +\n"] {
            #expect(UploadState.Mark(parsing: Array(text.utf8)) == nil)
        }
    }
}

struct UploadAccessTests {
    @Test func aLaterRequestEndsTheEarlierOne() async throws {
        let access = UploadAccess()
        let ended = AsyncStream<Int>.makeStream()
        let first = try #require(await access.acquire(atMost: .seconds(30)) { ended.continuation.yield(1) })
        #expect(!access.isEnded(first) && access.acquireIfFree() == nil)
        let second = Task { await access.acquire(atMost: .seconds(30)) { ended.continuation.yield(2) } }
        var events = ended.stream.makeAsyncIterator()
        #expect(await events.next() == 1)
        #expect(access.isEnded(first))
        access.release(first)
        let lease = try #require(await second.value)
        #expect(!access.isEnded(lease))
        // A lease that has ended releases nothing.
        access.release(first)
        #expect(access.acquireIfFree() == nil)
        access.release(lease)
        let third = try #require(access.acquireIfFree())
        access.release(third)
    }

    @Test func aRequestThatIsWaitedForEndsAtOnce() async throws {
        let access = UploadAccess()
        let first = try #require(await access.acquire(atMost: .seconds(30)) {})
        let ended = AsyncStream<Int>.makeStream()
        let others = (1...2).map { number in
            Task { await access.acquire(atMost: .seconds(30)) { ended.continuation.yield(number) } }
        }
        #expect(try await eventually { access.waitingCount == 2 })
        access.release(first)
        var events = ended.stream.makeAsyncIterator()
        let number = try #require(await events.next())
        let lease = try #require(await others[number - 1].value)
        access.release(lease)
        let last = try #require(await others[2 - number].value)
        #expect(!access.isEnded(last))
    }

    @Test func patienceEnds() async throws {
        let access = UploadAccess()
        let first = try #require(await access.acquire(atMost: .seconds(30)) {})
        #expect(await access.acquire(atMost: .milliseconds(10)) {} == nil)
        // Whichever thread is faster.
        for _ in 0..<500 { #expect(await access.acquire(atMost: .zero) {} == nil) }
        let cancelled = Task { await access.acquire(atMost: .seconds(300)) {} }
        #expect(try await eventually { access.waitingCount == 1 })
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        access.release(first)
        #expect(access.acquireIfFree() != nil)
    }

    /// The other waiter of the server.
    @Test func patienceWithAnUploadInProgressEnds() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("index-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        let index = try UploadIndex(
            folder: FolderDescriptor(path: url.path), root: RootFolder(path: url.path), syncs: false)
        let key = UploadRecord.Key(owner: "a", upload: "b")
        #expect(index.claim(key) == .granted)
        for _ in 0..<500 { await index.waitForRelease(of: key, atMost: .zero) }
        #expect(index.claim(key) == .busy)
    }
}
