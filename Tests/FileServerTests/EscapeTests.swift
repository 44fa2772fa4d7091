// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferTesting

/// No way out of the root.
struct EscapeTests {
    @Test(arguments: [
        "/../secret", "/%2e%2e/secret", "/a/../../secret", "/%2e%2e%2fsecret", "/..%2fsecret", "//secret", "/./x",
        "/a//b",
        "/%2E%2E/%2E%2E/etc/passwd", "/..%5csecret", "/a%00b", "/%", "/%zz", "/a/%2e", "/.%2e/secret",
        "/%c0%ae%c0%ae/secret", "/\u{FF}/x", "/%2Fetc/passwd", "secret", "../secret", "file:///etc/passwd",
        "/.fileq-server/session-key", "/%2Efileq-server/session-key", "/.fileq-server/index/", "/link",
        "/linkdir/secret",
        "/linkdir/", "/looped/x", "http://x/../secret", "/linkdir%2fsecret",
    ])
    func requestLines(target: String) async throws {
        try await ServedFolder.with { (folder) async throws in
            let outside = folder.base.appendingPathComponent("secret")
            try Data("the secret".utf8).write(to: outside)
            let manager = FileManager.default
            for (name, target) in [
                ("link", "../secret"), ("linkdir", ".."), ("looped", "looped"), ("dangling", "../made"),
            ] {
                try manager.createSymbolicLink(
                    atPath: folder.root.appendingPathComponent(name).path, withDestinationPath: target)
            }
            for method in ["GET", "PUT"] {
                let raw = try RawConnection(port: folder.server.port)
                await raw.send(
                    "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                        + "3\r\n\r\nnew"
                )
                let answer = await raw.receive()
                #expect(!answer.contains("the secret"))
                // These two name files below the root: a backslash is a letter, and a scheme is taken off.
                let isHarmless = ["/..%5csecret", "file:///etc/passwd"].contains(target)
                #expect(
                    answer.hasPrefix("HTTP/1.1 4") || isHarmless && answer.hasPrefix("HTTP/1.1 201"),
                    "\(method): \(answer)")
            }
            #expect(try String(contentsOf: outside, encoding: .utf8) == "the secret")
            #expect(
                try manager.contentsOfDirectory(atPath: folder.base.path).sorted() == ["root", "scratch", "secret"])
        }
    }

    @Test func neitherFollowsNorReplacesLinks() async throws {
        try await ServedFolder.with { (folder) async throws in
            let manager = FileManager.default
            try Data("the secret".utf8).write(to: folder.base.appendingPathComponent("secret"))
            for (name, target) in [("link", "../secret"), ("dangling", "../made"), ("folder", "..")] {
                try manager.createSymbolicLink(
                    atPath: folder.root.appendingPathComponent(name).path, withDestinationPath: target)
            }
            for path in ["/link", "/dangling", "/folder/secret", "/folder/new"] {
                #expect(try await folder.put(path, "new").status == 409)
                #expect(try await folder.curl(path).status == 404)
            }
            #expect(!manager.fileExists(atPath: folder.base.appendingPathComponent("made").path))
            #expect(
                try manager.destinationOfSymbolicLink(atPath: folder.root.appendingPathComponent("link").path)
                    == "../secret")
            // Links made where uploads are kept lead nowhere either.
            let sid = try await folder.issueSID()
            try manager.createSymbolicLink(
                atPath: folder.root.appendingPathComponent("files").path, withDestinationPath: "..")
            #expect(try await folder.curl("/upload", "--data-binary", "x", "-b", "fileuploadSID=\(sid)").status == 409)
            #expect(
                try manager.contentsOfDirectory(atPath: folder.base.path).sorted() == ["root", "scratch", "secret"])
            #expect(try folder.partials().isEmpty)
        }
    }

    /// Of a server on a folder below, and what a file system without case takes for this server's own.
    @Test func workFoldersAreHiddenAtEveryDepth() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.listsHidden = true }) { (folder) async throws in
            for name in ["sub/.fileq-server/key", "sub/.FileQ-Server/key", ".FILEQ-SERVER/key"] {
                try folder.write(name, "the secret")
                #expect(try await folder.curl("/" + name).status == 404, "\(name)")
                #expect(try await folder.put("/" + name, "new").status == 404, "\(name)")
                let share = try await folder.curl("/files/share", "-X", "POST", "-H", "Share-Target: /\(name)")
                #expect(share.status == 404, "\(name)")
                #expect(try folder.content(name) == "the secret")
            }
            for path in ["/", "/sub/"] {
                #expect(!(try await folder.curl(path).text.lowercased().contains("fileq-server")))
            }
            #expect(try await folder.curl("/sub/.fileq-server/").status == 404)
        }
    }

    @Test func acceptsTheAbsoluteForm() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("x", "inside")
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("GET http://localhost/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(await raw.receive().hasSuffix("inside"))
        }
    }
}
