// SPDX-License-Identifier: MIT

package import Platform

/// A mounted file system whose server never replies: every call on it waits until the last reference goes. For root.
package final class HungFileSystem: Sendable {
    private let mount: FuseMount

    package static var isPossible: Bool { FuseMount.isPossible }

    /// - Parameter folder: covered by it until the end; `nil`: a new folder.
    /// - Throws: what the system reports.
    package init(at folder: String? = nil) throws(SystemError) { mount = try FuseMount(at: folder) }

    package var path: String { mount.path }
    package func file(_ name: String) -> String { mount.file(name) }
}
