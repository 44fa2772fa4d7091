// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import Synchronization
package import TransferModel

/// Leads TCP connections to one target through a shaped link: bandwidth, delay, jitter, stalls and outages of a
/// ``LinkProfile``, shared by all connections.
///
/// A proxy above TCP can neither lose nor reorder packets, and the kernel completes each connection to it at once; so
/// its effects are called "shaped". In the place of the handshake a connection to the target is opened one round trip
/// late. It runs on one of NIO's shared threads until ``stop()``.
package final class LinkProxy: Sendable {
    /// What an outage does.
    package enum Outage: String, Sendable, Hashable, CaseIterable {
        /// Everything waits until it has passed.
        case stall
        /// Connections are reset, new ones too.
        case reset
        /// Connections are reset, new ones refused.
        case refuse
    }

    package struct Configuration: Sendable {
        package var profile: LinkProfile
        package var targetHost: String
        package var targetPort: Int
        package var host = "127.0.0.1"
        /// 0: any that is free.
        package var port = 0
        package var outages: OutageSchedule?
        package var outage = Outage.stall
        /// More wait to be accepted.
        package var maximumConnections = 256
        /// Where jitter and stalls come from.
        package var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
        /// Called for everything that happens, on the link's thread; must not block.
        package var report: @Sendable (LabEvent) -> Void = { _ in }

        package init(profile: LinkProfile, targetHost: String, targetPort: Int) {
            (self.profile, self.targetHost, self.targetPort) = (profile, targetHost, targetPort)
        }
    }

    package let port: Int
    private let ending: @Sendable () async -> Void

    /// Returns once connections are accepted, or, where the profile loses all, lost. The target need not be there yet.
    /// - Throws: code `other` where the address cannot be listened at.
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
            // A port that is closed already is what was asked for.
            try? await loop.flatSubmit { link.value?.stop() ?? loop.makeSucceededVoidFuture() }.get()
        }
    }

    /// Tries one connection.
    /// - Returns: why it failed; `nil` where it stood.
    package static func reachingFails(_ host: String, _ port: Int) async -> String? {
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

    /// Closes the port and every connection. May be called again.
    package func stop() async { await ending() }
}
