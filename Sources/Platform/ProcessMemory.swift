// SPDX-License-Identifier: MIT

import CLinux

/// How this process uses memory.
package enum ProcessMemory {
    /// Keeps little of what was freed: a long list that a client asked for occupies nothing afterwards. To be called
    /// early.
    package static func returnLargeBlocks() { clinux_return_large_memory() }
}
