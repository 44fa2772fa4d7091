// SPDX-License-Identifier: MIT

/// The folder that holds a path's last component, by its text alone (dirname(3)).
package enum ParentFolder {
    /// - Returns: `/` for a file of the root, `.` for a name without a folder.
    package static func path(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}
