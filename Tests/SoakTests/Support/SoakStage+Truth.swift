// SPDX-License-Identifier: MIT

import Crypto
import Foundation
@testable import NetworkLab
import Testing
import TransferModel
import TransferTesting

/// What must be in the end.
extension SoakStage {
    /// What is in the files that downloads must not replace.
    static let old = "was here before\n"

    /// The lab's file, as a file to compare with.
    func wanted(size: Int, version: Int) throws -> String {
        let path = folder.file("wanted/\(size)-\(version)")
        guard !Files.exists(path) else { return path }
        let content = LabContent.lines(size: Int64(size), version: version)
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for start in stride(from: 0, to: Int64(size), by: 1 << 20) {
            try file.write(contentsOf: Data(content.bytes(in: start..<min(Int64(size), start + 1 << 20))))
        }
        try file.close()
        return path
    }

    func wantedSum(size: Int, version: Int) throws -> String {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: wanted(size: size, version: version)))
        return SHA256.hash(data: bytes).map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }
            .joined()
    }

    /// Holds the queue against what was asked of it: each item is there once, under an id of its own, in its state.
    func expectStates(_ items: [SoakItem], _ listed: [Listed]) {
        #expect(Set(listed.map(\.id)).count == listed.count, "an id twice")
        let found = Dictionary(grouping: listed, by: \.name)
        #expect(Set(found.keys).subtracting(items.map(\.name)) == [], "not requested")
        for item in items {
            let own = found[item.name] ?? []
            #expect(own.count == 1, "\(item.name) is there \(own.count) times: \(own)")
            guard let one = own.first else { continue }
            #expect(one.state == item.end.state, "\(item.name): \(one)")
            #expect(one.kind == (item.isUpload ? "upload" : "download"), "\(one)")
            if case .failed(let code) = item.end { #expect(one.code == code, "\(item.name): \(one)") }
        }
    }

    /// Holds the folder of downloads against what was asked for: files byte for byte, and nothing beside them.
    func expectFiles(_ items: [SoakItem]) throws {
        var allowed: Set<String> = []
        for item in items where !item.isUpload {
            let path = "\(here)/\(item.name)"
            switch (item.kind, item.end) {
            case (.download(let size, let version), .completed):
                #expect(
                    try Files.same(path, wanted(size: size, version: version)),
                    "\(item.name) is not what the server has")
                allowed.insert(item.name)
            case (.hopeless, .failed(23)):
                #expect(FileManager.default.contents(atPath: path) == Data(Self.old.utf8), "\(item.name) was replaced")
                allowed.insert(item.name)
            case (_, .cancelled(deletesPartial: false)), (_, .paused):
                // The second file: the service was killed after the first bytes of the first one, before their record.
                for part in ["\(item.name).fileq-part", "\(item.name).fileq-part-new"] {
                    allowed.formUnion([part, "\(part).json"])
                }
            default: break
            }
        }
        let left = Set(names(in: here)).subtracting(allowed)
        let ends = items.filter { item in left.contains { $0.hasPrefix("\(item.name).") } }
            .map { "\($0.name): \($0.end)" }
        #expect(left == [], "left over: \(ends)")
        #expect(names(in: folder.file("tmp")) == [], "left over in the folder for temporary files")
    }

    /// Holds the server against what was sent: each upload there once, byte for byte, and nothing beside them.
    func expectUploads(_ items: [SoakItem]) async throws {
        let stored = Dictionary(grouping: try await server.uploads(), by: \.name)
        let fileQ = items.filter { $0.kind == .fileQ && $0.end == .completed }
        for item in fileQ {
            let own = stored[item.name] ?? []
            #expect(own.count == 1, "\(item.name) is stored \(own.count) times")
            for entry in own {
                #expect(Files.same(server.path(of: entry), source(item.name)), "\(item.name) arrived otherwise")
            }
        }
        #expect(Set(stored.keys) == Set(fileQ.map(\.name)), "other uploads than were sent")
        let plain = items.filter { $0.kind == .put && $0.end == .completed }.map(\.name)
        for name in plain {
            #expect(Files.same("\(server.root)/plain/\(name)", source(name)), "\(name) arrived otherwise")
        }
        #expect(names(in: "\(server.root)/plain") == plain.sorted(), "other files than were sent")
    }

    /// Holds the history against the queue: what has ended is there once, in the same state.
    func expectHistory(_ listed: [Listed]) async throws {
        let entries = try await done(["history", "--json"]).lines.map { try Listed(line: $0) }
        #expect(Set(entries.map(\.id)).count == entries.count, "an id twice in the history")
        let ended = Set(listed.filter(\.hasEnded).map { "\($0.id) \($0.name) \($0.state)" })
        let reported = Set(entries.map { "\($0.id) \($0.name) \($0.state)" })
        #expect(ended.symmetricDifference(reported) == [], "the history is another one than the queue's")
    }
}
