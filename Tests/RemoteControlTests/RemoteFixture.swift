// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import RemoteControl

/// A fake queue behind the methods, and a folder for files.
struct RemoteFixture {
    static let secret = "0123456789abcdef0123456789abcdef"

    let queue: FakeQueue
    let folder: TemporaryFolder
    let remote: RemoteQueue

    init(_ transfers: [Transfer] = [], change: (inout RemoteSettings) -> Void = { _ in }) throws {
        queue = FakeQueue(transfers)
        folder = try TemporaryFolder()
        var settings = RemoteSettings(secret: Self.secret, folder: folder.path)
        change(&settings)
        let index = RemoteIndex()
        _ = index.receive(.snapshot(QueueSnapshot(transfers: transfers)))
        remote = RemoteQueue(
            queue: queue, settings: settings, index: index, sessionID: "session",
            readDocument: { bytes in
                let name = String(decoding: bytes, as: UTF8.self)
                var download = Download(destination: .file(path: name))
                download.size = 7
                return [Spec(url: try TransferURL("http://a.test/\(name)"), operation: .download(download))]
            }, shutDown: {})
    }

    /// Five transfers: 1 runs, 2 is queued, 3 is paused, 4 is completed, 5 has failed.
    static func five() -> [Transfer] {
        let states: [TransferState] = [.running, .queued, .paused, .completed, .failed]
        return states.enumerated().map { index, state in
            let id = TransferID(rawValue: index + 1)
            var form = TransferForm(
                id: id, kind: .download, url: "http://a.test/\(id)", file: "/d/\(id)", state: state)
            (form.bytes, form.total) = (state == .completed ? 100 : 10, 100)
            if state == .paused { form.pausedBy = .transfer }
            if state.isEnded { form.endedAt = Double(index) }
            if state == .failed {
                var error = TransferError(.httpStatus, "not found")
                error.fields.status = 404
                form.error = error
            }
            return Transfer(form)
        }
    }

    static func gid(_ id: Int) -> String { RemoteGID(TransferID(rawValue: id)).text }

    /// The response to a request as text.
    func raw(_ request: String) async -> (status: Int, text: String) {
        let reply = await remote.reply(to: Array(request.utf8))
        return (reply.httpStatus, String(decoding: reply.body.json, as: UTF8.self))
    }

    /// - Parameter params: JSON behind the token.
    func call(_ method: String, _ params: String = "") async throws -> RPCValue {
        let tail = params.isEmpty ? "" : ",\(params)"
        let request =
            #"{"jsonrpc":"2.0","id":"1","method":"aria2.\#(method)","params":["token:\#(Self.secret)"\#(tail)]}"#
        let reply = await remote.reply(to: Array(request.utf8))
        return try #require(reply.body["result"] ?? reply.body["error"])
    }

    func error(_ method: String, _ params: String = "") async throws -> String? {
        try await call(method, params)["message"]?.string
    }
}
