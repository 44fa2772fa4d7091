// SPDX-License-Identifier: MIT

/// The transfers that one command has added from a folder or a list.
package struct TransferBatch: Sendable, Hashable, Codable {
    /// Of no other batch: 15 hexadecimal digits, in the order of time.
    package var id: String
    /// The last part of the folder's or the list's path; of several, separated by commas.
    package var name: String

    package init(id: String, name: String) { (self.id, self.name) = (id, name) }

    /// - Parameter now: seconds since 1970.
    package init(name: String, now: Double) {
        let time = String(UInt64(max(0, min(now, 1e10)) * 1000), radix: 16)
        let chance = String(UInt32.random(in: 0x1000...0xffff), radix: 16)
        self.init(id: String(repeating: "0", count: max(0, 11 - time.count)) + time + chance, name: name)
    }
}
