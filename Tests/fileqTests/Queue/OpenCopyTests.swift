// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import fileq

/// `fileq open` and `fileq copy`.
@Suite struct OpenCopyTests {
    @Test func opensWhatIsComplete() async throws {
        let files = try Folder()
        let path = files.path + "/夏 1.iso"
        try Data().write(to: URL(fileURLWithPath: path))
        let transfers = [
            QueueStage.transfer(1, .completed) { $0.file = path }, QueueStage.transfer(2, .running),
            QueueStage.transfer(3, .completed), QueueStage.transfer(4, .running) { $0.file = "-" },
        ]
        try await onQueueStage(transfers) { stage async throws in
            let done = try await stage.run(["open", "1"])
            #expect(done.status == 0 && done.said == ["opened \(path)"])
            #expect(try await stage.run(["open", "--folder", "1-2"]).status == 0)
            #expect(stage.opened == [path, files.path + "/", "/home/user/"])
            for (id, status, words) in [
                ("2", 2, "'fileq open --folder 2' opens its folder"), ("3", 26, "is not there any more"),
                ("4", 2, "is streamed"), ("77", 2, "77"),
            ] {
                let refused = try await stage.run(["open", id])
                #expect(refused.status == Int32(status) && refused.said.count == 1, "\(id): \(refused)")
                #expect(refused.said.first?.contains(words) == true, "\(id): \(refused)")
            }
            #expect(stage.opened.count == 3)
            #expect(try await stage.run(["open", "state:failed"]).said == ["no transfer matches: nothing done"])
        }
    }

    @Test func copiesOneLineForEach() async throws {
        let transfers = [
            QueueStage.transfer(1, .completed) { $0.file = "/home/user/it's.iso" }, QueueStage.transfer(2, .running),
            QueueStage.transfer(3) { $0.file = "/d/n\nl: id\u{7}" },
        ]
        try await onQueueStage(transfers) { stage async throws in
            for (words, text) in [
                (["copy", "1"], "https://example.org/1.iso"),
                (["copy", "--path", "1-2"], "/home/user/it's.iso\n/home/user/2.iso"),
                (["copy", "--id", "1,2"], "1\n2"), (["copy", "--path", "3"], "$'/d/n\\012l: id\\007'"),
                (["copy", "--curl", "3"], "curl -fL -o $'/d/n\\012l: id\\007' 'https://example.org/3.iso'"),
                (["copy", "--curl", "1"], "curl -fL -o '/home/user/it'\\''s.iso' 'https://example.org/1.iso'"),
            ] {
                let outcome = try await stage.run(words)
                #expect(outcome.status == 0 && outcome.said.count == 1, "\(outcome)")
                #expect(stage.copied.last == text)
            }
            #expect(try await stage.run(["copy", "--id", "--curl", "1"]).status == 2)
            #expect(stage.copied.count == 6)
        }
    }

    @Test func aProgramThatFailsIsReported() async throws {
        let folder = try Folder()
        func program(_ name: String, _ script: String) throws -> String {
            let path = "\(folder.path)/\(name)"
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return path
        }
        try await FileOpener(program: program("good", #"test "$1" = /x && test ! -t 0"#), patience: 60).open("/x")
        try await FileOpener(program: program("slow", "exec sleep 5"), patience: 0).open("/x")
        let failed = try program("bad", "exit 3")
        for (program, words) in [(failed, "found no program that opens /x"), ("/nowhere/open", "is not installed")] {
            let error = await #expect(throws: TransferError.self) {
                try await FileOpener(program: program, patience: 60).open("/x")
            }
            #expect(error?.message.contains(words) == true && error?.message.contains("/x") == true)
        }
    }
}
