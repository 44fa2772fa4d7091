// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Glibc
import Testing
import TransferModel
import TransferTesting

/// Connections that break, servers that are killed, disks that are full.
struct UploadRecoveryTests {
    private func begin(
        _ folder: ServedFolder, _ location: String, at offset: Int = 0, _ content: String, of length: Int
    )
        async throws -> RawConnection
    {
        let raw = try RawConnection(port: folder.server.port)
        await raw.send(
            "PATCH \(location) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/partial-upload\r\n"
                + "Upload-Offset: \(offset)\r\nUpload-Complete: ?1\r\nContent-Length: \(length)\r\n"
                + "Expect: 100-continue\r\n\r\n")
        // The server receives this append from here on.
        #expect(await raw.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
        await raw.send(content)
        return raw
    }

    private func file(_ folder: ServedFolder, _ location: String) -> URL {
        folder.root.appendingPathComponent(
            ".fileq-server/uploads/" + location.dropFirst("/files/".count))
    }

    private func offset(_ folder: ServedFolder, _ location: String) async throws -> Int? {
        try await folder.state(location).headers["upload-offset"].flatMap { Int($0) }
    }

    @Test(arguments: ["Content-Length: 1000000", "Transfer-Encoding: chunked"], InterruptionTests.Ending.allCases)
    func aBrokenConnectionLosesNoByte(framing: String, ending: InterruptionTests.Ending) async throws {
        try await ServedFolder.with { (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            await raw.send(
                "PUT /x HTTP/1.1\r\nHost: localhost\r\nUpload-Complete: ?1\r\nUpload-Draft-Interop-Version: 8\r\n"
                    + "\(framing)\r\n\r\n")
            let head = await raw.receive(until: "\r\n\r\n")
            let location = try #require(head.firstMatch(of: /Location: (\S+)/).map { String($0.1) })
            await raw.send(framing.hasPrefix("T") ? "5\r\nhello\r\n" : "hello")
            if ending == .reset { await raw.reset() } else { await raw.finishSending() }
            if ending == .halfClosed { #expect(!(await raw.receive().hasPrefix("HTTP/1.1 2"))) }
            let state = try await folder.state(location)
            #expect(state.headers["upload-offset"] == (ending == .reset ? state.headers["upload-offset"] : "5"))
            #expect(state.headers["upload-complete"] == "?0")
            #expect(try folder.tree().isEmpty)
            let offset = try #require(try await self.offset(folder, location))
            if framing.hasPrefix("T") {
                #expect(try await folder.append(location, at: Int64(offset), " world", complete: true).status == 201)
            } else {
                // That is too short for the length that the creation stated.
                #expect(try await folder.append(location, at: Int64(offset), " world", complete: true).status == 400)
            }
        }
    }

    /// The old connection hangs: it is closed first, and what it sent before counts.
    @Test func aSecondAppendTakesOver() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create("/files", "Upload-Length: 9")
            let hanging = try await begin(folder, location, "one", of: 9)
            let position = try #require(try await offset(folder, location))
            #expect(position == 0 || position == 3)
            let rest = String("onetwo333".dropFirst(position))
            #expect(try await folder.append(location, at: Int64(position), rest, complete: true).status == 201)
            #expect(await hanging.receive().isEmpty)
            #expect(try await folder.curl(location + "/upload").text == "onetwo333")
        }
    }

    @Test func manyConnectionsAtOnceMixNoBytes() async throws {
        try await ServedFolder.with { (folder) async throws in
            let bytes = sampleBytes(3_000_000)
            let location = try await folder.create("/files", "Upload-Length: \(bytes.count)")
            var connections: [RawConnection] = []
            while true {
                let position = try #require(try await offset(folder, location))
                if position == bytes.count { break }
                let raw = try await begin(folder, location, at: position, "", of: bytes.count - position)
                // More each time, and never to the end but in the last.
                let end = connections.count == 8 ? bytes.count : min(bytes.count - 1, position + 400_000)
                await raw.send(bytes[position..<end])
                connections.append(raw)
                if end == bytes.count { #expect(await raw.receive(until: "\r\n\r\n").contains("201")) }
            }
            let stored = try await folder.curl(location + "/upload")
            #expect(stored.body == bytes)
        }
    }

    /// To the stored bytes of an upload, which its server does not see.
    private func append(_ bytes: Data, behindTheServer folder: ServedFolder, _ location: String) throws {
        let handle = try FileHandle(forWritingTo: file(folder, location))
        try handle.seekToEnd()
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    /// What is on disk after kill -9: bytes beyond the mark, written in this boot.
    @Test func bytesOfAKilledServerCount() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create("/files", "Upload-Length: 9")
            #expect(try await folder.append(location, at: 0, "one", complete: false).status == 204)
            await folder.server.stop()
            try append(Data("two".utf8), behindTheServer: folder, location)
            try await folder.restart()
            #expect(try await offset(folder, location) == 6)
            #expect(try await folder.append(location, at: 6, "333", complete: true).status == 201)
            let stored = try await folder.curl(location + "/upload")
            // The digest was computed again, as the server had not seen all bytes.
            #expect(stored.text == "onetwo333")
            let listing = try JSONDecoder().decode(FileQListing.self, from: try await folder.curl("/files").body)
            #expect(listing.files.first?.sha256 == "637c0c156475db6b5fbc07ac478aebbceacb471f605d1908e2bdf50b39731eb4")
        }
    }

    /// After a power cut, bytes that were not synced may be zeros.
    @Test func onlySyncedBytesCountAfterAReboot() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create("/files", "Upload-Length: 9")
            #expect(try await folder.append(location, at: 0, "one", complete: false).status == 204)
            await folder.server.stop()
            let state = file(folder, location).appendingPathExtension("json")
            let text = try String(contentsOf: state, encoding: .utf8)
            let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(text.contains(boot))
            try Data(text.replacingOccurrences(of: boot, with: "another").utf8).write(to: state)
            try append(Data([0, 0, 0]), behindTheServer: folder, location)
            try await folder.restart()
            #expect(try await offset(folder, location) == 3)
            #expect(try await folder.append(location, at: 3, "two333", complete: true).status == 201)
            #expect(try await folder.curl(location + "/upload").text == "onetwo333")
            // Fewer bytes than were promised: the upload is gone rather than wrong.
            let lost = try await folder.create("/files", "Upload-Length: 9")
            #expect(try await folder.append(lost, at: 0, "one", complete: false).status == 204)
            await folder.server.stop()
            try Data("o".utf8).write(to: file(folder, lost))
            let other = file(folder, lost).appendingPathExtension("json")
            try Data(
                try String(contentsOf: other, encoding: .utf8).replacingOccurrences(of: boot, with: "another").utf8
            )
            .write(to: other)
            try await folder.restart()
            #expect(try await folder.state(lost).status == 404)
        }
    }

    /// Linux reports bytes that could not be written to one sync: the next succeeds without them.
    @Test func bytesThatASyncHasLostDoNotCount() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create("/files", "Upload-Length: 9")
            #expect(try await folder.append(location, at: 0, "one", complete: false).status == 204)
            let raw = try await begin(folder, location, at: 3, "two", of: 6)
            let ending: String = "/uploads/" + location.dropFirst("/files/".count)
            let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            let descriptor = numbers.compactMap { Int32($0) }.first { number in
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return path?.hasSuffix(ending) == true
            }
            let open = try #require(descriptor)
            let nowhere = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
            #expect(dup2(nowhere, open) == open)
            close(nowhere)
            await raw.reset()
            let state = try await folder.state(location)
            #expect([404, 410].contains(state.status))
            #expect(!FileManager.default.fileExists(atPath: file(folder, location).path))
            try await folder.restart()
            #expect(try await folder.state(location).status == state.status)
        }
    }

    /// Killed between the rename and its record.
    @Test(arguments: [true, false]) func aPlacedFileIsNotStoredAgain(isRenamed: Bool) async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create("/", "Upload-Length: 3", "Content-Disposition: a; filename=x")
            let placed = try await folder.append(location, at: 0, "one", complete: true)
            #expect(placed.status == 201)
            await folder.server.stop()
            let state = file(folder, location).appendingPathExtension("json")
            let text = try String(contentsOf: state, encoding: .utf8)
            #expect(text.contains("\"complete\":{"))
            try Data(text.replacingOccurrences(of: "\"complete\":{", with: "\"placing\":{").utf8).write(to: state)
            let stored = folder.root.appendingPathComponent("x")
            if !isRenamed { try FileManager.default.moveItem(at: stored, to: file(folder, location)) }
            try await folder.restart()
            let found = try await folder.state(location)
            #expect(found.headers["upload-offset"] == "3")
            #expect(found.headers["upload-complete"] == (isRenamed ? "?1" : "?0"))
            let end = try await folder.append(location, at: 3, "", complete: true)
            #expect(end.status == 201 && end.headers["location"] == "/x")
            #expect(try folder.content("x") == "one")
            #expect(try folder.unfinished().count == 1)
        }
    }

    /// Only a missing name means that the file was renamed: whatever else keeps it from being read passes.
    @Test func whatCannotBeReadIsNotRemoved() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create("/", "Upload-Length: 3", "Content-Disposition: a; filename=x")
            #expect(try await folder.append(location, at: 0, "one", complete: true).status == 201)
            await folder.server.stop()
            let (part, state) = (file(folder, location), file(folder, location).appendingPathExtension("json"))
            let text = try String(contentsOf: state, encoding: .utf8)
            try Data(text.replacingOccurrences(of: "\"complete\":{", with: "\"placing\":{").utf8).write(to: state)
            // Something that cannot be opened as a file.
            try FileManager.default.createDirectory(at: part, withIntermediateDirectories: false)
            try await folder.restart()
            #expect(try await folder.state(location).headers["upload-complete"] != "?1")
            await folder.server.stop()
            #expect(FileManager.default.fileExists(atPath: state.path))
            try FileManager.default.removeItem(at: part)
            try FileManager.default.moveItem(at: folder.root.appendingPathComponent("x"), to: part)
            try await folder.restart()
            #expect(try await folder.append(location, at: 3, "", complete: true).status == 201)
            #expect(try folder.content("x") == "one")
        }
    }

    /// A client of tus takes an offset at the end for success.
    @Test func tusFindsNoUnplacedFileAtTheEnd() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.createTus("/", "Upload-Length: 3", "Upload-Metadata: filename eA==")
            await folder.server.stop()
            try Data("one".utf8).write(to: file(folder, location))
            try await folder.restart()
            let state = try await folder.state(location, "Tus-Resumable: 1.0.0")
            #expect(state.headers["upload-offset"] == "3")
            #expect(try folder.content("x") == "one")
        }
    }

    /// Killed while it was copied: no response has named it.
    @Test func aRestartRemovesAnInterruptedConcatenation() async throws {
        try await ServedFolder.with { (folder) async throws in
            let part = try await folder.createTus("/files", "Upload-Concat: partial", "Upload-Length: 3")
            #expect(try await folder.appendTus(part, at: "0", "one").status == 204)
            let whole = try await folder.createTus(
                "/", "Upload-Concat: final;\(part)", "Upload-Metadata: filename eA==")
            await folder.server.stop()
            let state = file(folder, whole).appendingPathExtension("json")
            let complete = try String(contentsOf: state, encoding: .utf8)
            let open = complete.replacing(/"phase":\{"complete":\{"_0":\{[^}]*\}\}\}/, with: #""phase":{"open":{}}"#)
            #expect(open != complete)
            try Data(open.utf8).write(to: state)
            try Data("on".utf8).write(to: file(folder, whole))
            try await folder.restart()
            #expect(try folder.unfinished().isEmpty)
        }
    }

    /// Killed while it was copied, or before its parts were removed: the client repeats its request, as the state of
    /// the parts allows or their absence requires, and the file is stored once.
    @Test(arguments: [false, true]) func anInterruptedConcatenationIsRepeated(isPlaced: Bool) async throws {
        try await ServedFolder.with { (folder) async throws in
            let part = try await folder.createTus("/files", "Upload-Concat: partial", "Upload-Length: 3")
            #expect(try await folder.appendTus(part, at: "0", "one").status == 204)
            await folder.server.stop()
            let files = [file(folder, part), file(folder, part).appendingPathExtension("json")]
            let kept = try files.map { try Data(contentsOf: $0) }
            try await folder.restart()
            let fields = ["Upload-Concat: final;\(part)", "Upload-Metadata: filename eA=="]
            let whole = try await folder.createTus("/", fields[0], fields[1])
            #expect(try await folder.state(part, "Tus-Resumable: 1.0.0").status == 404)
            await folder.server.stop()
            for (file, content) in zip(files, kept) { try content.write(to: file) }
            if !isPlaced {
                try FileManager.default.removeItem(at: folder.root.appendingPathComponent("x"))
                let state = file(folder, whole).appendingPathExtension("json")
                let complete = try String(contentsOf: state, encoding: .utf8)
                let phase = /"phase":\{"complete":\{"_0":\{[^}]*\}\}\}/
                let open = complete.replacing(phase, with: #""phase":{"open":{}}"#)
                #expect(open != complete)
                try Data(open.utf8).write(to: state)
                try Data("on".utf8).write(to: file(folder, whole))
            }
            try await folder.restart()
            let state = try await folder.state(part, "Tus-Resumable: 1.0.0")
            if isPlaced {
                // A part that outlived the response would be joined to a second file.
                #expect(try state.status == 404 && !folder.unfinished().contains { part.hasSuffix($0) })
            } else {
                #expect(state.status == 200 && state.headers["upload-offset"] == "3")
                #expect(state.headers["tus-extension"]?.contains("fileq-concatenation-repeatable") == true)
            }
            let repeated = try await folder.createTus("/", fields[0], fields[1])
            #expect((repeated == whole) == isPlaced)
            #expect(try folder.content("x") == "one" && folder.tree() == ["x"])
        }
    }

    @Test func unverifiedBytesOfAKilledServerDoNotCount() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.createTus("/files", "Upload-Length: 9")
            let raw = try RawConnection(port: folder.server.port)
            await raw.send(
                "PATCH \(location) HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\n"
                    + "Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\n"
                    + "Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=\r\nContent-Length: 9\r\n\r\none")
            let state = file(folder, location).appendingPathExtension("json")
            #expect(try await eventually { try String(contentsOf: state, encoding: .utf8).contains(" -\n") })
            #expect(try await folder.state(location, "Tus-Resumable: 1.0.0").headers["upload-offset"] == "0")
            #expect(try String(contentsOf: state, encoding: .utf8).contains(" +\n"))
            #expect(try Data(contentsOf: file(folder, location)).isEmpty)
            await folder.server.stop()
            // As if killed in the middle.
            let text = try String(contentsOf: state, encoding: .utf8)
            try Data(text.replacingOccurrences(of: " +\n", with: " -\n").utf8).write(to: state)
            try Data("one".utf8).write(to: file(folder, location))
            try await folder.restart()
            #expect(try await folder.state(location, "Tus-Resumable: 1.0.0").headers["upload-offset"] == "0")
        }
    }

    @Test func damagedAndUnknownFilesAreRemoved() async throws {
        try await ServedFolder.with({ _, base in
            let uploads = base.appendingPathComponent("root/.fileq-server/uploads")
            try FileManager.default.createDirectory(at: uploads, withIntermediateDirectories: true)
            for (name, text) in [
                ("0123456789abcdef0123456789abcdef", "half"), ("0123456789abcdef0123456789abcdef.json", "{}"),
                ("ffff.json", "00000000000000000001 +\n{\"version\":99}"), ("1111", "orphan"),
            ] {
                try Data(text.utf8).write(to: uploads.appendingPathComponent(name))
            }
        }) { (folder) async throws in
            #expect(try folder.unfinished().isEmpty)
        }
    }

    @Test func filesArePrivateUntilComplete() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create("/", "Content-Disposition: a; filename=x")
            #expect(try await folder.append(location, at: 0, "one", complete: false).status == 204)
            func mode(_ url: URL) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            }
            #expect(try mode(file(folder, location)) == 0o600)
            #expect(try mode(file(folder, location).appendingPathExtension("json")) == 0o600)
            #expect(try await folder.append(location, at: 3, "two", complete: true).status == 201)
            #expect(try await folder.put("/y", "y").status == 201)
            let root = folder.root
            #expect(try mode(root.appendingPathComponent("x")) == mode(root.appendingPathComponent("y")))
        }
    }

    @Test func expiredUploadsAreRemoved() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.uploadLifetimeSeconds = 0.5 }) {
            (folder) async throws in
            let location = try await folder.create()
            let deadline = ContinuousClock.now + .seconds(20)
            while ContinuousClock.now < deadline, try await folder.state(location).status == 204 {}
            #expect(try await folder.state(location).status == 410)
            try await folder.restart()
            #expect(try await folder.state(location).status == 404)
            #expect(try folder.unfinished().isEmpty)
        }
    }

    @Test func quotasAreKept() async throws {
        try await ServedFolder.with({ configuration, _ in
            configuration.limits.uploadBytes = 100
            configuration.limits.unfinishedBytes = 150
            configuration.limits.unfinishedUploads = 3
        }) { (folder) async throws in
            let first = try await folder.createTus("/files", "Upload-Length: 100")
            let tooMuch = try await folder.curl(
                "/files", "-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H", "Upload-Length: 51")
            #expect(tooMuch.status == 507)
            let large = try await folder.curl(
                "/files", "-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H", "Upload-Length: 101")
            #expect(large.status == 413)
            let deferred = try await folder.createTus("/files", "Upload-Defer-Length: 1")
            #expect(try await folder.appendTus(deferred, at: "0", "x", "Upload-Length: 51").status == 507)
            #expect(try await folder.appendTus(deferred, at: "0", "x", "Upload-Length: 50").status == 204)
            _ = try await folder.createTus("/files", "Upload-Defer-Length: 1")
            let fourth = try await folder.curl(
                "/files", "-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H", "Upload-Defer-Length: 1")
            #expect(fourth.status == 503 && fourth.headers["retry-after"] != nil)
            #expect(try await folder.curl(first, "-X", "DELETE").status == 204)
            _ = try await folder.createTus("/files", "Upload-Length: 100")
        }
    }

    /// On a file system of its own, which needs root.
    @Test(.enabled(if: SmallFileSystem.isAvailable)) func aFullDiskEndsTheAppendAndNotTheUpload() async throws {
        var small: SmallFileSystem?
        try await ServedFolder.with({ _, base in
            small = try SmallFileSystem(at: base.appendingPathComponent("root").path, megabytes: 4)
        }) { (folder) async throws in
            defer { small?.detach() }
            let declared = try await folder.curl(
                "/x", "-T", "-", "-H", "Upload-Complete: ?1", "-H", "Upload-Draft-Interop-Version: 8", "-H",
                "Content-Length: 5000000", "-H", "Transfer-Encoding:", "-H", "Expect: 100-continue",
                input: sampleBytes(5_000_000))
            #expect(declared.status == 507)
            try folder.write("filler", sampleBytes(2_000_000))
            let location = try await folder.create("/", "Content-Disposition: a; filename=x")
            let bytes = sampleBytes(3_000_000)
            let fields = [
                "-X", "PATCH", "-T", "-", "-H", "Content-Type: application/partial-upload", "-H", "Upload-Complete: ?1",
            ]
            let full = try await folder.curl(location, fields + ["-H", "Upload-Offset: 0"], input: bytes)
            #expect(full.status == 507 && full.headers["upload-complete"] == "?0")
            let position = try #require(try await offset(folder, location))
            #expect(full.headers["upload-offset"] == String(position) && position < bytes.count)
            try FileManager.default.removeItem(at: folder.root.appendingPathComponent("filler"))
            let rest = try await folder.curl(
                location, fields + ["-H", "Upload-Offset: \(position)"], input: Data(bytes.dropFirst(position)))
            #expect(rest.status == 201)
            #expect(try Data(contentsOf: folder.root.appendingPathComponent("x")) == bytes)
            await folder.server.stop()
        }
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable)) func aRestartOnAFullDiskKeepsUploads() async throws {
        var small: SmallFileSystem?
        try await ServedFolder.with({ _, base in
            small = try SmallFileSystem(at: base.appendingPathComponent("root").path, megabytes: 4)
        }) { (folder) async throws in
            defer { small?.detach() }
            let location = try await folder.create("/files", "Upload-Length: 9")
            #expect(try await folder.append(location, at: 0, "one", complete: false).status == 204)
            await folder.server.stop()
            try append(Data("two".utf8), behindTheServer: folder, location)
            let filler = folder.root.appendingPathComponent("filler").path
            let descriptor = Glibc.open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            let zeros = [UInt8](repeating: 0, count: 4096)
            while write(descriptor, zeros, zeros.count) > 0 {}
            #expect(errno == ENOSPC)
            close(descriptor)
            try await folder.restart()
            #expect(try await offset(folder, location) == 6)
            #expect(unlink(filler) == 0)
            #expect(try await folder.append(location, at: 6, "333", complete: true).status == 201)
            #expect(try await folder.curl(location + "/upload").text == "onetwo333")
            await folder.server.stop()
        }
    }
}

/// A file system of a few megabytes.
private struct SmallFileSystem: Sendable {
    let path: String

    static let isAvailable: Bool = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("small-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        guard let small = try? SmallFileSystem(at: folder.path, megabytes: 1) else { return false }
        small.detach()
        return true
    }()

    init(at path: String, megabytes: Int) throws {
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
        }
        self.path = path
    }

    func detach() { umount2(path, Int32(MNT_DETACH)) }
}
