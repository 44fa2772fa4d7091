// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Platform
import TransferControl
import TransferModel

/// The queue of the demonstration's screen: that of the service, in the temporary folder, so that every key does what
/// it does there. What is trusted, and logins that are saved, stay in that folder, too.
extension DemoStage {
    func queue(concurrent: Int) throws(TransferError) -> ServiceQueue {
        let places = Places(environment: { [stateFolder] in $0 == "FILEQ_HOME" ? stateFolder : nil })
        try places.service.prepare()
        var settings = ServiceSettings(places: places)
        settings.concurrent = concurrent
        settings.configured.inhibitsSleep = false
        return try makeServiceQueue(settings)
    }

    /// Seconds until the one for later starts.
    private static let later = 300.0

    /// - Throws: code `other` if the server cannot start.
    func serve(
        _ folder: String, rate: Int, tls: FileServerConfiguration.TLS? = nil
    ) async throws -> RunningFileServer {
        var configuration = FileServerConfiguration(root: folder, tls: tls, rate: rate)
        // No other client uses this queue, so quitting ends it.
        configuration.limits.shutdownSeconds = 0.5
        do {
            return try await RunningFileServer.start(configuration)
        } catch let error as StartError {
            throw TransferError(.other, error.message)
        }
    }

    /// A transfer in each state, beside those of ``transfers(at:)``.
    /// - Parameters:
    ///   - overloaded: see ``OverloadedServer``.
    ///   - untrusted: serves ``untrustedFolder``, with ``DemoCertificate``.
    func fill(
        _ client: any QueueClient, from server: String, overloaded: String, untrusted: String
    ) async throws {
        let extras = try extras(at: server, overloaded: overloaded, untrusted: untrusted)
        _ = try await client.add(extras.now + transfers(at: server), paused: false)
        _ = try await client.add(extras.later, on: TransferTerms(earliestBegin: SystemClock.wall + Self.later))
        let paused = try await client.add(extras.paused, paused: true)
        // The last one is cancelled.
        if let id = paused.last { try await client.perform(.cancel(deletingPartial: false), on: [id]) }
    }

    /// Adds another one for each that completes, until the queue ends.
    func keepUp(_ client: any QueueClient, from server: String) async {
        let cast = samples.filter { $0.bytes > 5_000_000 && !$0.isFileQ }
        var round = 0
        for await update in client.updates() {
            guard case .events(let events) = update else { continue }
            for event in events where event.name == .completed && isLarge(event.transfer) {
                round += 1
                let name = name(cast[round % cast.count], in: round)
                guard let next = try? again(cast[round % cast.count], named: name, at: server) else { continue }
                _ = try? await client.add([next], paused: false)
                discard(cast, before: round - Self.kept)
            }
        }
    }

    /// Rounds whose files stay.
    private static let kept = 6

    private func isLarge(_ transfer: Transfer) -> Bool { transfer.total ?? 0 > 5_000_000 }

    /// `debian-netinst-2.iso`
    private func name(_ sample: Sample, in round: Int) -> String {
        let dot = sample.name.lastIndex(of: ".") ?? sample.name.endIndex
        return "\(sample.name[..<dot])-\(round)\(sample.name[dot...])"
    }

    private func discard(_ cast: [Sample], before round: Int) {
        guard round > 0 else { return }
        let old = name(cast[round % cast.count], in: round)
        for folder in [serverFolder, arrivedFolder] { try? FileManager.default.removeItem(atPath: "\(folder)/\(old)") }
    }
}
