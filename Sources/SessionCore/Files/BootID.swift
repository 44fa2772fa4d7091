// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization

/// Identifies the boot: bytes written but not synced survive a crash of the program, not of the machine.
package enum BootID {
    /// The kernel's boot ID; `nil` if unavailable. Read once.
    package static var current: String? { simulated.withLock { $0 } ?? kernels }

    /// That of a simulated machine.
    package static func simulate(_ id: String) { simulated.withLock { $0 = id } }

    private static let simulated = Mutex<String?>(nil)
    private static let kernels: String? = {
        guard let file = try? Descriptor.open("/proc/sys/kernel/random/boot_id", O_RDONLY),
            let bytes = try? file.read(64), !bytes.isEmpty
        else { return nil }
        return String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
    }()
}
