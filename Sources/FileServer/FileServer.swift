// SPDX-License-Identifier: MIT

import Glibc
import HummingbirdCore
import HummingbirdTLS
import NIOCore
import NIOPosix
import NIOSSL
import Platform
import ServerSupport

/// The server of `fileq serve`: plain files, FileQ uploads, resumable uploads, links. docs/FileQ.md and
/// docs/UploadServer.md specify the wire format.
///
/// A folder `.fileq-server` below its root holds incomplete uploads and metadata; FileQ uploads are at `files/ID/NAME`.
/// One server per folder.
package struct FileServer: Sendable {
    let handler: RequestHandler
    private let tls: TLSConfiguration?

    /// Opens the folder, removes the remains of a killed server, and reads the certificate. Blocks meanwhile.
    /// - Throws: ``StartError``
    package init(configuration: FileServerConfiguration) throws {
        do {
            tls = try configuration.tls.map { try ServerCertificate.read($0.certificatePath, $0.keyPath) }
        } catch let error as ServerCertificate.Failure { throw StartError(.certificate, error.message) }
        handler = try RequestHandler(configuration: configuration, pool: .singleton)
    }

    /// `http` or `https`.
    package var scheme: String { tls == nil ? "http" : "https" }

    /// Serves until the task is cancelled, then accepts no connections; running requests have
    /// ``FileServerConfiguration/Limits/shutdownSeconds`` to finish. Call it once.
    /// - Parameter onListening: called once, with the port, when the server accepts connections.
    /// - Throws: ``StartError`` if it cannot listen on the address.
    package func run(onListening: @escaping @Sendable (Int) async -> Void = { _ in }) async throws {
        let handler = handler
        let limits = handler.configuration.limits
        let connections = OpenConnections(limits: limits, rate: handler.configuration.rate, buffers: handler.buffers)
        let base = HTTP1Channel(
            responder: { request, writer, channel in
                let watch = ProgressWatch(channel: channel, seconds: limits.idleSeconds)
                connections.requestBegan(on: channel, watch)
                defer { connections.requestEnded(on: channel) }
                try await handler.respond(to: request, writer: writer, channel: channel, watch: watch)
            },
            // Above the handler's own limit, so that its responses come first.
            configuration: .init(
                idleTimeout: .nanoseconds(Int64(max(limits.keepAliveSeconds, limits.idleSeconds) * 1e9))))
        let sweeping = Task { await handler.sweepUploads() }
        defer { sweeping.cancel() }
        let channel = ServerChannel(
            base: base, connections: connections, rate: handler.configuration.rate, isEncrypted: tls != nil)
        if let tls {
            try await run(try TLSChannel(channel, tlsConfiguration: tls), connections, onListening)
        } else {
            try await run(channel, connections, onListening)
        }
    }

    private func run(
        _ channel: some ServerChildChannel, _ connections: OpenConnections,
        _ onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let configuration = handler.configuration
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: .hostname(configuration.host, port: configuration.port), backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.limits.connections)),
            onServerRunning: { listener in
                try? await listener.pipeline.addHandler(ShortagePause(), position: .first)
                await onListening(listener.localAddress?.port ?? configuration.port)
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: configuration.logger)
        // In a separate task: the cancellation of this task must stop it gracefully.
        let serving = Task { try await server.run() }
        let grace = Duration.seconds(configuration.limits.shutdownSeconds)
        do {
            try await withTaskCancellationHandler {
                try await serving.value
            } onCancel: {
                Task {
                    let timer = Task {
                        try await Task.sleep(for: grace)
                        connections.closeAll()
                        serving.cancel()
                    }
                    try? await server.shutdownGracefully()
                    timer.cancel()
                }
            }
        } catch let error as IOError {
            let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
            throw StartError(
                .listening(error.errnoCode),
                "cannot listen on \(host):\(configuration.port): "
                    + SystemError.text(error.errnoCode))
        } catch let error as SocketAddressError.UnknownHost {
            throw StartError(.address, "cannot listen on \(configuration.host): \(error.errorDescription)")
        } catch let error as SocketAddressError {
            throw StartError(.address, "cannot listen on \(configuration.host): \(error)")
        }
    }
}
