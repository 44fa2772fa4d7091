// SPDX-License-Identifier: MIT

import RemoteControl
import Synchronization
import TransferControl
import TransferModel
import TransferService

/// The remote control in the service's process, as its latest settings want it.
final class ServiceRemote: Sendable {
    private struct State {
        /// The latest settings; `nil`: off.
        var wanted: RemoteSettings?
        var server: RemoteServer?
        /// The latest change; each awaits the one before.
        var work: Task<Void, Never>?
        var url: String?
        var problem: String?
    }

    private let state = Mutex(State())
    private let queue: any QueueClient
    private let report: @Sendable (String) -> Void
    private let servingChanged: @Sendable (Bool) -> Void
    private let shutDown: @Sendable () -> Void

    /// - Parameters:
    ///   - report: receives a line about each start and failure.
    ///   - servingChanged: whether it accepts connections.
    ///   - shutDown: a client ends the service.
    init(
        queue: any QueueClient, report: @escaping @Sendable (String) -> Void,
        servingChanged: @escaping @Sendable (Bool) -> Void, shutDown: @escaping @Sendable () -> Void
    ) {
        (self.queue, self.report) = (queue, report)
        (self.servingChanged, self.shutDown) = (servingChanged, shutDown)
    }

    /// Where it accepts calls, or why it does not; both are `nil` while it is off.
    var summary: (url: String?, problem: String?) { state.withLock { ($0.url, $0.problem) } }

    /// Returns at once; a change of settings restarts the server.
    /// - Parameter settings: `nil`: off.
    func apply(_ settings: RemoteSettings?) {
        state.withLock { state in
            guard settings != state.wanted else { return }
            state.wanted = settings
            let previous = state.work
            state.work = Task {
                await previous?.value
                await change(to: settings)
            }
        }
    }

    /// Returns when no connection is left.
    func stop() async {
        apply(nil)
        await state.withLock(\.work)?.value
    }

    private func change(to settings: RemoteSettings?) async {
        let old = state.withLock { state in
            defer { (state.server, state.url, state.problem) = (nil, nil, nil) }
            return state.server
        }
        await old?.stop()
        guard let settings else {
            report("the remote control is off")
            return servingChanged(false)
        }
        do throws(RemoteServer.StartError) {
            let server = try await RemoteServer.start(
                settings, queue: queue, readDocument: Self.files, shutDown: shutDown)
            let url = settings.url(port: server.port)
            state.withLock { ($0.server, $0.url) = (server, url) }
            report("the remote control accepts calls at \(url)")
            servingChanged(true)
        } catch {
            state.withLock { $0.problem = error.message }
            report("no remote control: \(error.message)")
            servingChanged(false)
        }
    }

    @Sendable private static func files(of document: [UInt8]) throws -> [Spec] {
        try Metalink(parsing: document).files.map { file in
            var download = Download(destination: .file(path: file.name), checksum: file.checksum)
            download.mirrors = Array(file.addresses.dropFirst())
            (download.size, download.pieces) = (file.size, file.pieces)
            return Spec(url: file.addresses[0].url, operation: .download(download))
        }
    }
}
