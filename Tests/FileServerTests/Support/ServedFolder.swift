// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing

/// A server on a temporary folder, gone with the test.
final class ServedFolder {
    let base: URL
    var root: URL { base.appendingPathComponent("root") }
    /// For the test's own files.
    var scratch: URL { base.appendingPathComponent("scratch") }
    private(set) var server: RunningFileServer
    private let configuration: FileServerConfiguration

    private init(base: URL, configuration: FileServerConfiguration) async throws {
        self.base = base
        self.configuration = configuration
        server = try await RunningFileServer.start(configuration)
    }

    static func with(
        _ configure: (inout FileServerConfiguration, URL) async throws -> Void = { _, _ in },
        _ body: (ServedFolder) async throws -> Void
    ) async throws {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("fileserver-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: base.appendingPathComponent("root"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            at: base.appendingPathComponent("scratch"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: base) }
        var configuration = FileServerConfiguration(root: base.appendingPathComponent("root").path)
        configuration.limits.shutdownSeconds = 0.1
        configuration.limits.drainSeconds = 2
        try await configure(&configuration, base)
        let folder = try await ServedFolder(base: base, configuration: configuration)
        do {
            try await body(folder)
        } catch {
            await folder.server.stop()
            throw error
        }
        await folder.server.stop()
    }

    func restart() async throws {
        await server.stop()
        server = try await RunningFileServer.start(configuration)
    }

    func write(_ name: String, _ content: some DataProtocol) throws {
        let file = root.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content).write(to: file)
    }

    func write(_ name: String, _ content: String) throws { try write(name, Data(content.utf8)) }

    func content(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appendingPathComponent(name)), as: UTF8.self)
    }

    /// Everything below the root but the server's own folder, sorted.
    func tree() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { !$0.hasPrefix(".fileq-server") }
            .sorted()
    }

    func partials() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(".fileq-server/partial").path)
    }

    func issueSID() async throws -> String {
        struct Session: Decodable { var sid: String }
        let answer = try await curl("/session", "-X", "POST")
        #expect(answer.status == 201)
        return try JSONDecoder().decode(Session.self, from: answer.body).sid
    }
}

/// Asks again and again, for at most ten seconds.
func eventually(_ condition: () throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
        if try condition() { return true }
        await Task.yield()
    }
    return try condition()
}

/// Bytes that do not repeat within any block size that is a power of two.
func sampleBytes(_ count: Int) -> Data {
    var bytes = Data()
    bytes.reserveCapacity(count + sampleBlock.count)
    while bytes.count < count { bytes.append(sampleBlock) }
    return bytes.prefix(count)
}

private let sampleBlock: Data = {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    let words = (0..<12_501).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
    return words.withUnsafeBytes { Data($0.prefix(100_003)) }
}()
