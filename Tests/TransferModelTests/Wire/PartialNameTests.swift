// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@Suite struct PartialNameTests {
    @Test(arguments: ["a", "/d/a b.iso", "d/\(String(repeating: "n", count: 231))"])
    func appendsItsEnding(_ path: String) {
        #expect(PartialName.path(for: path) == path + ".fileq-part")
    }

    @Test(arguments: [232, 240, 244, 245, 255]) func longNamesLeaveRoomForRecords(_ count: Int) {
        let path = PartialName.path(for: "/d/" + String(repeating: "n", count: count - 4) + ".iso")
        let name = path.dropFirst(3)
        #expect(path.hasPrefix("/d/nnn") && name.hasSuffix(".fileq-part"))
        for ending in SafeFileName.reservedSuffixes {
            #expect(name.utf8.count - PartialName.ending.utf8.count + ending.utf8.count <= 255)
        }
    }

    @Test func longNamesThatBeginAlikeHaveTwo() {
        let start = String(repeating: "夏", count: 80)
        let paths = ["\(start).iso", "\(start).iso ", "\(start)a"].map { PartialName.path(for: $0) }
        #expect(Set(paths).count == 3)
        #expect(paths[0] == PartialName.path(for: "\(start).iso"))
        #expect(paths.allSatisfy { !$0.contains("\u{FFFD}") })
    }

    /// Creating the partial file fails, not the rename at the end.
    @Test func namesThatNoFileCanHaveStay() {
        let name = String(repeating: "n", count: 256)
        #expect(PartialName.path(for: name) == name + ".fileq-part")
    }
}
