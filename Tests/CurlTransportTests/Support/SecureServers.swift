// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// The file server over TLS, on a folder of its own; gone with the test. Its connections stay open.
struct SecureFileServer {
    let certificate: TestCertificate
    let folder: TemporaryFolder
    private let server: RunningFileServer

    var port: Int { server.port }
    /// Names of what was stored.
    var stored: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("root"))) ?? []).filter {
            !$0.hasPrefix(".")
        }.sorted()
    }

    static func with(_ body: (SecureFileServer) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let certificate = try await TestCertificate.make(in: folder)
        try FileManager.default.createDirectory(atPath: folder.file("root"), withIntermediateDirectories: true)
        var configuration = FileServerConfiguration(root: folder.file("root"))
        configuration.tls = .init(certificatePath: certificate.path, keyPath: certificate.key)
        configuration.syncs = false
        configuration.limits.shutdownSeconds = 0.1
        configuration.limits.drainSeconds = 1
        let server = try await RunningFileServer.start(configuration)
        do {
            try await body(SecureFileServer(certificate: certificate, folder: folder, server: server))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// A `PUT` of a few bytes, by which nothing can pass unseen.
    func exchange(_ name: String, trust: TrustDemand = .system, trusted: Bool = true) throws -> Exchange {
        var exchange = Exchange(url: try TransferURL("https://127.0.0.1:\(port)/\(name)"), method: .put)
        exchange.body = .bytes(Array("hello".utf8))
        exchange.trust = trust
        if trusted { exchange.certificateAuthorities = certificate.path }
        return exchange
    }
}

/// `openssl s_server`: describes each connection in its response. One connection at a time, each for one request.
final class OpenSSLServer: Sendable {
    let port: Int
    private let process: ChildProcess
    private let output: String

    /// - Parameters:
    ///   - options: such as `-tls1_2`; with `-HTTP` it answers with files of the folder, head and body.
    ///   - input: a pipe: what is written to it is what it sends.
    init(
        _ certificate: TestCertificate, in folder: TemporaryFolder, _ options: [String] = [],
        input: ChildProcess.Stream = .null
    ) async throws {
        let isScripted = if case .pipe = input { true } else { options.contains("-HTTP") }
        let log = folder.file("s_server-\(UInt32.random(in: 0 ... .max)).log")
        let words =
            ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate.path, "-key", certificate.key]
            + (isScripted ? [] : ["-www"]) + options
        // The folder is where `-HTTP` looks for files.
        let process = try ChildProcess("openssl", words, folder: folder.path, input: input, output: .file(log))
        (self.process, output) = (process, log)
        // `ACCEPT 127.0.0.1:43211`
        var port: Int?
        _ = await eventually {
            let text = String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: log))) ?? Data(), as: UTF8.self)
            port = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") && text.contains("\n") }?
                .split(separator: ":").last.flatMap { Int($0) }
            return port != nil || !process.isRunning
        }
        guard let port else {
            process.send(SIGKILL)
            throw POSIXError(.EADDRINUSE)
        }
        self.port = port
    }

    deinit { process.send(SIGKILL) }

    func kill() { process.send(SIGKILL) }
    func write(_ text: String) throws { try process.write(text) }
    /// What it has printed, with what it received.
    var log: String { String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data(), as: UTF8.self) }

    func exchange(trusting certificate: TestCertificate, _ path: String = "") throws -> Exchange {
        var exchange = Exchange(url: try TransferURL("https://127.0.0.1:\(port)/\(path)"), method: .get)
        exchange.certificateAuthorities = certificate.path
        return exchange
    }
}

/// nginx with HTTP/2, which answers every request alike.
final class NginxServer: Sendable {
    static let path = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let port: Int
    private let process: ChildProcess

    init(_ certificate: TestCertificate, in folder: TemporaryFolder) async throws {
        let (file, pid) = (folder.file("nginx.conf"), folder.file("nginx.pid"))
        // Another program may take a free port before nginx does.
        for _ in 0..<5 {
            let port = try Self.freePort()
            try folder.write(
                Array(
                    """
                    daemon off; master_process off; pid \(pid); error_log \(folder.file("nginx.log")); events {}
                    http {
                      access_log off; client_body_temp_path \(folder.file("body")); proxy_temp_path \
                      \(folder.file("proxy"));
                      fastcgi_temp_path \(folder.file("fastcgi")); uwsgi_temp_path \(folder.file("uwsgi")); \
                      scgi_temp_path \(folder.file("scgi"));
                      server {
                        listen 127.0.0.1:\(port) ssl http2; ssl_certificate \(certificate.path); \
                        ssl_certificate_key \(certificate.key);
                        location / { return 200 "here"; }
                      }
                    }
                    """.utf8), to: "nginx.conf")
            let process = try ChildProcess(
                try #require(Self.path), ["-p", folder.path, "-e", folder.file("nginx.log"), "-c", file])
            // It writes its number once it listens.
            guard await eventually({ folder.exists("nginx.pid") || !process.isRunning }), process.isRunning else {
                continue
            }
            self.port = port
            self.process = process
            return
        }
        throw POSIXError(.EADDRINUSE)
    }

    deinit { process.send(SIGKILL) }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
