// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@Suite struct NumberedNameTests {
    @Test(arguments: [
        ("disk.iso", "disk-2.iso"), ("a.tar.gz", "a-2.tar.gz"), ("README", "README-2"), (".rc", ".rc-2"),
        (".tar.gz", ".tar-2.gz"), ("..gz", ".-2.gz"), ("a.", "a-2."), ("夏.tar.xz", "夏-2.tar.xz"),
    ]) func numbersBeforeTheEnding(_ name: String, _ expected: String) {
        #expect(NumberedName.make(name, 2) == expected)
    }

    @Test(arguments: [
        ("disk.iso", "disk.iso", 2), ("disk-2.iso", "disk.iso", 3), ("a-9.tar.gz", "a.tar.gz", 10),
        ("README-2", "README", 3), ("disk-1.iso", "disk-1.iso", 2), ("disk-9999.iso", "disk-9999.iso", 2),
        ("a-b.iso", "a-b.iso", 2), ("-2.iso", "-2.iso", 2), ("2026-11-27.log", "2026-11.log", 28),
        ("track-07.mp3", "track-07.mp3", 2), ("utc-+2.txt", "utc-+2.txt", 2),
    ]) func countsOn(_ name: String, _ base: String, _ number: Int) {
        let next = NumberedName.next(name)
        #expect(next.name == base && next.number == number)
    }

    /// A longer name than file systems have would never be free.
    @Test(arguments: [
        String(repeating: "x", count: 251) + ".iso", String(repeating: "x", count: 248) + ".tar.gz",
        String(repeating: "夏", count: 85), String(repeating: "x", count: 254),
        "x." + String(repeating: "y", count: 253), "." + String(repeating: "夏", count: 84) + ".x",
    ]) func shortensWhatLeavesNoRoom(_ name: String) {
        for number in [2, 9999] {
            let numbered = NumberedName.make(name, number)
            #expect(numbered.utf8.count <= 255 && numbered.utf8.count > 245)
            #expect(numbered.contains("-\(number)"))
            #expect(numbered.hasSuffix(".iso") == name.hasSuffix(".iso"))
            #expect(numbered.hasSuffix(".tar.gz") == name.hasSuffix(".tar.gz"))
        }
    }
}
