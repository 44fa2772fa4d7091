// SPDX-License-Identifier: MIT

import FoundationEssentials
package import TransferModel

/// The end of a transfer of a background session, for the session's delegate, once.
///
/// A queue stores it until it is acknowledged, so that the program's next run receives an end without a listener.
package struct SessionEvent: Sendable, Hashable, Codable {
    /// Maximum events of a reply.
    package static let maximumLimit = 1000

    /// A field of the response's head.
    package struct Field: Sendable, Hashable, Codable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Rises over all sessions of a queue; never reused.
    package var sequence: Int64
    /// Seconds since 1970.
    package var time: Double
    /// As it was at its end: completed, failed or cancelled.
    package var transfer: Transfer
    /// The fields of the last final response, in order, without cookies, which are secrets. Empty if none came.
    package let responseFields: [Field]

    /// - Parameter responseFields: fields that set cookies are dropped, as is everything beyond 32 KiB.
    package init(sequence: Int64, time: Double, transfer: Transfer, responseFields: [Field] = []) {
        self.sequence = sequence
        self.time = time
        self.transfer = transfer
        self.responseFields = Self.kept(responseFields)
    }

    private static func kept(_ fields: [Field]) -> [Field] {
        var room = 32 << 10
        return fields.filter { !["set-cookie", "set-cookie2"].contains($0.name.lowercased()) }.prefix { field in
            room -= field.name.utf8.count + field.value.utf8.count
            return room >= 0
        }
    }
}

/// The stored form of an event: a JSON object of `version` (1), `time`, `transfer` and `responseFields` (`name`,
/// `value`), the last three as on the wire. It does not contain the number, which the store assigns.
extension SessionEvent {
    private struct Stored: Codable {
        var version: Int
        var time: Double
        var transfer: Transfer
        var responseFields: [Field]
    }

    private static let version = 1

    /// Everything but ``sequence``.
    package func encoded() -> [UInt8] {
        let stored = Stored(version: Self.version, time: time, transfer: transfer, responseFields: responseFields)
        // Plain values: JSON can represent them all.
        return (try? ControlCoding.line(stored)).map { Array($0.dropLast()) } ?? []
    }

    /// Decodes the result of ``encoded()``, with the number from the store.
    /// - Throws: code `usage` for a newer version's, `other` for invalid bytes.
    package init(decoding bytes: [UInt8], sequence: Int64) throws(TransferError) {
        guard let stored = try? ControlCoding.read(Stored.self, from: bytes) else {
            throw TransferError(
                .other, "a stored event of a background session cannot be read",
                fields: .init(variant: .eventUnreadable))
        }
        guard stored.version <= Self.version else {
            throw TransferError(
                .usage, "an event of a background session was stored by a newer version of this program",
                fields: .init(variant: .newerVersion))
        }
        self.init(
            sequence: sequence, time: stored.time, transfer: stored.transfer, responseFields: stored.responseFields)
    }
}
