// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// The file that gets the name is the one that was received and checked, whatever becomes of its partial name
/// meanwhile.
@Suite(.timeLimit(.minutes(10))) struct PartialCheckTests {
    let stage: QueueStage

    init() throws { stage = try QueueStage() }

    private let bytes = patternedBytes(200_000)
    private let partial = "out.bin.fileq-part"

    /// Sends half of the body, and the rest when the gate is open.
    private func halting(_ gate: Counter) throws -> ScriptedServer {
        try ScriptedServer { [bytes] connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(Array(bytes[..<100_000]))
            _ = eventually { gate.count > 0 }
            connection.send(Array(bytes[100_000...]))
            connection.waitForClose()
        }
    }

    /// Adds a download, lets `meanwhile` happen when half of it is there, and waits for its end.
    private func end(
        _ change: (inout Spec, inout Download) -> Void = { _, _ in },
        _ meanwhile: () throws -> Void
    ) async throws -> Transfer {
        let gate = Counter()
        let server = try halting(gate)
        let ids = try await stage.queue.add(
            [
                stage.download(server.url()) { description, download in
                    description.options.retries = 0
                    change(&description, &download)
                }
            ], paused: false)
        try await stage.wait { $0[ids[0]]?.bytes == 100_000 }
        try meanwhile()
        gate.add()
        try await stage.wait { $0[ids[0]]?.state.isEnded == true }
        return try await stage.queue.snapshot().transfers[0]
    }

    @Test(arguments: [false, true]) func doesNotRenameAReplacedFile(_ overwrites: Bool) async throws {
        let result = try await end({ $1.overwrites = overwrites }) {
            try stage.folder.write([6, 6, 6], to: "other")
            #expect(rename(stage.folder.file("other"), stage.folder.file(partial)) == 0)
        }
        #expect(result.state == .failed)
        #expect(result.error?.message.contains("replaced") == true, "\(String(describing: result.error))")
        #expect(stage.folder.names == [partial], "neither a name nor a record that would be believed")
        #expect(try stage.folder.read(partial) == [6, 6, 6])
    }

    @Test func wrongChecksumDeletesNoOtherFile() async throws {
        let result = try await end({
            $1.checksum = Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 0, count: 32))
        }) {
            try stage.folder.write([6, 6, 6], to: "other")
            #expect(rename(stage.folder.file("other"), stage.folder.file(partial)) == 0)
        }
        #expect(result.state == .failed)
        #expect(stage.folder.names == [partial])
        #expect(try stage.folder.read(partial) == [6, 6, 6])
    }

    @Test func doesNotRenameAnExtendedFile() async throws {
        let result = try await end { Files.append(10, to: stage.folder.file(partial)) }
        #expect(result.error?.code == .partialFile, "\(String(describing: result.error))")
        #expect(!stage.folder.exists("out.bin"))
    }

    @Test func doesNotRenameALink() async throws {
        let result = try await end {
            try stage.folder.write([6], to: "other")
            #expect(unlink(stage.folder.file(partial)) == 0)
            #expect(symlink(stage.folder.file("other"), stage.folder.file(partial)) == 0)
        }
        #expect(result.state == .failed)
        #expect(!stage.folder.exists("out.bin"))
        #expect(try stage.folder.read("other") == [6])
    }

    @Test func doesNotRenameATruncatedFile() async throws {
        let result = try await end {
            #expect(truncate(stage.folder.file(partial), 1000) == 0)
        }
        #expect(result.state == .failed)
        #expect(result.error?.code == .partialFile)
        #expect(result.error?.message.contains("cut") == true, "\(String(describing: result.error))")
        #expect(stage.folder.names.isEmpty)
    }

    /// A body that is never over: what is noticed is noticed on the way.
    private func endless() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\n")
            let piece = Array("100000\r\n".utf8) + [UInt8](repeating: 7, count: 1 << 20) + [13, 10]
            for _ in 0..<2000 { connection.send(piece) }
            connection.waitForClose()
        }
    }

    @Test(arguments: ["deleted", "moved", "cut"]) func detectsChangesImmediately(_ what: String) async throws {
        let server = try endless()
        let description = try stage.download(server.url()) { description, _ in
            description.options.retries = 0
            description.options.rateLimit = 1_000_000
        }
        let ids = try await stage.queue.add([description], paused: false)
        try await stage.wait { $0[ids[0]]?.bytes ?? 0 > 0 || $0[ids[0]]?.state.isEnded == true }
        #expect(await eventually { stage.folder.exists(partial + ".json") })
        switch what {
        case "deleted": #expect(unlink(stage.folder.file(partial)) == 0)
        case "moved": #expect(rename(stage.folder.file(partial), stage.folder.file("elsewhere")) == 0)
        default: #expect(truncate(stage.folder.file(partial), 0) == 0)
        }
        try await stage.wait { $0[ids[0]]?.state.isEnded == true }
        let result = try await stage.queue.snapshot().transfers[0]
        #expect(result.state == .failed)
        #expect(
            result.error?.message.contains(what == "cut" ? "cut" : "deleted or moved") == true,
            "\(String(describing: result.error))")
        #expect(stage.folder.names == (what == "moved" ? ["elsewhere"] : []))
    }
}
