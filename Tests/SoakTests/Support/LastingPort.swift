// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A port of loopback for a server that restarts.
///
/// Not one of the kernel's ephemeral ports: while the server is down, a client that connects to it might get that port,
/// and be connected to itself.
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
