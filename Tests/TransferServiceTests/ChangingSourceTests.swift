// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// A source that changes during its upload: bytes of two versions are never joined and called complete.
@Suite(.timeLimit(.minutes(10))) struct ChangingSourceTests {
    enum Change: CaseIterable, Sendable {
        case shrinks, grows, vanishes, isReplaced, isRewritten, isRewrittenWithItsTime

        func apply(to path: String) {
            switch self {
            case .shrinks: truncate(path, 500_000)
            case .grows: Files.append(1000, to: path)
            case .vanishes: unlink(path)
            case .isReplaced:
                _ = try? Files.fill(path + ".new", Files.size(path), seed: 9)
                rename(path + ".new", path)
            case .isRewritten: Files.overwrite(path)
            case .isRewrittenWithItsTime: Files.overwriteKeepingTime(path)
            }
        }
    }

    enum Carrier: CaseIterable, Sendable {
        case plain, ietf, tus

        /// What `OPTIONS` announces.
        var announcement: [String] {
            switch self {
            case .plain: []
            case .ietf: ["Upload-Limit: min-size=0"]
            case .tus: ["Tus-Version: 1.0.0", "Tus-Extension: creation"]
            }
        }
    }

    /// More than the buffers of a connection hold.
    static let size = 16_000_000
    private static let part = 1_000_000

    @Test(arguments: Carrier.allCases, Change.allCases)
    func failsIfItChangesWhileItIsSent(_ carrier: Carrier, _ change: Change) async throws {
        let requests = try await upload(carrier) { path, connection, count in
            guard connection.readBody(Self.part).count == Self.part else { return false }
            change.apply(to: path)
            guard connection.readBody(count - Self.part).count == count - Self.part else { return false }
            connection.answer("201 Created", ["Upload-Offset: \(count)", "Upload-Complete: ?1"])
            return true
        }
        #expect(requests.count { $0.hasPrefix(carrier == .plain ? "PUT" : "PATCH") } == 1, "\(requests)")
    }

    @Test(arguments: [Carrier.ietf, .tus], Change.allCases)
    func failsIfItChangesBetweenTwoRequests(_ carrier: Carrier, _ change: Change) async throws {
        let requests = try await upload(carrier) { path, connection, _ in
            _ = connection.readBody(Self.part)
            change.apply(to: path)
            connection.reset()
            return false
        }
        #expect(requests.count { $0.hasPrefix("PATCH") } == 1, "\(requests)")
    }

    /// Uploads a file that does not stay as it is, and expects that to be the failure.
    /// - Parameter receive: takes the content; false if the connection has ended.
    /// - Returns: the requests.
    private func upload(
        _ carrier: Carrier, receive: @escaping @Sendable (String, ScriptedConnection, Int) -> Bool
    ) async throws -> [String] {
        let stage = try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.jitter = { 0 }
            return configuration
        }
        let path = try Files.fill(stage.folder.file("source"), Self.size)
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                switch head.prefix(while: { $0 != " " }) {
                case "OPTIONS": connection.answer("204 No Content", carrier.announcement)
                case "HEAD":
                    connection.send(
                        "HTTP/1.1 204 No Content\r\nUpload-Offset: \(Self.part)\r\nUpload-Complete: ?0\r\n\r\n")
                case "PUT" where carrier == .ietf, "POST": connection.answer("201 Created", ["Location: /u"])
                default:
                    let lines = head.lowercased().split(separator: "\r\n")
                    let length = lines.first { $0.hasPrefix("content-length: ") }?.dropFirst(16)
                    if lines.contains("expect: 100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                    guard receive(path, connection, length.flatMap { Int($0) } ?? 0) else { return }
                }
            }
        }
        // Otherwise the kernel takes the whole file at once.
        server.setReceiveBuffer(65_536)
        let upload = Upload(source: .file(path: path), form: .put, resumption: .auto)
        let result = try await stage.end(of: Spec(url: try TransferURL(server.url()), operation: .upload(upload)))
        #expect(result.state == .failed)
        #expect(result.error?.code == .cannotReadSource, "\(String(describing: result.error))")
        return server.requests
    }
}
