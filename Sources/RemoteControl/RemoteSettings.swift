// SPDX-License-Identifier: MIT

package import TransferModel

/// The address, the limits and the secret of a remote control.
package struct RemoteSettings: Sendable, Hashable {
    package struct TLS: Sendable, Hashable {
        package var certificatePath: String
        package var keyPath: String

        package init(certificatePath: String, keyPath: String) {
            (self.certificatePath, self.keyPath) = (certificatePath, keyPath)
        }
    }

    /// What aria2 listens on.
    package static let usualPort = 6800

    package var host = "127.0.0.1"
    /// 0: any free one.
    package var port = usualPort
    /// Clients send it with each call as `token:SECRET`.
    @Secret package var secret: String
    /// Required for addresses that are not loopback.
    package var tls: TLS?
    /// Further names of this server in `Host`.
    package var names: [String] = []
    /// Further pages that may call, such as `https://ariang.example.org`; `null` for files that a browser opens.
    /// Extensions of browsers, and programs, which send no origin, always may.
    package var origins: [String] = []
    /// The download folder, absolute: files are stored in and below it.
    package var folder: String
    /// Whether clients may name other folders.
    package var allowsOutside = false
    /// Whether clients may end the service.
    package var allowsShutdown = false

    package init(secret: String, folder: String) {
        self.folder = folder
        _secret = Secret(secret)
    }

    package var isLoopback: Bool { RequestHost.isLoopback(host) }

    /// The address for clients, with the port that the server has.
    package func url(port: Int) -> String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(tls == nil ? "http" : "https")://\(host):\(port)/jsonrpc"
    }
}
