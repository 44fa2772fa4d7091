// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Resume data in JSON, of one version.
protocol VersionedData: Codable {
    static var currentVersion: Int { get }
}

extension VersionedData {
    /// JSON, keys sorted.
    var sortedJSON: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Every member is a plain value that JSON can hold, so encoding has nothing to fail on.
        return (try? encoder.encode(self)) ?? Data()
    }

    /// - Throws: code `rangeRefused` if the data is damaged, not sound or of a newer version.
    static func decoded(_ data: Data, isSound: (Self) -> Bool = { _ in true }) throws(TransferError) -> Self {
        let decoder = JSONDecoder()
        // The version first: a later one may have another shape.
        if let found = try? decoder.decode(Versioned.self, from: data), found.version != currentVersion {
            throw TransferError(.rangeRefused, .resumeDataVersion, found.version, currentVersion)
        }
        guard let decoded = try? decoder.decode(Self.self, from: data), isSound(decoded) else {
            throw TransferError(.rangeRefused, .resumeDataDamaged, fields: .init(variant: .mustStartAgain))
        }
        return decoded
    }
}

private struct Versioned: Codable { var version: Int }
