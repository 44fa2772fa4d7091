// SPDX-License-Identifier: MIT

import Glibc

/// The network interfaces of this machine.
package enum InterfaceNames {
    /// In the kernel's order, loopback included, whether they are up or not; empty if the kernel does not say.
    package static func read() -> [String] {
        forEachAddress { String(cString: $0.ifa_name) }.reduce(into: []) { names, name in
            // A colon begins the label of a further IPv4 address (netdevice(7)).
            if !name.utf8.contains(UInt8(ascii: ":")), !names.contains(name) { names.append(name) }
        }
    }

    /// The addresses at which other machines can reach this one, IPv4 first: of interfaces that are up and connected,
    /// without those that are valid on one link alone.
    package static func reachableAddresses() -> [String] {
        let found: [(isFour: Bool, text: String)] = forEachAddress { entry -> (isFour: Bool, text: String)? in
            let flags = entry.ifa_flags
            guard flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_RUNNING) != 0,
                flags & UInt32(IFF_LOOPBACK) == 0, let address = entry.ifa_addr,
                let text = text(of: address), !text.hasPrefix("169.254."), !text.hasPrefix("fe80:")
            else { return nil }
            return (address.pointee.sa_family == AF_INET, text)
        }.compactMap { $0 }
        return (found.filter { $0.isFour } + found.filter { !$0.isFour }).map { $0.text }
    }

    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let sizes = [Int32(AF_INET): MemoryLayout<sockaddr_in>.size, AF_INET6: MemoryLayout<sockaddr_in6>.size]
        guard let size = sizes[Int32(address.pointee.sa_family)] else { return nil }
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return host.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }

    private static func forEachAddress<Result>(_ read: (ifaddrs) -> Result) -> [Result] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var results: [Result] = []
        var next = first
        while let entry = next {
            results.append(read(entry.pointee))
            next = entry.pointee.ifa_next
        }
        return results
    }
}
