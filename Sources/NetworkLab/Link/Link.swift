// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix

/// A running link: its directions, connections and outages. Used on one event loop.
final class Link {
    typealias Box = NIOLoopBoundBox<Link?>

    private let configuration: LinkProxy.Configuration
    private let port: Int
    private let loop: any EventLoop
    private let began: NIODeadline
    private let box: Box
    private let down: LinkDirection
    private let up: LinkDirection
    private var listener: (any Channel)?
    private var ends: [ObjectIdentifier: LinkEnd] = [:]
    private var lastNumber = 0
    private var outageTimer: Scheduled<Void>?
    private var hasStopped = false

    init(
        _ configuration: LinkProxy.Configuration, port: Int, listener: any Channel, box: Box, loop: any EventLoop,
        began: NIODeadline
    ) {
        (self.configuration, self.port, self.listener) = (configuration, port, listener)
        (self.box, self.loop, self.began) = (box, loop, began)
        // An outage that resets connections leaves none to stall.
        let outages = configuration.outage == .stall ? configuration.outages : nil
        let profile = configuration.profile
        func direction(_ values: LinkProfile.Direction) -> LinkDirection {
            LinkDirection(
                Shaper(values, stalls: profile.stalls, outages: outages, random: configuration.random),
                loop: loop, began: began)
        }
        (down, up) = (direction(profile.down), direction(profile.up))
        awaitOutage()
    }

    // MARK: Listening

    static func listen(
        _ configuration: LinkProxy.Configuration, port: Int, link: Box, on loop: any EventLoop
    ) async throws -> any Channel {
        try await listen(configuration, port: port, link: link, on: loop).get()
    }

    private static func listen(
        _ configuration: LinkProxy.Configuration, port: Int, link: Box,
        on loop: any EventLoop
    ) -> EventLoopFuture<any Channel> {
        let maximum = configuration.maximumConnections
        return ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.socketOption(.so_rcvbuf), value: kernelBuffer(configuration.profile.up))
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptGate(maximum: maximum, wait: 0))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try link.value?.accept(channel) }
            }
            .bind(host: configuration.host, port: port)
    }

    /// Bytes in the kernel's buffer count as sent at the sender: a quarter of a second's worth at most.
    private static func kernelBuffer(_ direction: LinkProfile.Direction) -> SocketOptionValue {
        SocketOptionValue(min(max(direction.rate / 4, 8 * 1024), 512 * 1024))
    }

    // MARK: Connections

    private func accept(_ channel: any Channel) throws {
        lastNumber += 1
        let number = lastNumber
        let client = try addEnd(to: channel, leading: up)
        log(number, "opened")
        if let outages = configuration.outages, configuration.outage != .stall, outages.isDown(at: now) {
            log(number, "reset: outage")
            // Not before the channel is registered.
            loop.assumeIsolated().execute { client.resetBoth() }
            return
        }
        let profile = configuration.profile
        let opening = up.shaper.opening(at: now, after: profile.openDelay + profile.up.delay + profile.down.delay)
        loop.assumeIsolated().scheduleTask(deadline: began + .nanoseconds(Int64(opening * 1e9))) {
            // On a busy machine the channel may not be active yet; only a closed one is released.
            if self.ends[ObjectIdentifier(channel)] != nil { self.connect(client, number) }
        }
    }

    private func addEnd(to channel: any Channel, leading direction: LinkDirection) throws -> LinkEnd {
        let raw = RawEnd()
        let end = LinkEnd(direction, end: raw)
        try channel.pipeline.syncOperations.addHandler(raw)
        try channel.pipeline.syncOperations.addHandler(end)
        let id = ObjectIdentifier(channel)
        ends[id] = end
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.ends[id] = nil }
        return end
    }

    private func connect(_ client: LinkEnd, _ number: Int) {
        let box = box
        ClientBootstrap(group: loop)
            .connectTimeout(.seconds(30))
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_rcvbuf), value: Self.kernelBuffer(configuration.profile.down))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let link = box.value else { return }
                    _ = try link.addEnd(to: channel, leading: link.down)
                }
            }
            .connect(host: configuration.targetHost, port: configuration.targetPort)
            .assumeIsolated().whenComplete { result in
                switch result {
                case .success(let channel):
                    guard let target = self.ends[ObjectIdentifier(channel)] else { return client.resetBoth() }
                    LinkEnd.join(client, target)
                case .failure(let error):
                    self.log(
                        number,
                        "reset: \(self.configuration.targetHost):\(self.configuration.targetPort) "
                            + "cannot be reached: \(reason(of: error))")
                    client.resetBoth()
                }
            }
    }

    // MARK: Outages

    private var now: Double { Double((loop.now - began).nanoseconds) / 1e9 }

    private func awaitOutage() {
        guard let outages = configuration.outages, !hasStopped else { return }
        let next = outages.nextChange(after: now)
        outageTimer = loop.assumeIsolated().scheduleTask(deadline: began + .nanoseconds(Int64(next * 1e9) + 1)) {
            if outages.isDown(at: self.now) { self.outageBegins() } else { self.outageEnds() }
            self.awaitOutage()
        }
    }

    private func outageBegins() {
        log(0, "outage begins")
        guard configuration.outage != .stall else { return }
        for end in Array(ends.values) { end.resetBoth() }
        if configuration.outage == .refuse {
            listener?.close(promise: nil)
            listener = nil
        }
    }

    private func outageEnds() {
        log(0, "outage ends")
        if listener == nil { listenAgain() }
    }

    private func listenAgain() {
        guard !hasStopped else { return }
        Self.listen(configuration, port: port, link: box, on: loop).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel) where self.hasStopped: channel.close(promise: nil)
            case .success(let channel): self.listener = channel
            case .failure(let error):
                self.log(0, "cannot listen at port \(self.port): \(reason(of: error)); tried again in a second")
                self.loop.assumeIsolated().scheduleTask(in: .seconds(1)) { self.listenAgain() }
            }
        }
    }

    // MARK: The end

    func stop() -> EventLoopFuture<Void> {
        hasStopped = true
        outageTimer?.cancel()
        box.value = nil
        for end in Array(ends.values) { end.resetBoth() }
        guard let listener else { return loop.makeSucceededVoidFuture() }
        listener.close(promise: nil)
        return listener.closeFuture
    }

    private func log(_ connection: Int, _ text: String) {
        configuration.report(LabEvent(connection: connection, seconds: now, text: text))
    }
}
