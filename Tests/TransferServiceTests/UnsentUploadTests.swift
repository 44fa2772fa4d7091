// SPDX-License-Identifier: MIT

import CurlTransport
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Servers that confirm what they never received: no upload is complete that was not sent.
@Suite(.timeLimit(.minutes(10))) struct UnsentUploadTests {
    private let stage: QueueStage
    /// More than the buffers of a connection hold.
    private static let size = 32_000_000

    init() throws {
        stage = try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.jitter = { 0 }
            return configuration
        }
    }

    @Test(arguments: [(UploadResumption.tus, 32_000_000), (.tus, 20_000_000), (.ietf, 32_000_000), (.ietf, 20_000_000)])
    func aBrokenRequestConfirmsNothingBeyondIt(_ resumption: UploadResumption, _ offset: Int) async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                switch head.prefix(while: { $0 != " " }) {
                case "OPTIONS": connection.answer("204 No Content", ["Upload-Limit: min-size=0"])
                case "POST", "PUT": connection.answer("201 Created", ["Location: /u"])
                case "HEAD":
                    let complete = offset == Self.size ? "?1" : "?0"
                    connection.answer("200 OK", ["Upload-Offset: \(offset)", "Upload-Complete: \(complete)"])
                case "PATCH":
                    if head.lowercased().contains("expect:") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                    _ = connection.readBody(100_000)
                    return connection.reset()
                default: connection.answer("204 No Content")
                }
            }
        }
        // Otherwise the kernels take more at once.
        server.setReceiveBuffer(65_536)
        let path = try Files.fill(stage.folder.file("source"), Self.size)
        let upload = Upload(source: .file(path: path), form: .put, resumption: resumption)
        let result = try await stage.end(of: Spec(url: try TransferURL(server.url("/f")), operation: .upload(upload)))
        #expect(result.state == .failed && result.error?.code == .sendFailed, "\(String(describing: result.error))")
        #expect(result.error?.message.contains("confirms \(offset) bytes, more than were sent") == true)
        #expect(server.requests.count { $0.hasPrefix("PATCH") } == 1)
    }
}
