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
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("root"))) ?? []).filter { !$0.hasPrefix(".") }.sorted()
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

/// `openssl s_server`: tells of each connection in its answer. One connection at a time, each for one request.
final class OpenSSLServer {
    let port: Int
    private let process: Process

    /// - Parameter options: such as `-tls1_2`.
    init(_ certificate: TestCertificate, in folder: TemporaryFolder, _ options: [String] = []) async throws {
        let log = folder.file("s_server-\(UInt32.random(in: 0 ... .max)).log")
        try Data().write(to: URL(fileURLWithPath: log))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificate.path, "-key", certificate.key]
            + options
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        // `ACCEPT 127.0.0.1:43211`
        var port: Int?
        _ = try await eventually {
            let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self)
            port = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") && text.contains("\n") }?
                .split(separator: ":").last.flatMap { Int($0) }
            return port != nil || !process.isRunning
        }
        guard let port else {
            process.terminate()
            throw POSIXError(.EADDRINUSE)
        }
        self.port = port
    }

    deinit { process.terminate() }

    func exchange(trusting certificate: TestCertificate) throws -> Exchange {
        var exchange = Exchange(url: try TransferURL("https://127.0.0.1:\(port)/"), method: .get)
        exchange.certificateAuthorities = certificate.path
        return exchange
    }
}
