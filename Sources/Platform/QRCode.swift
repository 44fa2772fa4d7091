// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// A QR code by libqrencode.
package struct QRCode: Sendable, Equatable {
    /// Modules in a row, and rows.
    package let width: Int
    /// Row by row; `true` is dark.
    package let modules: [Bool]

    package init(width: Int, modules: [Bool]) { (self.width, self.modules) = (width, modules) }

    /// `nil` if the library is not installed, or `text` is too long.
    package init?(_ text: String) {
        var width: Int32 = 0
        guard let found = clinux_qr_code(text, &width) else { return nil }
        defer { free(found) }
        self.init(width: Int(width), modules: (0..<Int(width * width)).map { found[$0] != 0 })
    }

    /// Whether a module is dark; outside of the code, none is.
    package func isDark(_ column: Int, _ row: Int) -> Bool {
        (0..<width).contains(column) && (0..<width).contains(row) && modules[row * width + column]
    }
}
