// SPDX-License-Identifier: MIT

import Glibc

/// Which boot of the machine this is: bytes that were written but not synced survive a crash of the program, not a
/// crash of the machine.
public enum BootID {
    /// The kernel's boot id; `nil` where the kernel does not tell. Read once.
    public static let current: String? = {
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].filter { $0 > 0x20 }, as: UTF8.self)
    }()
}
