// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// Opens files and folders with the desktop's program for them.
enum FileOpener {
    /// In a session of its own: a program that wants a terminal must not get this one.
    /// - Returns: the problem, if any.
    @Sendable static func open(_ path: String) -> String? {
        do throws(SystemError) {
            let status = try Spawn(["xdg-open", path], group: .session).start().reap()
            return status == .exited(code: 0) ? nil : "no program opens \(path) here"
        } catch {
            return error.errno == ENOENT ? "xdg-open is not installed (xdg-utils)" : "\(error)"
        }
    }
}
