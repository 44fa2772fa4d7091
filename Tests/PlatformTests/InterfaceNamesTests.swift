// SPDX-License-Identifier: MIT

import Platform
import Testing

@Suite struct InterfaceNamesTests {
    @Test func namesEachInterfaceOnce() {
        let names = InterfaceNames.read()
        #expect(names.contains("lo"))
        #expect(Set(names).count == names.count)
    }

    @Test func addressesOfOneLinkAreNotReachable() {
        let addresses = InterfaceNames.reachableAddresses()
        #expect(Set(addresses).count == addresses.count)
        for address in addresses {
            #expect(!address.hasPrefix("127.") && address != "::1" && !address.contains("%"), "\(address)")
        }
    }
}
