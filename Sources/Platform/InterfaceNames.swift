// SPDX-License-Identifier: MIT

import Glibc

/// The network interfaces of this machine.
package enum InterfaceNames {
    /// In the kernel's order, loopback included, whether they are up or not; empty if the kernel does not say.
    package static func read() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var names: [String] = []
        var next = first
        while let entry = next {
            let name = String(cString: entry.pointee.ifa_name)
            // A colon begins the label of a further IPv4 address (netdevice(7)).
            if !name.utf8.contains(UInt8(ascii: ":")), !names.contains(name) { names.append(name) }
            next = entry.pointee.ifa_next
        }
        return names
    }
}
