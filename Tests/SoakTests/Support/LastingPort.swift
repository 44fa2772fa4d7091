// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A port of loopback at which a server can listen again and again.
///
/// Not one of those that the kernel gives to clients: while the server is away, one that tries to connect to it may be
/// given its port, and then it is connected to itself.
func lastingPort() throws -> Int {
    for _ in 0..<200 {
        let port = Int.random(in: 15_000..<32_000)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isFree = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isFree { return port }
    }
    throw POSIXError(.EADDRINUSE)
}
