// SPDX-License-Identifier: MIT

import CLinux

/// How many descriptors this process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to `most`, or to the hard limit. Programs that it runs inherit it.
    package static func raise(to most: UInt64) { _ = clinux_raise_descriptor_limit(most) }
}
