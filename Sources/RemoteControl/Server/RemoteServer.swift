// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import ServerSupport
import Synchronization
package import TransferControl
package import TransferModel

/// Serves aria2's JSON-RPC over HTTP and WebSocket (aria2c(1), section RPC INTERFACE), until it is stopped.
package final class RemoteServer: Sendable {
    /// Why it could not start, as one line.
    package struct StartError: Error, Hashable {
        package var message: String
    }

    /// The port, where any free one was requested.
    package let port: Int
    private let tasks: [Task<Void, Never>]

    /// - Parameters:
    ///   - queue: everything that clients see and change.
    ///   - readDocument: the downloads of a Metalink document; the destination of each is the file's name alone.
    ///   - refusalDelay: before the response to a call without the secret; other calls do not wait for it.
    ///   - shutDown: a client ends the service, which the settings allow.
    /// - Returns: once it accepts connections.
    package static func start(
        _ settings: RemoteSettings, queue: any QueueClient,
        readDocument: @escaping @Sendable ([UInt8]) throws -> [Spec],
        refusalDelay: Duration = .seconds(1), shutDown: @escaping @Sendable () -> Void = {}
    ) async throws(StartError) -> RemoteServer {
        guard settings.tls != nil || settings.isLoopback else {
            throw StartError(
                message: "the remote control listens on \(settings.host) only with tls-cert and tls-key in [rpc]")
        }
        guard !settings.secret.isEmpty else { throw StartError(message: "the remote control has no secret") }
        let tls: NIOSSLContext?
        do throws(ServerCertificate.Failure) {
            tls = try settings.tls.map { paths throws(ServerCertificate.Failure) in
                try ServerCertificate.context(paths.certificatePath, paths.keyPath)
            }
        } catch { throw StartError(message: error.message) }
        let index = RemoteIndex()
        do {
            _ = index.receive(.snapshot(try await queue.snapshot()))
        } catch {
            throw StartError(message: "the queue cannot be read")
        }
        var random = SystemRandomNumberGenerator()
        let service = RemoteService(
            queue: RemoteQueue(
                queue: queue, settings: settings, index: index,
                sessionID: (0..<2).map { _ in Hex.encode(withUnsafeBytes(of: random.next()) { Array($0) }) }.joined(),
                readDocument: readDocument, shutDown: shutDown),
            gate: RequestGate(settings: settings), listeners: NoticeListeners(), refusalDelay: refusalDelay)
        let listener: NIOAsyncChannel<EventLoopFuture<RemoteConnection>, Never>
        do {
            listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ShortagePause())
                    }
                }
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .bind(host: settings.host, port: settings.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try service.configure(channel, tls) }
                }
        } catch {
            let reason = (error as? IOError).map { ": " + String(cString: strerror($0.errnoCode)) } ?? ""
            throw StartError(message: "cannot listen on \(settings.host):\(settings.port)\(reason)")
        }
        return RemoteServer(listener, service)
    }

    private init(
        _ listener: NIOAsyncChannel<EventLoopFuture<RemoteConnection>, Never>, _ service: RemoteService
    ) {
        port = listener.channel.localAddress?.port ?? service.queue.settings.port
        tasks = [
            Task {
                try? await listener.executeThenClose { connections in
                    try await withThrowingDiscardingTaskGroup { group in
                        for try await connection in connections {
                            group.addTask { await service.serve(connection) }
                        }
                    }
                }
            },
            Task {
                for await update in service.queue.queue.updates() {
                    service.listeners.post(service.queue.index.receive(update))
                }
            },
        ]
    }

    deinit { tasks.forEach { $0.cancel() } }

    /// Closes the port and all connections, and returns when they are closed. Idempotent.
    package func stop() async {
        tasks.forEach { $0.cancel() }
        for task in tasks { await task.value }
    }
}

/// A connection by what its first request made of it.
enum RemoteConnection: Sendable {
    case http(NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>)
    case webSocket(NIOAsyncChannel<WebSocketFrame, WebSocketFrame>)
}

/// What all connections of a server share.
struct RemoteService: Sendable {
    let queue: RemoteQueue
    let gate: RequestGate
    let listeners: NoticeListeners
    let refusalDelay: Duration

    /// Bytes of a message, as aria2's default.
    static let mostBytes = 2 << 20
    private static let idleTime = TimeAmount.seconds(60)

    /// - Throws: for a connection too many, which is closed.
    func configure(_ channel: any Channel, _ tls: NIOSSLContext?) throws -> EventLoopFuture<RemoteConnection> {
        guard listeners.opened() else {
            channel.close(promise: nil)
            throw ChannelError.ioOnClosedChannel
        }
        channel.closeFuture.whenComplete { [listeners] _ in listeners.closed() }
        let pipeline = channel.pipeline.syncOperations
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        try pipeline.addHandler(IdleStateHandler(allTimeout: Self.idleTime))
        try pipeline.addHandler(IdleCloser())
        let gate = gate
        let upgrader = NIOTypedWebSocketServerUpgrader<RemoteConnection>(
            maxFrameSize: Self.mostBytes,
            shouldUpgrade: { channel, head in
                do throws(RequestGate.Refusal) {
                    try gate.check(head)
                    return channel.eventLoop.makeSucceededFuture(HTTPHeaders())
                } catch {
                    // NIO sends no response for a refused upgrade.
                    let fields: HTTPHeaders = ["Content-Length": "0", "Connection": "close"]
                    let head = HTTPResponseHead(version: .http1_1, status: error.status, headers: fields)
                    channel.write(HTTPServerResponsePart.head(head), promise: nil)
                    return channel.writeAndFlush(HTTPServerResponsePart.end(nil)).flatMap { channel.close() }
                        .map { HTTPHeaders?.none }
                }
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.handler(type: IdleCloser.self).isEnabled = false
                    try pipeline.addHandler(
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024,
                            maxAccumulatedFrameSize: Self.mostBytes))
                    return .webSocket(try NIOAsyncChannel(wrappingChannelSynchronously: channel))
                }
            })
        let upgrade = NIOTypedHTTPServerUpgradeConfiguration(
            upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                channel.eventLoop.makeCompletedFuture {
                    return .http(try NIOAsyncChannel(wrappingChannelSynchronously: channel))
                }
            })
        return try pipeline.configureUpgradableHTTPServerPipeline(
            configuration: .init(upgradeConfiguration: upgrade))
    }

    func serve(_ connection: EventLoopFuture<RemoteConnection>) async {
        do {
            switch try await connection.get() {
            case .http(let channel): try await serve(channel)
            case .webSocket(let channel): try await serve(channel)
            }
        } catch {
            // The connection is closed, so that no error can be sent.
        }
    }

    /// The reply to a message, after the delay of those without the secret.
    func reply(to bytes: [UInt8]) async throws -> RemoteQueue.Reply {
        let reply = await queue.reply(to: bytes)
        if reply.isDelayed { try await Task.sleep(for: refusalDelay) }
        return reply
    }
}

/// Closes connections on which nothing moves, until they are WebSockets.
private final class IdleCloser: ChannelInboundHandler {
    typealias InboundIn = NIOAny
    var isEnabled = true

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isEnabled, event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
