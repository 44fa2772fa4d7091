// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

enum ServerKind: String, Sendable, CaseIterable { case nginx, fileq }

/// What one test has: a network, a folder, a server at ``Network/server`` and a file that it hands out at about 1 MB/s.
final class Stage: Sendable {
    static let rate = 1 << 20

    let network: Network
    let folder: TemporaryFolder
    let content: [UInt8]
    private let kind: ServerKind
    private let running: Program

    init(_ kind: ServerKind = .nginx, size: Int = 3 << 20) async throws {
        self.kind = kind
        (network, folder) = (try Network(), try TemporaryFolder())
        content = patternedBytes(size)
        let root = folder.file("root")
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
        // nginx runs as another user.
        chmod(folder.path, 0o755)
        chmod(root, 0o777)
        try folder.write(content, to: "root/file")
        let words: [String]
        switch kind {
        case .nginx:
            try folder.write(Array(Self.configuration(folder.path).utf8), to: "nginx.conf")
            let nginx = try #require(
                ["/usr/sbin/nginx", "/usr/bin/nginx"].first(where: FileManager.default.isExecutableFile),
                "nginx is not installed: assets/install-dependencies test installs it")
            words = network.server.words(
                for: nginx, ["-p", folder.path, "-e", folder.file("error.log"), "-c", folder.file("nginx.conf")])
        case .fileq:
            words = network.server.words(
                for: Program.built("fileq"), ["serve", root, "--host", "0.0.0.0", "--port", "80", "--no-sync"])
        }
        running = try Program(words, in: folder, name: "server")
        try await listens()
    }

    /// Until something answers from inside the server's own namespace.
    private func listens() async throws {
        let words = network.server.words(for: "/bin/sh", ["-c", "grep -q ':0050 .* 0A ' /proc/net/tcp /proc/net/tcp6"])
        for _ in 0..<200 {
            let probe = try Program(words, in: folder)
            if await probe.end(within: 10) == 0 { return }
            try #require(running.isRunning, "the server did not start: \(running.complaints)")
        }
        Issue.record("the server does not listen")
    }

    private static func configuration(_ folder: String) -> String {
        """
        daemon off; master_process off; pid \(folder)/nginx.pid; error_log \(folder)/error.log;
        events {}
        http {
          log_format reported '$request_method $status range="$http_range"';
          access_log \(folder)/access.log reported;
          client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fastcgi;
          uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi; client_max_body_size 0;
          server { listen 80; root \(folder)/root; location / { limit_rate \(rate); dav_methods PUT; } }
        }
        """
    }

    // MARK: Clients

    /// `fileq get` of the file to `got`, which has begun to arrive unless `waits` is false.
    func get(host: String = Network.server, _ options: [String] = [], waits: Bool = true) async throws -> Program {
        // A server without a limit of its own meets a client that has one.
        let limit = kind == .nginx ? [] : ["--limit", "1M"]
        let program = try start(["get", "--json", "-o", folder.file("got"), "http://\(host)/file"] + limit + options)
        if waits { try await moves(program, beyond: 100_000) }
        return program
    }

    /// `fileq put` of a file to the server's `sent`.
    func put() async throws -> Program {
        let file = try folder.write(content, to: "source")
        let program = try start(["put", "--json", "--limit", "1M", file, "http://\(Network.server)/sent"])
        try await moves(program, beyond: 100_000)
        return program
    }

    func start(_ arguments: [String]) throws -> Program {
        try Program(network.client.words(for: Program.built("fileq"), arguments), in: folder)
    }

    /// Waits until a count of its bytes above `bytes` has been reported.
    func moves(_ program: Program, beyond bytes: Int) async throws {
        let moved = await program.says { program.events.last.map { $0.bytes > bytes } ?? false }
        try #require(moved && program.isRunning, "it does not move: \(program.lines.suffix(3)) \(program.complaints)")
    }

    /// Until it says that it waits, and for what.
    func waits(
        _ program: Program, count: Int = 1, _ reason: String, location: SourceLocation = #_sourceLocation
    ) async throws {
        let waits = await program.says { program.waits.count >= count }
        try #require(
            waits && program.isRunning, "it does not wait: \(program.lines.suffix(3)) \(program.complaints)",
            sourceLocation: location)
        #expect(program.waits.last?.reason.contains(reason) ?? false, "\(program.waits)", sourceLocation: location)
    }

    /// Until the download has ended well: every byte right, none fetched twice beyond what was on its way.
    func arrives(_ program: Program, outages: Int, location: SourceLocation = #_sourceLocation) async throws {
        let code = await program.end(within: 60)
        #expect(code == 0, "\(program.summary)", sourceLocation: location)
        #expect(
            FileManager.default.contentsEqual(atPath: folder.file("got"), andPath: folder.file("root/file")),
            "other bytes", sourceLocation: location)
        let received = try #require(program.events.last?.received, "\(program.summary)", sourceLocation: location)
        #expect(
            received <= content.count + outages * 262_144, "\(received) bytes for \(content.count)",
            sourceLocation: location)
    }

    func sentArrives(_ program: Program, location: SourceLocation = #_sourceLocation) async throws {
        let code = await program.end(within: 90)
        #expect(code == 0, "\(program.summary)", sourceLocation: location)
        #expect(
            FileManager.default.contentsEqual(atPath: folder.file("root/sent"), andPath: folder.file("source")),
            "other bytes", sourceLocation: location)
    }
}
