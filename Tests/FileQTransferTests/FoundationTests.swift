// SPDX-License-Identifier: MIT

import FileQTransfer
import Foundation
import HTTPTypes
import Synchronization
import Testing
import TransferTesting

/// Calls with `URL` and `Data`.
@Suite struct FoundationTests {
    /// Takes what comes as Foundation's types.
    private final class Recorder: TransferDataDelegate, TransferDownloadDelegate {
        let data = Mutex(Data())
        let file = Mutex<Data?>(nil)

        func session(_ session: TransferSession, task: TransferTask, didReceive data: Data) {
            self.data.withLock { $0.append(data) }
        }

        func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo location: URL) {
            file.withLock { $0 = try? Data(contentsOf: location) }
        }
    }

    /// Responds with the method and the body of each request, or with the path of one without a body.
    private func server() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let words = head.split(separator: " ")
                let length = head.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) }
                let text = length.map { String(decoding: connection.readBody($0), as: UTF8.self) } ?? String(words[1])
                connection.answer("200 OK", body: Array("\(words[0]) \(text)".utf8))
            }
        }
    }

    private func session(_ delegate: Recorder? = nil) throws -> TransferSession {
        var configuration = try TransferConfiguration.ephemeral()
        configuration.proxy = .none
        return try .ephemeral(configuration, delegate: delegate)
    }

    private func url(_ server: ScriptedServer, _ path: String) throws -> URL {
        try #require(URL(string: server.url(path)))
    }

    @Test func convertsAddresses() throws {
        let address = try TransferURL(#require(URL(string: "https://user:word@example.org:8443/a%20b?c=d#part")))
        #expect(address.string == "https://example.org:8443/a%20b?c=d")
        #expect(address.credential == Credential(user: "user", password: "word"))
        #expect(URL(address)?.absoluteString == "https://example.org:8443/a%20b?c=d")
    }

    @Test(arguments: ["ftp://example.org/", "/file", "file:///etc/hosts", "https:"])
    func rejectsOtherURLs(_ text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: TransferError.self) { try TransferRequest(url: url) }
        #expect(error?.code == .malformedURL)
        #expect(throws: TransferError.self) { try session().dataTask(with: url) }
        #expect(throws: TransferError.self) { try session().downloadTask(with: url) }
    }

    @Test func delegatesReceiveDataAndURLs() async throws {
        let (server, recorder) = (try server(), Recorder())
        let session = try session(recorder)
        try session.dataTask(with: url(server, "/data")).resume()
        try session.downloadTask(with: url(server, "/file")).resume()
        #expect(await eventually { session.tasks.isEmpty })
        #expect(recorder.data.withLock { $0 } == Data("GET /data".utf8))
        #expect(recorder.file.withLock { $0 } == Data("GET /file".utf8))
    }

    @Test func awaitedCallsReturnDataAndHead() async throws {
        let (server, session, folder) = (try server(), try session(), try TemporaryFolder())
        let (data, response) = try await session.data(from: url(server, "/data"))
        #expect(data == Data("GET /data".utf8))
        #expect(response.status.code == 200)
        let request = try TransferRequest(url: url(server, "/"), method: .put)
        #expect(try await session.upload(for: request, from: Data("a".utf8)).0 == Data("PUT a".utf8))
        let file = URL(filePath: try folder.write(Array("b".utf8), to: "b"))
        #expect(try await session.upload(for: request, fromFile: file).0 == Data("PUT b".utf8))
    }

    @Test func closuresReceiveThePartsOfAResponse() async throws {
        let (server, session, folder) = (try server(), try session(), try TemporaryFolder())
        let request = try TransferRequest(url: url(server, "/"), method: .put)
        let file = URL(filePath: try folder.write(Array("b".utf8), to: "b"))
        let received = Mutex<[Data?]>([])
        let handler: TransferSession.CompletionHandler = { data, response, error in
            #expect(response?.status.code == 200 && error == nil)
            received.withLock { $0.append(data) }
        }
        session.uploadTask(with: request, from: Data("a".utf8), completionHandler: handler).resume()
        #expect(await eventually { session.tasks.isEmpty })
        session.uploadTask(with: request, fromFile: file, completionHandler: handler).resume()
        #expect(await eventually { session.tasks.isEmpty })
        try session.dataTask(with: url(server, "/c"), completionHandler: handler).resume()
        #expect(await eventually { session.tasks.isEmpty })
        #expect(received.withLock { $0 } == ["PUT a", "PUT b", "GET /c"].map { Data($0.utf8) })
    }

    @Test func errorsDescribeThemselves() async throws {
        let server = try server()
        let url = try url(server, "/")
        server.stop()
        let session = try session()
        let error = Mutex<TransferError?>(nil)
        try session.dataTask(with: url) { data, response, failure in
            #expect(data == nil && response == nil)
            error.withLock { $0 = failure }
        }.resume()
        #expect(await eventually { session.tasks.isEmpty })
        let failure = try #require(error.withLock { $0 })
        #expect(failure.code == .cannotConnect)
        #expect((failure as any Error).localizedDescription == failure.message)
    }
}
