// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A free port of loopback. It may be in use by the time it is used.
package func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    guard let port = bindLoopback(descriptor) else { throw POSIXError(.EADDRINUSE) }
    return port
}

/// Binds a socket to a free port.
private func bindLoopback(_ descriptor: Int32) -> Int? {
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var address = loopback(0)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
    }
    return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
}

/// A port of loopback that refuses connections, reserved as long as this exists.
package final class RefusingPort: Sendable {
    package let number: Int
    private let descriptor: Int32

    package init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard let number = bindLoopback(descriptor) else {
            close(descriptor)
            throw POSIXError(.EADDRINUSE)
        }
        (self.descriptor, self.number) = (descriptor, number)
    }

    deinit { close(descriptor) }
}

/// A connection to a port of loopback; below 0 if refused.
package func connectLoopback(_ port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = loopback(port)
    let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return -1
}

func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}
