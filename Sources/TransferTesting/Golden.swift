// SPDX-License-Identifier: MIT

import Foundation

/// Files written by released versions, under `Tests/Goldens/VERSION`. Never recorded again: later versions must read
/// them.
package enum Golden {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Tests/Goldens/1").path

    package static func path(_ name: String) -> String { "\(folder)/\(name)" }

    package static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    package static func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }
}
