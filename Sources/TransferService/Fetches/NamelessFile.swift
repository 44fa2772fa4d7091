// SPDX-License-Identifier: MIT

import CLinux
import Platform

/// A file that has all its bytes and no name. Without one it ends with its last reference.
struct NamelessFile: Sendable {
    let descriptor: Descriptor
    let folder: Descriptor
    let device: UInt64
    let inode: UInt64

    /// Gives it a name in its folder; a file that has the name stays.
    /// - Returns: 0 or an errno.
    func link(as name: String) -> Int32 { clinux_link_nameless(descriptor.number, folder.number, name) }
}
