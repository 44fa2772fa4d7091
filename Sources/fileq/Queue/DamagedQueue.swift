// SPDX-License-Identifier: MIT

import Glibc

/// Queues that the service has set aside because their files were damaged.
enum DamagedQueue {
    private static let prefix = "queue.sqlite.damaged-"

    /// The path of the latest; `nil`: there is none.
    /// - Parameter folder: where the service has its queue.
    static func latest(in folder: String) -> String? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var latest: String?
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            // The names end in the date and time.
            if let name, name.hasPrefix(prefix), name > latest ?? "" { latest = name }
        }
        return latest.map { "\(folder)/\($0)" }
    }
}
