// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// Which boot of the machine this is: bytes that were written but not synced survive a crash of the program, not a
/// crash of the machine.
public enum BootID {
    /// The kernel's boot id; `nil` where the kernel does not tell. Read once.
    public static let current: String? = {
        guard let file = try? Descriptor.open("/proc/sys/kernel/random/boot_id", O_RDONLY),
            let bytes = try? file.read(64), !bytes.isEmpty
        else { return nil }
        return String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
    }()
}
