// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

/// Commands that look at the queue and steer it, end to end over a socket.
@Suite struct QueueCommandTests {
    static let transfers = [
        QueueStage.transfer(1, .running) { ($0.bytes, $0.rate, $0.eta) = (500, 250, 2) },
        QueueStage.transfer(2, .failed) { $0.error = TransferError(.httpStatus, "404 \u{1b}[31mnot found") },
        QueueStage.transfer(3, .completed) { $0.bytes = 3000 },
        QueueStage.transfer(4, .paused), QueueStage.transfer(5),
    ]

    @Test func listIsPlainWithoutATerminal() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            let all = try await stage.run(["list"])
            #expect(all.status == 0)
            #expect(all.lines.count == 5)
            #expect(all.lines.first == "1\trunning\t50%\t0.98K\t250B/s\t2s\t1.iso")
            #expect(all.lines[1].hasSuffix("404 \u{fffd}[31mnot found"))
            let some = try await stage.run(["list", "--json", "state:failed,completed"])
            #expect(some.objects.map { $0["id"] as? Int } == [2, 3])
            #expect((some.objects.first?["error"] as? [String: Any])?["code"] as? Int == 22)
            #expect(some.objects.first?["added"] as? String == "2023-11-14T22:13:20.000Z")
            #expect(
                some.objects.allSatisfy {
                    $0["event"] == nil && $0["time"] == nil && $0["url"] != nil && $0["attempt"] != nil
                })
            #expect(try await stage.run(["list", "4", "1"]).lines.map { $0.prefix(1) } == ["4", "1"])
        }
    }

    @Test(
        arguments: [
            ("cancel", [1], 0, 0, "undone: cancelling transfer 1"),
            ("cancel", [1], 2, 0, "undone: cancelling transfer 1; 2 transfers have changed since and stay"),
            ("hold", [], 0, 0, "undone: holding the queue"),
            ("limits.set", [], 0, 0, "undone: the limits of the queue"),
            ("cancel", [], 1, 1, "nothing was undone: cancelling 1 transfer, which has changed since"),
            ("move", [], 3, 1, "nothing was undone: moving 3 transfers, which have all changed since"),
        ] as [(String, [Int], Int, Int32, String)])
    func undoSaysWhatItReverted(
        _ command: String, _ ids: [Int], _ skipped: Int, _ status: Int32, _ words: String
    ) async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            stage.queue.contents.withLock {
                $0.undone = UndoneCommand(
                    command: command, performedAt: 0, ids: ids.map(TransferID.init(rawValue:)), skipped: skipped)
            }
            let outcome = try await stage.run(["undo"])
            #expect(outcome.status == status && outcome.said == [words], "\(outcome.said)")
        }
    }

    @Test func unknownIDsAreErrorsAndEmptyFiltersAreNot() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            for words in [
                ["list", "77"], ["pause", "1", "77"], ["info", "77"], ["wait", "77"], ["cancel", "70-79"],
                ["clear", "77"], ["set", "77", "--limit", "1M"],
                ["move", "77", "top"], ["relocate", "77", "--url", "http://example.org/"], ["watch", "77"],
                ["list", "colour:red"], ["pause"],
                ["pause", "--all", "3"], ["move", "3"], ["move", "top"], ["set", "3"], ["relocate", "3"],
                ["history", "-n", "0"],
            ] {
                let outcome = try await stage.run(words)
                #expect(outcome.status == 2, "\(words)")
                #expect(outcome.output.isEmpty && outcome.said.count == 1, "\(words): \(outcome.said)")
            }
            #expect(stage.performed.isEmpty)
            for words in [
                ["list", "name:nothing"], ["pause", "name:nothing"], ["retry", "state:running"],
                ["wait", "state:verifying"], ["clear", "name:x"],
            ] {
                let outcome = try await stage.run(words)
                #expect(outcome.status == 0, "\(words)")
                #expect(outcome.output.isEmpty && outcome.said.count == 1, "\(words): \(outcome.said)")
            }
        }
    }

    @Test(arguments: [
        (["pause", "1", "5"], QueueCommand.pause, [1, 5]), (["pause", "--all"], .hold, [1, 5]),
        (["pause", "--all", "state:queued"], .pause, [5]), (["resume", "1-5"], .resume, [4]),
        (["cancel", "state:running,queued"], .cancel(deletingPartial: false), [1, 5]),
        (["cancel", "--delete", "4"], .cancel(deletingPartial: true), [4]),
        (["retry", "--all"], .retry, [2]), (["move", "5", "4", "top"], .move(.top), [5, 4]),
        (["set", "3-4", "--limit", "2k"], .limit(2048), [3, 4]),
        (["set", "5", "--at", "now"], .schedule(nil), [5]),
        (["set", "5", "--after", "1,3"], .after([1, 3].map(TransferID.init(rawValue:))), [5]),
        (["set", "4-5", "--after", "none"], .after([]), [4, 5]),
        (["set", "--all", "--limit", "none"], .limit(nil), [1, 2, 3, 4, 5]),
        (["set", "5", "--priority", "high"], .priority(0.75), [5]),
    ])
    func commandsReachTheQueue(_ words: [String], _ command: QueueCommand, _ ids: [Int]) async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            let outcome = try await stage.run(words)
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.said)")
            #expect(stage.performed.map(\.command) == [command])
            #expect(stage.performed.map(\.ids) == [ids])
        }
    }

    @Test func anEmptyQueueNamesTheDamagedOne() async throws {
        try await onQueueStage([]) { stage async throws in
            #expect(try await stage.run(["list"]).said == ["the queue is empty"])
            for name in [
                "queue.sqlite", "queue.sqlite.damaged-20261126-171054", "queue.sqlite.damaged-20261126-171053",
                "queue.sqlite-wal.damaged-20271126-171053", "credentials.json.damaged-20281126-171053",
            ] {
                try stage.folder.write("", to: "queue/" + name)
            }
            let said = try await stage.run(["list"]).said
            #expect(said.count == 1 && said[0].contains("/queue/queue.sqlite.damaged-20261126-171054, "), "\(said)")
            #expect(try await stage.run(["list", "state:failed"]).said == ["no transfer matches"])
        }
    }

    @Test func reportsImpossibleCommands() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            let outcome = try await stage.run(["pause", "--json", "1", "3"])
            #expect(outcome.status == 0)
            #expect(outcome.said == ["3 is completed: nothing to pause"])
            #expect(outcome.objects.map { $0["state"] as? String } == ["paused"])
            #expect(try await stage.run(["resume", "--now", "-v", "1"]).lines.first?.hasPrefix("1\tqueued") == true)
            #expect(stage.performed.map(\.command) == [.pause, .liftRestrictions, .resume])
        }
    }

    @Test func limitsOfTheQueueAreSetAndShown() async throws {
        try await onQueueStage([]) { stage async throws in
            #expect(try await stage.run(["set", "--download-limit", "2M", "-j6"]).status == 0)
            #expect(
                try await stage.run(["set", "--upload-limit", "500k", "--download-limit", "none", "--json"]).output
                    == #"{"concurrent":6,"upload":512000,"timetable":"off"}"# + "\n")
            #expect(
                try await stage.run(["set"]).lines == [
                    "concurrent      6", "per-host        none", "download-limit  none", "upload-limit    500K/s",
                    "timetable       off",
                ])
            #expect(
                try await stage.run([
                    "set", "--per-host", "2", "--timetable", "mon-fri 08:00 down=512k; 23:00 off", "-v",
                ]).lines.last
                    == "timetable       \(try LimitTimetable("mon-fri 08:00 down=512k; 23:00 off").text)")
            #expect(try await stage.run(["set", "--per-host", "none", "--timetable", "none"]).output.isEmpty)
            #expect(try await stage.run(["set"]).lines.last == "timetable       off")
            for words in [
                ["--limit", "1M"], ["--download-limit", "fast"], ["--concurrent", "0"], ["7", "--concurrent", "3"],
                ["7", "--priority", "2"],
                ["--per-host", "0"], ["--timetable", "noon"],
            ] {
                #expect(try await stage.run(["set"] + words).status == 2, "\(words)")
            }
        }
    }

    @Test func infoShowsAttemptsAndMetrics() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            var attempt = TransferAttempt(
                number: 1, startedAt: FakeQueue.time, url: "https://example.org/2.iso", firstByte: 7)
            (attempt.endedAt, attempt.error) = (
                FakeQueue.time + 1.5, TransferError(.receiveFailed, "connection reset")
            )
            stage.queue.contents.withLock { [attempt] in $0.attempts = [attempt] }
            let text = try await stage.run(["info", "2"])
            #expect(text.lines.contains("address     https://example.org/2.iso"))
            #expect(text.lines.contains("attempt 1: 2023-11-14T22:13:20.000Z, bytes 7 to 7, 1.5 s"))
            #expect(text.lines.contains("  connection reset (56, receive)"))
            let object = try #require(try await stage.run(["info", "--json", "2"]).objects.first)
            #expect((object["attempts"] as? [[String: Any]])?.first?["firstByte"] as? Int == 7)
        }
    }

    @Test(arguments: [
        (TransferState.running, "still running"), (.verifying, "still running"), (.paused, "paused"),
        (.queued, "queued"), (.failed, "interrupted"),
    ])
    func infoSaysHowAnOpenAttemptStands(_ state: TransferState, _ words: String) async throws {
        try await onQueueStage([QueueStage.transfer(2, state)]) { stage async throws in
            stage.queue.contents.withLock {
                $0.attempts = [1, 2].map { TransferAttempt(number: $0, startedAt: FakeQueue.time) }
            }
            let heads = try await stage.run(["info", "2"]).lines.filter { $0.hasPrefix("attempt ") }
            let time = "2023-11-14T22:13:20.000Z"
            #expect(
                heads == [
                    "attempt 1: \(time), bytes 0 to 0, interrupted", "attempt 2: \(time), bytes 0 to 0, \(words)",
                ])
        }
    }

    @Test func infoShowsWhichBytesAreStored() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            #expect(try await !stage.run(["info", "2"]).output.contains("stored"))
            stage.queue.contents.withLock {
                $0.ranges = TransferRanges(stored: [0..<512, 2048..<2560], requested: [512..<2048])
            }
            let lines = try await stage.run(["info", "2"]).lines
            #expect(lines.contains("stored      bytes 0 to 512, 2048 to 2560"))
            #expect(lines.contains("requested   bytes 512 to 2048"))
            let object = try #require(try await stage.run(["info", "--json", "2"]).objects.first)
            let ranges = try #require(object["ranges"] as? [String: [[String: Int]]])
            #expect(ranges["stored"] == [["first": 0, "end": 512], ["first": 2048, "end": 2560]])
            #expect(ranges["requested"] == [["first": 512, "end": 2048]])
            // A terminal has a few of them, a program all.
            stage.queue.contents.withLock {
                $0.ranges = TransferRanges(stored: (0..<20).map { Int64($0 * 2)..<Int64($0 * 2 + 1) })
            }
            let all = try await stage.run(["info", "2"]).output
            #expect(all.contains("38 to 39") && !all.contains("requested"))
            let traits = TerminalTraits(isTerminal: true) { _ in nil }
            let shown = try await stage.run(["info", "2"], screen: QueueScreen(columns: 80, traits: traits)).output
            #expect(shown.contains("22 to 23, and 8 more ranges") && !shown.contains("38 to 39"))
        }
    }

    /// The partial file of several connections is as long as the file.
    @Test func infoComparesTheLengthWithWhatIsStored() async throws {
        let folder = try Folder()
        try folder.write(String(repeating: "x", count: 3001), to: "k9.fileq-part")
        let transfer = QueueStage.transfer(2, .paused) {
            ($0.file, $0.bytes, $0.total) = ("\(folder.path)/k9", 600, 3000)
        }
        try await onQueueStage([transfer]) { stage async throws in
            #expect(
                try await stage.run(["info", "2"]).lines.contains(
                    "part file   3001 bytes long, of which 600 are stored"))
            try folder.write(String(repeating: "x", count: 600), to: "k9.fileq-part")
            #expect(try await !stage.run(["info", "2"]).output.contains("part file"))
        }
    }

    @Test func relocateReplacesTheGivenOptions() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            let secret = try stage.folder.write("hush\n", to: "secret")
            let jar = try stage.folder.write("a=1\nb=2\n", to: "cookies")
            #expect(
                try await stage.run([
                    "relocate", "2", "--url", "https://mirror.example.org/x", "-b", "@\(jar)", "-b", "c=3",
                ]).status == 0)
            #expect(try await stage.run(["relocate", "2", "--user", "me", "--password-file", secret]).status == 0)
            #expect(try await stage.run(["relocate", "2", "--user", "me"]).status == 0)
            let sid = try await stage.run(["relocate", "2", "--sid-file", secret, "--json"])
            #expect(sid.objects.count == 1)
            let places = stage.queue.relocated
            #expect(places.first?.url?.string == "https://mirror.example.org/x")
            #expect(places.first?.cookies?.map(\.name) == ["a", "b", "c"])
            #expect(
                places.map(\.credential) == [
                    nil, Credential(user: "me", password: "hush"), Credential(user: "me", password: "asked"), nil,
                ])
            #expect(places.last?.sid == "hush")
        }
    }

    @Test func relocateMovesTheFile() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            for words in [
                ["-o", "/films/b.iso", "--if-exists", "replace"], ["-d", "/films"], ["--if-exists", "newer"],
            ] {
                #expect(try await stage.run(["relocate", "2"] + words).status == 0)
            }
            #expect(
                stage.queue.relocated == [
                    Relocation(file: "/films/b.iso", existing: .overwrites), Relocation(folder: "/films"),
                    Relocation(existing: .updates),
                ])
            for words in [["-o", "a", "-d", "b"], ["-o", ""], ["-o", "b/"], ["--if-exists", "ask"]] {
                #expect(try await stage.run(["relocate", "2"] + words).status == 2, "\(words)")
            }
        }
    }

    @Test func relocateTakesSeveralAndStartsWhatHadFailed() async throws {
        let upload = QueueStage.transfer(6) { $0.kind = .upload }
        try await onQueueStage(Self.transfers + [upload]) { stage async throws in
            var known = 0
            /// One command is undone as one.
            func count() -> Int {
                let new = stage.queue.relocated.dropFirst(known)
                known += new.count
                let groups = Set(new.map(\.group))
                #expect(groups.count == 1 && groups.contains(nil) == (new.count == 1))
                return new.count
            }
            let all = try await stage.run(["relocate", "--all", "-d", "/films"])
            #expect(all.status == 0 && all.said == ["2 had failed and is started again"] && count() == 4)
            #expect(stage.performed.map(\.command) == [.retry] && stage.performed.map(\.ids) == [[2]])
            #expect(
                try await stage.run(["relocate", "3-5", "--if-exists", "skip"]).said == [
                    "3 is completed: nothing to change"
                ])
            #expect(count() == 2)
            #expect(try await stage.run(["relocate", "6", "state:queued", "-d", "/films"]).status == 0 && count() == 1)
            #expect(try await stage.run(["relocate", "4,5", "-o", "/a"]).status == 2)
            #expect(try await stage.run(["relocate", "--all", "--url", "https://example.org/"]).status == 2)
            #expect(try await stage.run(["relocate", "state:paused", "--url", "https://example.org/"]).status == 0)
            #expect(count() == 1)
        }
    }

    /// Each refusal is reported, and the others are changed.
    @Test func relocateReportsWhatIsRefused() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            stage.queue.on(RelocateCall.self) { _, call in
                if [1, 4].contains(call.id.rawValue) { throw TransferError(.cannotWrite, "no room") }
                return .init(dropped: [])
            }
            let run = try await stage.run(["relocate", "1-5", "-d", "/films"])
            #expect(run.status == 23 && run.said.count == 4, "\(run.said)")
            #expect(run.said.contains("1: no room") && run.said.contains("4: no room"))
            #expect(stage.queue.relocated.count == 2)
            #expect(stage.performed.map(\.ids) == [[2]])
        }
    }

    /// A secret is for the server that it was made for.
    @Test func relocateSendsSecretsToOneServer() async throws {
        let other = QueueStage.transfer(6) { $0.url = "https://other.example.org/6.iso" }
        try await onQueueStage(Self.transfers + [other]) { stage async throws in
            let secret = try stage.folder.write("hush\n", to: "secret")
            for words in [
                ["--user", "me"], ["--token-file", secret], ["-H", "X-Key: k"], ["-b", "a=1"], ["--sid-file", secret],
            ] {
                let run = try await stage.run(["relocate", "--all"] + words)
                #expect(run.status == 2 && run.said.joined().contains("for one server"), "\(words): \(run.said)")
            }
            #expect(stage.queue.relocated.isEmpty && stage.performed.isEmpty)
            #expect(try await stage.run(["relocate", "4-5", "--user", "me"]).status == 0)
            #expect(try await stage.run(["relocate", "6", "--token-file", secret]).status == 0)
            #expect(try await stage.run(["relocate", "4-6", "-d", "/films"]).status == 0)
            #expect(stage.queue.relocated.count == 6)
        }
    }

    @Test func onlyWhatWaitsGetsAnotherStart() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            #expect(try await stage.run(["set", "3", "--at", "+1h"]).said == ["3 is completed: nothing to schedule"])
            let run = try await stage.run(["set", "1", "5", "--at", "+1h"])
            #expect(run.status == 0 && run.said.joined().contains("1 is running: it has begun; pause it first"))
            let performed = stage.performed
            #expect(performed.count == 1 && performed[0].1 == [5])
            guard case .schedule(let time?) = performed[0].0 else {
                Issue.record("\(performed)")
                return
            }
            #expect(time == FakeQueue.time + 3600)
            #expect(try await stage.run(["set", "5", "--at", "yesterday"]).status == 2)
            #expect(try await stage.run(["set", "1", "--after", "3"]).said.joined().contains("it has begun"))
            #expect(try await stage.run(["set", "5", "--after", "yesterday"]).status == 2)
            #expect(try await stage.run(["set", "--at", "now"]).status == 2)
        }
    }

    @Test func infoHidesSignaturesAndTokens() async throws {
        let signed = "https://s3.example.org/b?X-Amz-Signature=hush&token=hush"
        try await onQueueStage([QueueStage.transfer(2) { $0.url = signed }]) { stage async throws in
            let attempt = TransferAttempt(number: 1, startedAt: FakeQueue.time, url: signed, firstByte: 0)
            stage.queue.contents.withLock { $0.attempts = [attempt] }
            let text = try await stage.run(["info", "2"]).output
            #expect(text.contains("X-Amz-Signature=") && !text.contains("hush"))
        }
    }

    @Test func relocateNamesDroppedOptions() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            stage.queue.contents.withLock { $0.dropped = ["Authorization", "cookie c", "login of 'bo\u{1b}b'"] }
            let run = try await stage.run([
                "relocate", "2", "--url", "http://mirror.example.org:8080/x", "-H", "X-Key: k",
            ])
            #expect(run.status == 0)
            #expect(run.said.joined().contains("not sent to the new server mirror.example.org:8080"))
            #expect(
                run.said.joined().contains("Authorization, cookie c, login of 'bo")
                    && !run.said.joined().contains("\u{1b}"))
            #expect(
                stage.queue.relocated.first?.headers == [
                    Relocation.Header(name: "X-Key", value: "k")
                ])
        }
    }

    @Test func readsHistoryByPage() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            stage.queue.contents.withLock { contents in
                contents.history = (1...2500).reversed().map {
                    HistoryEntry(endedAt: Double($0 / 10), transfer: QueueStage.transfer($0, .completed))
                }
            }
            #expect(try await stage.run(["history", "--json"]).objects.count == 2500)
            #expect(try await stage.run(["history", "-n", "1001", "--json"]).objects.last?["id"] as? Int == 1500)
            #expect(
                try await stage.run(["history", "7"]).lines == [
                    "1970-01-01T00:00:00Z\t7\tcompleted\t0%\t6.84K\t-\t-\t7.iso"
                ])
            #expect(try await stage.run(["history", "state:failed"]).said.count == 1)
        }
    }

    @Test func clearRemovesFinishedTransfers() async throws {
        try await onQueueStage(Self.transfers) { stage async throws in
            #expect(try await stage.run(["clear", "1", "3", "--json"]).output == "{\"cleared\":1}\n")
            #expect(try await stage.run(["clear", "--all", "-v"]).output == "1 transfer forgotten\n")
            #expect(try await stage.run(["list"]).lines.count == 3)
        }
    }

    @Test func logsNeedNoService() async throws {
        try await onQueueStage([]) { stage async throws in
            #expect(try await stage.run(["logs"]).said.count == 1)
            try stage.folder.write((1...5).map { "line \($0)\u{1b}[2J\n" }.joined() + "half", to: "service.log")
            let refused: @Sendable (Bool) async throws(TransferError) -> ControlClient = {
                _ async throws(TransferError) in
                throw TransferError(.other, "asked for the service")
            }
            #expect(try await stage.run(["logs", "-n", "2"], connect: refused).lines == ["line 5\u{fffd}[2J", "half"])
            #expect(try await stage.run(["logs"], connect: refused).lines.count == 6)
            #expect(try await stage.run(["logs", "-n", "0"], connect: refused).lines.isEmpty)
        }
    }
}
