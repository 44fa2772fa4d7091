// SPDX-License-Identifier: MIT

/// Whether the environment asks for colours: `NO_COLOR` before `CLICOLOR_FORCE` before `CLICOLOR`.
package enum ColourPolicy {
    /// The terminal decides what is possible; this only states the preference.
    package static func wantsColours(_ environment: [String: String]) -> Bool {
        if let value = environment["NO_COLOR"], !value.isEmpty { return false }
        if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
        return environment["CLICOLOR"] != "0"
    }
}
