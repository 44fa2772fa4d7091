// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing
import TransferTesting

@testable import TerminalInterface

struct FolderReaderTests {
    @Test func foldersComeFirstInTheOrderOfNames() throws {
        let folder = try TemporaryFolder()
        for name in ["b.txt", "A.txt", "京都.jpg", ".hidden"] {
            try Data([1, 2, 3]).write(to: URL(filePath: folder.path + "/" + name))
        }
        for name in ["写真", "Zoo", "albums"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + name, withIntermediateDirectories: false)
        }
        #expect(symlink("写真", folder.path + "/link") == 0 && symlink("nowhere", folder.path + "/broken") == 0)
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        let listing = FolderReader.read(folder.path)
        #expect(listing.error == nil && listing.omitted == 0)
        #expect(
            listing.entries.map(\.name)
                == ["albums", "link", "Zoo", "写真", ".hidden", "A.txt", "b.txt", "broken", "pipe", "京都.jpg"])
        #expect(listing.entries.prefix(4).allSatisfy { $0.isFolder && $0.size == nil })
        let sizes = Dictionary(uniqueKeysWithValues: listing.entries.map { ($0.name, $0.size) })
        #expect(sizes["京都.jpg"] == 3 && sizes["pipe"] == Int64?.none && sizes["broken"] == Int64?.none)
        #expect(listing.entries.allSatisfy { $0.modified > 1e9 || $0.name == "broken" })
    }

    @Test func numbersInNamesAreOrderedAsSuch() throws {
        let folder = try TemporaryFolder()
        let names = ["1.jpg", "2.jpg", "10.jpg", "100.jpg", "a1b2.txt", "a01b10.txt"]
        for name in names.shuffled() { try folder.write([1], to: name) }
        #expect(FolderReader.read(folder.path).entries.map(\.name) == names)
    }

    @Test func namesThatAreNoTextAreCounted() throws {
        let folder = try TemporaryFolder()
        let path = Array((folder.path + "/").utf8) + [0xff, 0xfe, 0]
        let descriptor = path.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) }
        }
        try #require(descriptor >= 0)
        close(descriptor)
        let listing = FolderReader.read(folder.path)
        #expect(listing.entries.isEmpty && listing.omitted == 1)
    }

    @Test func aMissingFolderIsAnError() throws {
        let folder = try TemporaryFolder()
        #expect(FolderReader.read(folder.path + "/none").error != nil)
    }
}

struct SideThreadsTests {
    /// A folder that never responds holds up no other.
    @Test func aHungThreadHoldsUpNoOther() async {
        let threads = SideThreads(limit: 2)
        let gate = DispatchSemaphore(value: 0)
        let done = Mutex(0)
        let isFirst = threads.start {
            gate.wait()
            done.withLock { $0 += 1 }
        }
        #expect(isFirst)
        // One place is left, which is taken and given back.
        for round in 1...3 {
            #expect(await eventually { threads.start { done.withLock { $0 += 1 } } })
            #expect(await eventually { done.withLock { $0 } == round })
        }
        gate.signal()
        #expect(await eventually { done.withLock { $0 } == 4 })
    }

    @Test func theirNumberIsLimited() async {
        let threads = SideThreads(limit: 1)
        let gate = DispatchSemaphore(value: 0)
        let isFirst = threads.start { gate.wait() }
        let isSecond = threads.start {}
        #expect(isFirst && !isSecond)
        gate.signal()
        #expect(await eventually { threads.start {} })
    }
}

struct LookAheadTests {
    private func request(_ text: String) -> AddRequest {
        var request = AddRequest()
        request.addresses = text
        return request
    }

    /// Of requests that arrive while one is carried out, only the newest is; a hung one holds up none.
    @Test func theNewestReplacesTheOthers() async {
        let gate = DispatchSemaphore(value: 0)
        let looked = Mutex<[String]>([])
        let reported = Mutex<[Int]>([])
        let lookAhead = LookAhead<AddRequest, AddOutlook>(limit: 1, unknown: AddOutlook()) { request in
            looked.withLock { $0.append(request.addresses) }
            if request.addresses == "first" { gate.wait() }
            return AddOutlook()
        } report: { _, serial in
            reported.withLock { $0.append(serial) }
        }
        lookAhead.send(request("first"), 1)
        #expect(await eventually { looked.withLock { $0 } == ["first"] })
        lookAhead.send(request("second"), 2)
        lookAhead.send(request("third"), 3)
        gate.signal()
        #expect(await eventually { reported.withLock { $0 } == [1, 3] })
        #expect(looked.withLock { $0 } == ["first", "third"])
        // Its thread has ended, and another one begins.
        lookAhead.send(request("fourth"), 4)
        #expect(await eventually { reported.withLock { $0 } == [1, 3, 4] })
    }

    @Test func aHungOneHoldsUpNoOther() async {
        let gate = DispatchSemaphore(value: 0)
        let reported = Mutex<[Int]>([])
        let hangs = Mutex(false)
        let lookAhead = LookAhead<AddRequest, AddOutlook>(limit: 2, unknown: AddOutlook()) { request in
            if request.addresses == "hung" {
                hangs.withLock { $0 = true }
                gate.wait()
            }
            return AddOutlook()
        } report: { _, serial in
            reported.withLock { $0.append(serial) }
        }
        lookAhead.send(request("hung"), 1)
        #expect(await eventually { hangs.withLock { $0 } })
        for serial in 2...4 {
            lookAhead.send(request("other"), serial)
            #expect(await eventually { reported.withLock { $0.last } == serial })
        }
        gate.signal()
        #expect(await eventually { reported.withLock { $0 } == [2, 3, 4, 1] })
    }
}
