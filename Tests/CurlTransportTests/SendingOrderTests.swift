// SPDX-License-Identifier: MIT

import CurlTransport
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// What an upload reports, in order, over a real connection.
@Suite struct SendingOrderTests {
    @Test(arguments: [3, 70_000, 900_000]) func theLastByteIsReportedBeforeTheResponse(_ size: Int) async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            _ = connection.readBody(size)
            connection.answer("201 Created", body: [1])
        }
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        let session = TransferSession(configuration: configuration, transport: try CurlTransport())
        let log = Mutex<[String]>([])
        let request = TransferRequest(url: try TransferURL(server.url()), method: .put)
        let task = session.uploadTask(with: request, body: .bytes(patternedBytes(size))) { event in
            let line: String? =
                switch event {
                case .sent(_, let total, _): "sent \(total)"
                case .response: "response"
                case .data: "data"
                case .completed(let error): error.map { "failed \($0.message)" } ?? "completed"
                default: nil
                }
            if let line { log.withLock { $0.append(line) } }
        }
        task.resume()
        #expect(await eventually { log.withLock { $0.last == "completed" || $0.last?.hasPrefix("failed") == true } })
        #expect(
            log.withLock { Array($0.suffix(4)) } == ["sent \(size)", "response", "data", "completed"],
            "\(log.withLock { $0 })")
    }
}
