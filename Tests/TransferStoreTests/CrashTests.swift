// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferModel
@testable import TransferStore
import TransferTesting

/// A process that is killed while it changes a store, at any moment: confirmed commits survive.
@Suite struct CrashTests {
    /// Beside the test bundle, wherever that was built.
    private static let probe: String = {
        let bundle =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let named = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? bundle
        return URL(filePath: named).deletingLastPathComponent().appending(path: "StoreProbe").path
    }()

    private func start(_ fixture: StoreFixture, output: String) throws -> ChildProcess {
        try ChildProcess(Self.probe, ["write", fixture.folder.path], output: .file(output), errors: .file(output))
    }

    private func lines(_ path: String) -> [[Substring]] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        // A last line without its end was never said.
        return text.prefix(upTo: text.lastIndex(of: "\n") ?? text.startIndex).split(separator: "\n").map {
            $0.split(separator: " ")
        }
    }

    @Test func survivesSIGKILL() async throws {
        let fixture = try StoreFixture()
        let outputs = try TemporaryFolder()
        var said: [[Substring]] = []
        for round in 0..<6 {
            let output = outputs.file("\(round)")
            let process = try start(fixture, output: output)
            let enough = Int.random(in: 1...200)
            // The last one has come far enough for ends to be said.
            #expect(
                await eventually {
                    let lines = lines(output)
                    return lines.count > enough && (round < 5 || lines.contains { $0.first == "ended" })
                        || !process.isRunning
                })
            #expect(process.isRunning, "\(lines(output))")
            process.send(SIGKILL)
            #expect(await eventually { !process.isRunning })
            said += lines(output)
            let store = try fixture.open()
            #expect(store.report == StoreReport())
            try compare(store, said)
        }
    }

    private func compare(_ store: TransferStore, _ said: [[Substring]]) throws {
        func ids(_ word: Substring) -> [Int] {
            said.filter { $0.first == word && $0.count > 1 }.compactMap { Int($0[1]) }
        }
        let (removing, removed) = (Set(ids("removing")), Set(ids("removed")))
        let found = try Dictionary(
            uniqueKeysWithValues: (store.unfinished() + store.history(limit: .max)).map { ($0.id.rawValue, $0) })
        #expect(!said.contains { $0.first == "failure" })
        let added = ids("added")
        #expect(Set(added).count == added.count)
        for id in added where !removing.contains(id) {
            #expect(found[id] != nil, "\(id) was added")
            let cookies = try store.description(of: TransferID(rawValue: id)).options.cookies
            #expect(cookies.first?.value.hasPrefix("value-") == true)
        }
        for id in removed { #expect(found[id] == nil, "\(id) was removed") }
        let events = Set(
            try store.events(of: "probe", limit: .max).map { Int(String(decoding: $0.payload, as: UTF8.self)) })
        for id in ids("ended") {
            #expect(events.contains(id), "the end of \(id) must be reported")
            guard !removing.contains(id) else { continue }
            #expect(found[id]?.state == .failed)
            #expect(found[id]?.bytes == 5000)
            #expect(try store.attempts(of: TransferID(rawValue: id)).count == 1)
        }
    }

    @Test func namesTheHolderToOtherProcesses() async throws {
        let fixture = try StoreFixture()
        let outputs = try TemporaryFolder()
        let output = outputs.file("0")
        let process = try start(fixture, output: output)
        #expect(await eventually { !lines(output).isEmpty })
        let error = #expect(throws: TransferError.self) { try fixture.open() }
        #expect(error?.message.contains("process \(process.pid)") == true)
        process.send(SIGKILL)
        #expect(await eventually { !process.isRunning })
        _ = try fixture.open()
    }
}
