// SPDX-License-Identifier: MIT

package import Logging

/// What one server serves, where, and how much it lets in.
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

    /// Bounds, each answered with a status of its own.
    package struct Limits: Sendable, Hashable {
        /// Bytes of one upload; above: 413. `nil`: what the disk holds.
        package var uploadBytes: Int64?
        /// Seconds without a byte, either way: 408 for an upload, else the connection is closed.
        package var idleSeconds: Double = 60
        /// Seconds that a connection without a request stays open; at least ``idleSeconds``.
        package var keepAliveSeconds: Double = 75
        /// Bytes of all fields of a request; above: 431. Above 80 KiB: 400 without a text.
        package var headerBytes = 32 * 1024
        /// Bytes of the `Cookie` field; above: 431.
        package var cookieBytes = 8 * 1024
        /// Connections open at once. Where they are used up, the one that has waited longest for a request is closed
        /// for the next; where all of them carry out requests, the next one waits to be accepted.
        package var connections = 1024
        /// Of these, how many one address may have open; those that wait for a request make room as above, and where
        /// none waits, the next one is closed.
        package var connectionsPerAddress = 256
        /// Bytes of bodies that are held in memory at once, about, over all connections; each connection gets at least
        /// 16 KiB at a time.
        package var bufferBytes = 64 * 1024 * 1024
        /// Seconds that running requests get after the end was asked for.
        package var shutdownSeconds: Double = 10
        /// Of a body that was refused, this much is read and thrown away, so that a client that sends before it reads
        /// still sees the answer.
        package var drainBytes: Int64 = 16 * 1024 * 1024
        package var drainSeconds: Double = 5

        package init() {}
    }

    /// An existing folder.
    package var root: String
    package var host: String
    /// 0: any that is free.
    package var port: Int
    package var tls: TLS?
    /// Asked of every request as `Authorization: Bearer TOKEN`. `nil`: everyone may.
    package var token: String?
    package var limits: Limits
    /// Further names that requests may have as `Host`. A server on loopback answers to addresses, to `localhost` and
    /// the names below it, and to these; one that other machines can reach answers to every name unless some are given.
    package var names: [String] = []
    /// What the refusal of a request with another `Host` ends with: how the operator allows it.
    package var unknownHostAdvice = ""
    /// Whether listings of folders hold names that begin with a dot. Such files are served either way.
    package var listsHidden = false
    /// Bytes a second for each connection, each way. `nil`: unlimited.
    package var rate: Int?
    /// Makes uploads durable before they are answered. Without it a power cut may lose what was answered 201.
    package var syncs = true
    /// One line a request at level `info`; no field of a request is ever logged.
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
