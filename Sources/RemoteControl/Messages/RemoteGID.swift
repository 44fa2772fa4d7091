// SPDX-License-Identifier: MIT

import TransferModel

/// aria2's name of a transfer: 16 hexadecimal digits.
///
/// It is made from the ID by a multiplication that can be reverted, so that no table is needed, names stay after a
/// restart, and a few digits already differ: clients show only the first six.
struct RemoteGID: Sendable, Hashable {
    let rawValue: UInt64

    private static let factor: UInt64 = 0x9e37_79b9_7f4a_7c15
    /// The inverse of ``factor`` modulo 2^64.
    private static let inverse: UInt64 = 0xf1de_83e1_9937_733d

    init(_ id: TransferID) { rawValue = UInt64(bitPattern: Int64(id.rawValue)) &* Self.factor }

    /// The one that a client has chosen, if it has, which the record has among the words of its origin.
    init(_ transfer: Transfer) { self = transfer.taskDescription.flatMap(Self.init(origin:)) ?? Self(transfer.id) }

    /// - Returns: `nil` unless it has all digits. aria2 has no 0.
    init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy({ Hex.value(of: $0) != nil }),
            let value = UInt64(text, radix: 16), value != 0
        else { return nil }
        rawValue = value
    }

    /// The ID that it is made from, whether or not there is such a transfer.
    var id: TransferID? {
        let number = Int64(bitPattern: rawValue &* Self.inverse)
        return number > 0 ? TransferID(rawValue: Int(number)) : nil
    }

    var text: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Text in the record of transfers that were added here, which `info` shows.
    private static let origin = "added by remote control"
    private static let chosen = origin + ", GID "

    /// - Parameter gid: `nil` unless the client has chosen one.
    static func origin(_ gid: RemoteGID?) -> String { gid.map { chosen + $0.text } ?? origin }

    init?(origin text: String) {
        guard text.hasPrefix(Self.chosen) else { return nil }
        self.init(String(text.dropFirst(Self.chosen.count)))
    }
}
