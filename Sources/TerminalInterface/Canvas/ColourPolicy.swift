// SPDX-License-Identifier: MIT

/// Whether the environment wants colours: `NO_COLOR` before `CLICOLOR_FORCE` before `CLICOLOR`.
package enum ColourPolicy {
    /// What can be shown is for the terminal to say; this only tells what is wanted.
    package static func wantsColours(_ environment: [String: String]) -> Bool {
        if let value = environment["NO_COLOR"], !value.isEmpty { return false }
        if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
        return environment["CLICOLOR"] != "0"
    }
}
