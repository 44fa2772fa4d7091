// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization
import Testing
import TransferControl
import TransferModel

@testable import fileq
import TransferTesting

@Suite struct AddRunTests {
    /// What was written to standard output.
    private final class Paper: Sendable {
        private let text = Mutex("")
        let isRead: Bool

        init(isRead: Bool = true) { self.isRead = isRead }
        var content: String { text.withLock { $0 } }
        func write(_ more: String) -> Bool {
            text.withLock { $0 += more }
            return isRead
        }
    }

    private func run(
        _ plan: AddPlan, _ queue: FakeQueue, json: Bool = false, paper: Paper = Paper()
    ) async throws -> String {
        try await queue.served { client in
            try await AddRun(plan: plan, client: client, writesJSON: json, write: paper.write).execute(
                now: 1_700_000_000)
        }
        return paper.content
    }

    @Test func writesOneIDPerTransfer() async throws {
        let queue = FakeQueue()
        let plan = try addPlan(["http://u:p@h/a", "http://h/b", "-H", "A: b", "--at", "+1h"])
        #expect(try await run(plan, queue) == "1\n2\n")
        #expect(queue.added == plan.descriptions)
        #expect(queue.terms == plan.terms)
        #expect(queue.performed.isEmpty)
    }

    /// Whichever begins second fails.
    @Test(
        arguments: [
            (["http://h/a"], TransferState.running, "'/home/user/a': transfer 7 has this file already; "),
            (["http://h/b", "http://h/a"], .paused, "'/home/user/a': transfer 7 has this file already; "),
            (["http://h/A"], .queued, nil), (["http://h/b"], .running, nil), (["http://h/a"], .failed, nil),
            (["http://h/a"], .completed, nil), (["--keep-both", "http://h/a"], .running, nil),
        ] as [([String], TransferState, String?)])
    func saysThatATransferHasTheFile(_ words: [String], _ state: TransferState, _ start: String?) async throws {
        let known = Transfer(
            id: TransferID(rawValue: 7), kind: .download, url: "http://g/a", file: "/home/user/a", state: state)
        let queue = FakeQueue([known])
        let plan = try addPlan(words)
        let said = Mutex<[String]>([])
        try await queue.served { client in
            var run = AddRun(plan: plan, client: client, writesJSON: false) { _ in true }
            run.noteTaken = { taken in said.withLock { $0.append(taken.warning) } }
            try await run.execute(now: 0)
        }
        let expected = start.map { [$0 + "--keep-both saves beside it"] } ?? []
        #expect(said.withLock { $0 } == expected && queue.additions == 1)
    }

    @Test func writesOneObjectPerTransfer() async throws {
        let text = try await run(try addPlan(["--paused", "http://u:p@h/a"]), FakeQueue(), json: true)
        #expect(
            text
                == #"{"time":"2023-11-14T22:13:20.000Z","event":"paused","id":1,"kind":"download","#
                + #""url":"http://h/a","file":"/home/user/a","#
                + #""state":"paused","bytes":0,"attempt":1}"# + "\n")
        let folder = try Folder()
        let file = try folder.write("x", to: "f")
        let put = try await run(try addPlan(["put", file, "http://h/"]), FakeQueue(), json: true)
        #expect(
            put.contains(
                #""event":"queued","id":1,"kind":"upload","url":"http://h/f","file":"\#(file)","state":"queued""#))
    }

    @Test func heldTransfersNeverStart() async throws {
        let folder = try Folder()
        let list = try folder.write("http://h/a\nhttp://h/b\n  pause=true\nhttp://h/c\n", to: "list")
        let queue = FakeQueue()
        let text = try await run(try addPlan(["get", "-i", list]), queue, json: true)
        #expect(queue.terms?.paused == true)
        #expect(queue.performed.count == 1)
        #expect(queue.performed.first?.command == .resume)
        #expect(queue.performed.first?.ids == [1, 3])
        #expect(text.split(separator: "\n").map { $0.contains(#""state":"paused""#) } == [false, true, false])
        let all = FakeQueue()
        #expect(try await run(try addPlan(["get", "--paused", "-i", list]), all) == "1\n2\n3\n")
        #expect(all.performed.isEmpty)
    }

    @Test func throwsWhatTheQueueRejects() async throws {
        let paper = Paper()
        let error = await #expect(throws: TransferError.self) {
            try await run(
                try addPlan(["http://h/a"]), FakeQueue(refusing: TransferError(.cannotWrite, "the disk is full")),
                paper: paper)
        }
        #expect(error == TransferError(.cannotWrite, "the disk is full"))
        #expect(paper.content.isEmpty)
    }

    @Test func reportsAClosedOutput() async throws {
        let queue = FakeQueue()
        let error = await #expect(throws: TransferError.self) {
            try await run(try addPlan(["http://h/a"]), queue, paper: Paper(isRead: false))
        }
        #expect(error?.code == .cannotWrite)
        #expect(queue.added.count == 1)
    }

    @Test func saysWhyTheOutputCannotBeWritten() async throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        let (full, closed) = (open("/dev/full", O_WRONLY | O_CLOEXEC), ends[1])
        defer { for descriptor in [full, closed] { close(descriptor) } }
        for (descriptor, cause) in [(full, "no space left on device"), (closed, "standard output is closed")] {
            let error = await #expect(throws: TransferError.self) {
                try await FakeQueue().served { client in
                    let plan = try addPlan(["http://h/a"])
                    let write: (String) -> Bool = FileOutput(descriptor: descriptor).write
                    try await AddRun(plan: plan, client: client, writesJSON: false, write: write).execute(now: 0)
                }
            }
            let message = error?.message ?? ""
            #expect(message.hasPrefix("all transfers are enqueued, but ") && message.contains(cause), "\(message)")
        }
    }

    /// More than one message holds, in one call of the queue.
    @Test func addsALongListInOneCall() async throws {
        let folder = try Folder()
        let list = try folder.write(
            (0..<10_000).map { "https://example.org/pool/file-\($0).iso\n" }.joined(), to: "list")
        let queue = FakeQueue()
        let text = try await run(try addPlan(["get", "-H", "Authorization: Bearer t", "-i", list]), queue)
        #expect(queue.additions == 1)
        #expect(queue.added.count == 10_000)
        #expect(queue.added.allSatisfy { $0.options.headers.count == 1 })
        #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == 10_000)
    }
}
