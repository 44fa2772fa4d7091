// SPDX-License-Identifier: MIT

import StructuredFieldValues

/// `Upload-Limit`: what a server accepts for one upload. Bytes, and seconds for ``lifetime``.
package struct UploadLimits: Sendable, Hashable {
    package var maximumSize: Int64?
    package var minimumSize: Int64?
    package var maximumAppend: Int64?
    /// Not for the last append, nor for an empty creation.
    package var minimumAppend: Int64?
    /// Seconds that the upload resource remains.
    package var lifetime: Int64?

    package init(
        maximumSize: Int64? = nil, minimumSize: Int64? = nil, maximumAppend: Int64? = nil,
        minimumAppend: Int64? = nil, lifetime: Int64? = nil
    ) {
        self.maximumSize = maximumSize
        self.minimumSize = minimumSize
        self.maximumAppend = maximumAppend
        self.minimumAppend = minimumAppend
        self.lifetime = lifetime
    }

    /// `nil` if the text is not a dictionary, or a known key has a value that is not a non-negative integer: the field
    /// is then ignored. Unknown keys are ignored. Accepts `expires` (version 6) for `max-age`.
    package init?(parsing text: some StringProtocol) {
        guard let members = try? StructuredFieldValueDecoder().decode(Members.self, from: Array(text.utf8)) else {
            return nil
        }
        let values = [members.maxSize, members.minSize, members.maxAppend, members.minAppend, members.maxAge]
        guard values.allSatisfy({ $0.map { $0 >= 0 } ?? true }) else { return nil }
        self.init(
            maximumSize: members.maxSize, minimumSize: members.minSize, maximumAppend: members.maxAppend,
            minimumAppend: members.minAppend, lifetime: members.maxAge ?? members.expires)
    }

    /// The limits contradict each other: no upload can obey them.
    package var isContradictory: Bool {
        if let maximumSize, let minimumSize, minimumSize > maximumSize { return true }
        if let maximumAppend, let minimumAppend, minimumAppend > maximumAppend { return true }
        return maximumSize == 0 || maximumAppend == 0
    }

    /// - Returns: `nil` for a version without this field. Without any limit, `min-size=0`.
    package func field(for version: UploadInterop) -> String? {
        guard let lifetimeKey = version.traits.lifetimeKey else { return nil }
        let members: [(String, Int64?)] = [
            ("max-size", maximumSize), ("min-size", minimumSize), ("max-append-size", maximumAppend),
            ("min-append-size", minimumAppend), (lifetimeKey, lifetime),
        ]
        let text = members.compactMap { key, value in
            value.map { "\(key)=\(min(max(0, $0), UploadFields.largestInteger))" }
        }
        return text.isEmpty ? "min-size=0" : text.joined(separator: ", ")
    }

    private struct Members: StructuredFieldValue {
        static let structuredFieldType = StructuredFieldType.dictionary
        var maxSize: Int64?
        var minSize: Int64?
        var maxAppend: Int64?
        var minAppend: Int64?
        var maxAge: Int64?
        var expires: Int64?

        enum CodingKeys: String, CodingKey {
            case maxSize = "max-size"
            case minSize = "min-size"
            case maxAppend = "max-append-size"
            case minAppend = "min-append-size"
            case maxAge = "max-age"
            case expires
        }
    }
}
