// SPDX-License-Identifier: MIT

import Platform
import Testing

@Suite struct InterfaceNamesTests {
    @Test func namesEachInterfaceOnce() {
        let names = InterfaceNames.read()
        #expect(names.contains("lo"))
        #expect(Set(names).count == names.count)
    }
}
