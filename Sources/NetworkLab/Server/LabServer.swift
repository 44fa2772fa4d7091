// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import ServerSupport
import Synchronization
package import TransferModel

/// An HTTP/1.1 server that delays and fails as each request's query says, to demonstrate and test clients.
///
/// `/` without a query lists the parameters. Runs on NIO's shared threads until ``stop()``.
package final class LabServer: Sendable {
    package struct Configuration: Sendable {
        /// Certificate chain and private key, both PEM files.
        package struct TLS: Sendable, Hashable {
            package var certificatePath: String
            package var keyPath: String

            package init(certificatePath: String, keyPath: String) {
                self.certificatePath = certificatePath
                self.keyPath = keyPath
            }
        }

        package var host = "127.0.0.1"
        /// 0: any free port.
        package var port = 0
        package var tls: TLS?
        /// Seconds from a connection's arrival to its acceptance. The kernel completes the connection meanwhile, so a
        /// client counts as connected; only TLS notices. Each connection serves one request then.
        package var waitAccept = 0.0
        /// Defaults for queries.
        package var defaults = LabBehaviour()
        /// Further connections wait in the backlog.
        package var maximumConnections = 512
        /// Bytes of all fields of a request, names and values; above: 431.
        package var headerBytes = 32 * 1024
        /// Seconds without a byte, outside of intended delays, until a connection is closed.
        package var idleSeconds = 600.0
        /// Called for every event, on the connection's thread; must not block.
        package var report: @Sendable (LabEvent) -> Void = { _ in }

        package init() {}
    }

    package let port: Int
    /// `http://HOST:PORT`, without a trailing slash.
    package let url: String
    private let listener: any Channel
    private let connections: OpenChannels

    /// Returns once connections are accepted.
    /// - Throws: ``TransferModel/TransferError`` with code `other` if it cannot listen on the address, or
    ///   `cannotReadSource` if certificate or key is unreadable.
    package static func start(_ configuration: Configuration) async throws(TransferError) -> LabServer {
        let tls: NIOSSLContext?
        do throws(ServerCertificate.Failure) {
            tls = try configuration.tls.map { paths throws(ServerCertificate.Failure) in
                try ServerCertificate.context(paths.certificatePath, paths.keyPath)
            }
        } catch { throw TransferError(.cannotReadSource, error.message) }
        let service = LabService(configuration)
        let connections = OpenChannels()
        let (closesEach, maximum, wait) = (
            configuration.waitAccept > 0, configuration.maximumConnections, configuration.waitAccept
        )
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = configuration.headerBytes
        limits.maxHeaderListSize = configuration.headerBytes
        let decoderLimits = limits
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Bytes in the kernel's buffer count as sent at the client; keep it small, or an unread body looks sent.
            .serverChannelOption(.socketOption(.so_rcvbuf), value: 32 * 1024)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptGate(maximum: maximum, wait: wait))
                }
            }
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 64 * 1024))
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                let number = connections.add(channel)
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let end = RawEnd()
                    try pipeline.addHandler(end)
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: decoderLimits)))
                    try pipeline.addHandler(
                        LabConnection(number: number, service: service, end: end, closesEach: closesEach))
                }
            }
        let listener = try await listening(at: configuration.host, configuration.port) {
            try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
        }
        let server = LabServer(listener: listener, connections: connections, configuration: configuration)
        service.listens(at: server.url)
        return server
    }

    private init(listener: any Channel, connections: OpenChannels, configuration: Configuration) {
        self.listener = listener
        self.connections = connections
        port = listener.localAddress?.port ?? configuration.port
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        url = "\(configuration.tls == nil ? "http" : "https")://\(host):\(port)"
    }

    /// Closes the port and every connection, and returns when they are closed. Idempotent.
    package func stop() async {
        try? await listener.close().get()
        await connections.closeAll()
    }
}
