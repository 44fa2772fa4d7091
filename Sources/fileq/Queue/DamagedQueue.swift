// SPDX-License-Identifier: MIT

import Foundation

/// Queues that the service has set aside because their files were damaged.
enum DamagedQueue {
    private static let prefix = "queue.sqlite.damaged-"

    /// The path of the latest; `nil`: there is none.
    /// - Parameter folder: where the service has its queue.
    static func latest(in folder: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // They end in the date and time.
        return names.filter { $0.hasPrefix(prefix) }.max().map { "\(folder)/\($0)" }
    }
}
