// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferTesting

/// Connections that end, servers that end.
struct InterruptionTests {
    enum Ending: CaseIterable { case reset, halfClosed }

    @Test(arguments: ["Content-Length: 1000000", "Transfer-Encoding: chunked"], Ending.allCases)
    func interruptedUploadsLeaveNothing(framing: String, ending: Ending) async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("x", "old")
            let sid = try await folder.issueSID()
            for head in ["PUT /x", "PUT /new/y", "POST /upload"] {
                let raw = try RawConnection(port: folder.server.port)
                await raw.send(
                    "\(head) HTTP/1.1\r\nHost: localhost\r\nCookie: fileuploadSID=\(sid)\r\n\(framing)\r\n\r\n")
                await raw.send(framing.hasPrefix("T") ? "5\r\nhello\r\n" : "hello")
                #expect(try await eventually { try folder.partials().count == 1 })
                if ending == .reset { await raw.reset() } else { await raw.finishSending() }
                #expect(try await eventually { try folder.partials().isEmpty })
                if ending == .halfClosed { #expect(!(await raw.receive().hasPrefix("HTTP/1.1 2"))) }
            }
            #expect(try folder.tree() == ["x"])
            #expect(try folder.content("x") == "old")
        }
    }

    @Test func removesRemainsOfAKilledServer() async throws {
        try await ServedFolder.with({ _, base in
            let partial = base.appendingPathComponent("root/.fileq-server/partial")
            try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: true)
            try Data("half".utf8).write(to: partial.appendingPathComponent("0123"))
            let index = base.appendingPathComponent("root/.fileq-server/index")
            try FileManager.default.createDirectory(at: index, withIntermediateDirectories: true)
            let record =
                #"{"entityTag":"\"x\"","id":"gone","metadata":[],"name":"a","received":1,"sha256":"","size":1,"#
                + #""version":1}"#
            try Data(record.utf8).write(to: index.appendingPathComponent("gone.json"))
            try FileManager.default.createDirectory(
                at: base.appendingPathComponent("root/files/gone"),
                withIntermediateDirectories: true)
        }) { (folder) async throws in
            let (partials, tree) = (try folder.partials(), try folder.tree())
            #expect(partials.isEmpty)
            #expect(tree == ["files"])
            #expect(try await folder.curl("/files").text.hasPrefix("{\"files\":[]"))
        }
    }

    @Test func allowsOneServerPerFolder() async throws {
        try await ServedFolder.with { (folder) async throws in
            let error = await #expect(throws: StartError.self) {
                try await RunningFileServer.start(FileServerConfiguration(root: folder.root.path))
            }
            #expect(error?.message == "another server serves this folder")
        }
    }

    @Test func reportsStartErrors() async throws {
        await #expect(throws: StartError.self) {
            try await RunningFileServer.start(FileServerConfiguration(root: "/nonexistent/folder"))
        }
        try await ServedFolder.with { (folder) async throws in
            let other = folder.scratch.path
            var configuration = FileServerConfiguration(root: other, port: folder.server.port)
            var error = await #expect(throws: StartError.self) { try await RunningFileServer.start(configuration) }
            #expect(error?.message == "cannot listen on 127.0.0.1:\(folder.server.port): Address already in use")
            configuration.port = 0
            configuration.tls = .init(certificatePath: "/nonexistent", keyPath: "/nonexistent")
            error = await #expect(throws: StartError.self) { try await RunningFileServer.start(configuration) }
            #expect(error?.message == "/nonexistent is not a readable PEM file with certificates")
        }
    }

    @Test func runningRequestsFinishAtShutdown() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.shutdownSeconds = 30 }) {
            (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\none")
            #expect(try await eventually { try folder.partials().count == 1 })
            let server = folder.server
            let stopping = Task { await server.stop() }
            #expect(try await eventually { (try? RawConnection(port: server.port)) == nil })
            await raw.send("two")
            #expect(await raw.receive().hasPrefix("HTTP/1.1 201"))
            await stopping.value
            #expect(try folder.content("x") == "onetwo")
        }
    }

    @Test func endsOnASignal() async throws {
        try await ServedFolder.with { (folder) async throws in
            let server = try FileServer(configuration: FileServerConfiguration(root: folder.scratch.path))
            let caught = try await server.run(untilSignal: [SIGUSR1]) { _ in kill(getpid(), SIGUSR1) }
            #expect(caught == SIGUSR1)
        }
    }

    @Test func shutdownEndsHangingRequests() async throws {
        try await ServedFolder.with { (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\none")
            #expect(try await eventually { try folder.partials().count == 1 })
            await folder.server.stop()
            #expect(try folder.tree().isEmpty)
            #expect(try await eventually { try folder.partials().isEmpty })
        }
    }
}
