// SPDX-License-Identifier: MIT

import Foundation

/// Files in the forms of the program's versions, under `Tests/Goldens/VERSION`. Those of released versions are never
/// recorded again: later versions must read them.
package enum Golden {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Tests/Goldens").path

    package static func path(_ name: String, version: Int = 1) -> String { "\(folder)/\(version)/\(name)" }

    package static func bytes(_ name: String, version: Int = 1) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name, version: version))))
    }

    package static func text(_ name: String, version: Int = 1) throws -> String {
        String(decoding: try bytes(name, version: version), as: UTF8.self)
    }
}
