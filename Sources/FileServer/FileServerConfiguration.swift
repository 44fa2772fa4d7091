// SPDX-License-Identifier: MIT

package import Logging
import TransferModel

/// The folder, the address and the limits of a server.
package struct FileServerConfiguration: Sendable {
    /// Certificate chain and private key, both PEM files.
    package struct TLS: Sendable, Hashable {
        package var certificatePath: String
        package var keyPath: String

        package init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    /// Limits, each with a status of its own.
    package struct Limits: Sendable, Hashable {
        /// Bytes of an upload; above: 413. `nil`: limited by the disk.
        package var uploadBytes: Int64?
        /// Bytes of one request of a resumable upload; above: 413. `nil`: unlimited.
        package var appendBytes: Int64?
        /// Bytes of all unfinished resumable uploads together, with some of what their lengths announce; above: 507.
        /// `nil`: limited by the disk.
        package var unfinishedBytes: Int64?
        /// Unfinished resumable uploads; above: 503.
        package var unfinishedUploads = 10_000
        /// Seconds from the last byte of an unfinished upload until it is removed.
        package var uploadLifetimeSeconds: Double = 7 * 86_400
        /// Seconds after which an unfinished upload of which nothing has arrived may be removed for others.
        package var emptySeconds: Double = 600
        /// Seconds between two reports of progress to the client.
        package var progressSeconds: Double = 1
        /// Seconds without a byte in either direction: 408 for an upload, else the connection is closed.
        package var idleSeconds: Double = 60
        /// Seconds until an idle connection is closed; at least ``idleSeconds``.
        package var keepAliveSeconds: Double = 75
        /// Bytes of all header fields of a request; above: 431. Above 80 KiB: 400 without a text.
        package var headerBytes = 32 * 1024
        /// Bytes of the `Cookie` field; above: 431.
        package var cookieBytes = 8 * 1024
        /// Open connections. When all are in use, the longest idle one is closed for the next; if all are busy, the
        /// slowest one below ``leastRate``, else the next one waits in the backlog.
        package var connections = 1024
        /// Open connections per IPv4 address or IPv6 network of 64 bits; replaced as above, and if none can be, the
        /// next one is closed.
        package var connectionsPerAddress = 256
        /// Bytes per second of a request or response, while the server waits for the peer: over the last minute of such
        /// time, and after at least ``leastRateSeconds`` of it.
        package var leastRate: Double = 1024
        package var leastRateSeconds: Double = 10
        /// Approximate bytes of bodies that wait for disk or network, over all connections; each connection gets at
        /// least 16 KiB at a time. A single upload gets a thirty-second, so that its writes are large.
        package var bufferBytes = 16 * 1024 * 1024
        /// Seconds for running requests to finish at shutdown.
        package var shutdownSeconds: Double = 10
        /// This much of a rejected request body is read and discarded, so that a client that sends before it reads
        /// still gets the response.
        package var drainBytes: Int64 = 16 * 1024 * 1024
        package var drainSeconds: Double = 5

        package init() {}
    }

    /// An existing folder.
    package var root: String
    package var host: String
    /// 0: any free port.
    package var port: Int
    package var tls: TLS?
    /// Required of every request as a bearer token, or as the password of Basic. `nil`: no token.
    package var token: String?
    package var limits: Limits
    /// Additional names for `Host`. A server on loopback accepts addresses, `localhost` and names below it, and these;
    /// one that other machines can reach accepts every name unless some are given.
    package var names: [String] = []
    /// The end of the error text for another `Host`: how the operator allows it.
    package var unknownHostAdvice = ""
    /// Whether folder listings include names that begin with a dot. Such files are served either way.
    package var listsHidden = false
    /// Whether plain files and folders may be deleted. FileQ uploads always may.
    package var allowsDelete = false
    /// Bytes per second for each connection and direction. `nil`: unlimited.
    package var rate: Int?
    /// Syncs uploads before responding. Without it a power cut may lose uploads answered with 201.
    package var syncs = true
    /// Called after each request, on its connection's event loop; must not block.
    package var log: (@Sendable (RequestRecord) -> Void)?
    /// Warnings about the server's own disk; never logs header fields.
    package var logger: Logger

    package init(
        root: String, host: String = "127.0.0.1", port: Int = 0, tls: TLS? = nil, token: String? = nil,
        limits: Limits = .init(), rate: Int? = nil,
        logger: Logger = Logger(label: "fileq.server") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.root = root
        self.host = host
        self.port = port
        self.tls = tls
        self.token = token
        self.limits = limits
        self.rate = rate
        self.logger = logger
    }

    /// Whether only this machine can connect.
    package var isLoopback: Bool { RequestHost.isLoopback(host) }
}
