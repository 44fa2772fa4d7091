// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import Synchronization
package import TransferModel

/// Proxies TCP connections to one target through a shaped link: bandwidth, latency, jitter, stalls and outages of a
/// ``LinkProfile``, shared by all connections.
///
/// A proxy above TCP can neither lose nor reorder packets, and the kernel completes each connection to it immediately;
/// hence "shaped". Instead of delaying the handshake, it opens the connection to the target one round trip later. Runs
/// on one of NIO's shared threads until ``stop()``.
package final class LinkProxy: Sendable {
    /// The effect of an outage.
    package enum Outage: String, Sendable, Hashable, CaseIterable {
        /// Everything stalls until it ends.
        case stall
        /// Connections are reset, including new ones.
        case reset
        /// Connections are reset, new ones refused.
        case refuse
    }

    package struct Configuration: Sendable {
        package var profile: LinkProfile
        package var targetHost: String
        package var targetPort: Int
        package var host = "127.0.0.1"
        /// 0: any free port.
        package var port = 0
        package var outages: OutageSchedule?
        package var outage = Outage.stall
        /// Further connections wait in the backlog.
        package var maximumConnections = 256
        /// The source of jitter and stalls.
        package var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
        /// Called for every event, on the link's thread; must not block.
        package var report: @Sendable (LabEvent) -> Void = { _ in }

        package init(profile: LinkProfile, targetHost: String, targetPort: Int) {
            (self.profile, self.targetHost, self.targetPort) = (profile, targetHost, targetPort)
        }
    }

    package let port: Int
    private let ending: @Sendable () async -> Void

    /// Returns once connections are accepted, or, with a profile that loses everything, dropped. The target need not be
    /// running.
    /// - Throws: code `other` if it cannot listen on the address.
    package static func start(_ configuration: Configuration) async throws(TransferError) -> LinkProxy {
        if configuration.profile.losesAll {
            guard configuration.host == "127.0.0.1" else {
                throw TransferError(.other, "a link that loses all can be had at 127.0.0.1 alone")
            }
            let blackhole = try Blackhole(port: configuration.port)
            return LinkProxy(port: blackhole.port) { blackhole.stop() }
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let began = loop.now
        let link = NIOLoopBoundBox.makeEmptyBox(valueType: Link.self, eventLoop: loop)
        let port: Int = try await listening(at: configuration.host, configuration.port) {
            let listener = try await Link.listen(configuration, port: configuration.port, link: link, on: loop)
            return try await loop.submit {
                let port = listener.localAddress?.port ?? configuration.port
                link.value = Link(configuration, port: port, listener: listener, box: link, loop: loop, began: began)
                return port
            }.get()
        }
        return LinkProxy(port: port) {
            // Already closed: success.
            try? await loop.flatSubmit { link.value?.stop() ?? loop.makeSucceededVoidFuture() }.get()
        }
    }

    /// Tries one connection.
    /// - Returns: the error; `nil` if it succeeded.
    package static func connectionFailed(_ host: String, _ port: Int) async -> String? {
        do {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.seconds(3)).connect(host: host, port: port).get()
            try? await channel.close().get()
            return nil
        } catch {
            return reason(of: error)
        }
    }

    private init(port: Int, ending: @escaping @Sendable () async -> Void) { (self.port, self.ending) = (port, ending) }

    /// Closes the port and every connection. Idempotent.
    package func stop() async { await ending() }
}
