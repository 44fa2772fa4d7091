// SPDX-License-Identifier: MIT

import CTerminal

/// Whether the environment asks for colours: `NO_COLOR` before `CLICOLOR_FORCE` before `CLICOLOR`.
package enum ColourPolicy {
    /// The terminal decides what is possible; this only states the preference.
    package static func wantsColours(_ environment: [String: String]) -> Bool {
        if let value = environment["NO_COLOR"], !value.isEmpty { return false }
        if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
        return environment["CLICOLOR"] != "0"
    }

    /// The colours that terminals of a type (`TERM`) have; `nil` without a description, or while a screen is open.
    package static func colours(ofType type: String) -> Int? {
        let count = ct_described_colours(type)
        return count < 0 ? nil : Int(count)
    }
}
