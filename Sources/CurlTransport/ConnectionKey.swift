// SPDX-License-Identifier: MIT

import CCurl
import Glibc

/// Identifies an open connection by its two endpoints.
struct ConnectionKey: Hashable {
    var remote: String
    var remotePort: Int
    var local: String
    var localPort: Int

    init(remote: String, remotePort: Int, local: String, localPort: Int) {
        self.remote = remote
        self.remotePort = remotePort
        self.local = local
        self.localPort = localPort
    }

    /// The current connection of `handle`, if any.
    init?(of handle: CurlHandle) {
        guard let remote = handle.string(CURLINFO_PRIMARY_IP), let local = handle.string(CURLINFO_LOCAL_IP),
            !local.isEmpty
        else { return nil }
        self.init(
            remote: remote, remotePort: handle.long(CURLINFO_PRIMARY_PORT), local: local,
            localPort: handle.long(CURLINFO_LOCAL_PORT))
    }

    /// The socket of this connection, searched among all descriptors of the process: libcurl does not report the socket
    /// of a reused connection during a transfer.
    var socket: Int32? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let number = withUnsafeBytes(of: &entry.pointee.d_name) {
                atoi($0.assumingMemoryBound(to: CChar.self).baseAddress!)
            }
            if number > 2, isConnection(number) { return number }
        }
        return nil
    }

    /// Whether `descriptor` is the socket of this connection.
    func isConnection(_ descriptor: Int32) -> Bool {
        Self.matches(local, localPort) { getsockname(descriptor, $0, $1) }
            && Self.matches(remote, remotePort) { getpeername(descriptor, $0, $1) }
    }

    private static func matches(
        _ host: String, _ port: Int,
        _ ask: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Bool {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let isKnown = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask($0, &size) == 0 }
            guard isKnown else { return false }
            var bytes = (UInt64(0), UInt64(0))
            return withUnsafeMutableBytes(of: &bytes) { expected in
                switch Int32(pointer.pointee.ss_family) {
                case AF_INET:
                    pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                        Int(UInt16(bigEndian: address.pointee.sin_port)) == port
                            && inet_pton(AF_INET, host, expected.baseAddress) == 1
                            && memcmp(&address.pointee.sin_addr, expected.baseAddress!, 4) == 0
                    }
                case AF_INET6:
                    pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                        Int(UInt16(bigEndian: address.pointee.sin6_port)) == port
                            && inet_pton(AF_INET6, host, expected.baseAddress) == 1
                            && memcmp(&address.pointee.sin6_addr, expected.baseAddress!, 16) == 0
                    }
                default: false
                }
            }
        }
    }
}
