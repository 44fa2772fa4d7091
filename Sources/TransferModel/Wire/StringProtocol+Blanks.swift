// SPDX-License-Identifier: MIT

extension StringProtocol {
    /// Without the optional white space (RFC 9110, section 5.6.3) at either end.
    package var withoutBlanks: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }),
            let last = lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(self[first...last])
    }
}
