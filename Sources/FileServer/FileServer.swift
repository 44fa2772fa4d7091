// SPDX-License-Identifier: MIT

import Glibc
import HummingbirdCore
import HummingbirdTLS
import NIOCore
import NIOPosix
import NIOSSL
import Platform

/// The receiving end of fileq: FileQ uploads, plain files, ranges. See the wire format in docs/FileQ.md.
///
/// Below its root it keeps a folder `.fileq-server` with what is on its way in and what it must remember; FileQ uploads
/// are placed at `files/ID/NAME`. One server a folder.
package struct FileServer: Sendable {
    private let handler: RequestHandler
    private let tls: TLSConfiguration?

    /// Opens the folder, clears what a server that was killed has left, and reads the certificate. Blocks for as long.
    /// - Throws: ``StartError``
    package init(configuration: FileServerConfiguration) throws {
        tls = try configuration.tls.map(Self.readCertificate)
        handler = try RequestHandler(configuration: configuration, pool: .singleton)
    }

    /// `http` or `https`.
    package var scheme: String { tls == nil ? "http" : "https" }

    /// Serves until the task is cancelled. Then no connection is accepted any more; requests that run have
    /// ``FileServerConfiguration/Limits/shutdownSeconds`` to end. Call it once.
    /// - Parameter onListening: called once, with the port, when connections are accepted.
    /// - Throws: ``StartError`` where the address cannot be listened at.
    package func run(onListening: @escaping @Sendable (Int) async -> Void = { _ in }) async throws {
        let handler = handler
        let limits = handler.configuration.limits
        let connections = OpenConnections(limits: limits)
        let base = HTTP1Channel(
            responder: { request, writer, channel in
                connections.setBusy(channel, true)
                defer { connections.setBusy(channel, false) }
                try await handler.respond(to: request, writer: writer, channel: channel)
            },
            // Not below the handler's own bound, so that its answers come first.
            configuration: .init(
                idleTimeout: .nanoseconds(Int64(max(limits.keepAliveSeconds, limits.idleSeconds) * 1e9))))
        let channel = ServerChannel(base: base, connections: connections, rate: handler.configuration.rate)
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
            onServerRunning: { await onListening($0.localAddress?.port ?? configuration.port) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: configuration.logger)
        // In a task of its own: this task's cancellation must end it gently, not at once.
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
            throw StartError(
                message: "cannot listen at \(configuration.host):\(configuration.port): "
                    + SystemError.text(error.errnoCode))
        } catch let error as SocketAddressError {
            throw StartError(message: "cannot listen at \(configuration.host): \(error)")
        }
    }

    private static func readCertificate(_ paths: FileServerConfiguration.TLS) throws -> TLSConfiguration {
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMFile(paths.certificatePath) } catch {
            throw StartError(message: "\(paths.certificatePath) is no readable PEM file of certificates")
        }
        do {
            let key = try NIOSSLPrivateKey(file: paths.keyPath, format: .pem)
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            tls.applicationProtocols = ["http/1.1"]
            tls.minimumTLSVersion = .tlsv12
            return tls
        } catch {
            throw StartError(message: "\(paths.keyPath) is no readable PEM file of a private key")
        }
    }
}
