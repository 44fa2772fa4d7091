// SPDX-License-Identifier: MIT

import Platform
import Testing

@Suite struct QRCodeTests {
    @Test(.enabled(if: QRCode("x") != nil, "libqrencode is not installed")) func codesHaveFinderPatterns() throws {
        let code = try #require(QRCode("http://192.0.2.7:8080/"))
        #expect(code.width >= 25 && code.width % 4 == 1 && code.modules.count == code.width * code.width)
        for (column, row) in [(0, 0), (code.width - 7, 0), (0, code.width - 7)] {
            #expect((0..<7).allSatisfy { code.isDark(column + $0, row) && code.isDark(column, row + $0) })
            #expect((1..<6).allSatisfy { !code.isDark(column + $0, row + 1) } && code.isDark(column + 3, row + 3))
        }
        #expect(!code.isDark(-1, 0) && !code.isDark(0, code.width))
        #expect(QRCode(String(repeating: "x", count: 5000)) == nil)
    }
}
