// SPDX-License-Identifier: MIT

package import TransferModel

/// A line of a list: on the wire the number of a transfer, or the name of a group.
package enum ListRow: Hashable, Sendable {
    /// The heading of a group.
    case group(String)
    case transfer(TransferID)
}

extension ListRow: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let id = try? container.decode(TransferID.self) {
            self = .transfer(id)
        } else {
            self = .group(try container.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .group(let key): try container.encode(key)
        case .transfer(let id): try container.encode(id)
        }
    }
}
