// SPDX-License-Identifier: MIT

import Glibc

/// Whether text goes to the terminal as UTF-8, by the environment: the name counts, as locales of other machines, which
/// ssh sends, are often not installed.
package enum TerminalText {
    /// `nil` if nothing in the environment says so: terminals of today take UTF-8.
    package static func isUnicode(_ environment: (String) -> String?) -> Bool? {
        guard let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first(where: { !$0.isEmpty })
        else { return nil }
        let name = locale.lowercased()
        if ["utf-8", "utf8"].contains(where: { name.hasSuffix($0) || name.contains("\($0)@") }) { return true }
        // Some locales are UTF-8 without a name for it, such as en_IN.
        guard let installed = newlocale(LC_CTYPE_MASK, locale, nil) else { return false }
        defer { freelocale(installed) }
        return nl_langinfo_l(Int32(CODESET), installed).map { String(cString: $0) } == "UTF-8"
    }
}
