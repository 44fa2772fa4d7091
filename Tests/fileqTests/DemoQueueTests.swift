// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferControl
import TransferModel

@testable import fileq

/// The queue of the demonstration's screen.
struct DemoQueueTests {
    @Test(.timeLimit(.minutes(2))) func asksAboutACertificateAndTrustsItWithinTheDemonstration() async throws {
        let stage = try DemoStage()
        defer { stage.remove() }
        let server = try await stage.serve(
            stage.untrustedFolder, rate: 50_000_000, tls: stage.writeCertificate())
        let nowhere = "http://127.0.0.1:1"
        let extras = try stage.extras(at: nowhere, overloaded: nowhere, untrusted: server.url)
        let queue = try stage.queue(concurrent: 4)
        let ids = try await queue.client.add(
            extras.now.filter { $0.url.string.hasPrefix(server.url) }, paused: false)
        #expect(ids.count == 1)
        var asked: ConsentQuestion?
        var end: TransferState?
        for await update in queue.client.updates() {
            let transfers: [Transfer] =
                switch update {
                case .snapshot(let snapshot): snapshot.transfers
                case .events(let events): events.map(\.transfer)
                case .order, .removed, .limits: []
                }
            if asked == nil, let question = transfers.compactMap(\.question).first {
                asked = question
                try await queue.client.perform(.trust(.always, to: question), on: ids)
            }
            end = transfers.map(\.state).first(where: \.isEnded)
            if end != nil { break }
        }
        await queue.stop()
        await server.stop()
        guard case .trust? = asked else { throw TransferError(.other, "no question about the certificate") }
        #expect(end == .completed)
        // Not among the keys that the user trusts.
        #expect(FileManager.default.fileExists(atPath: "\(stage.stateFolder)/trusted-keys"))
    }
}
