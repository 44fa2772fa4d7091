// SPDX-License-Identifier: MIT

import FoundationEssentials
package import HTTPTypes
import StructuredFieldValues

/// `Repr-Digest` and `Content-Digest` (RFC 9530): a dictionary of algorithms and byte sequences, such as
/// `sha-256=:base64:`. Algorithms other than SHA-256 and SHA-512 are ignored.
package struct ReprDigest: Sendable, Hashable, CustomStringConvertible {
    /// At most one for each algorithm; SHA-256 first.
    package let checksums: [Checksum]

    package init(_ checksum: Checksum) { checksums = [checksum] }

    /// `nil` where the text is no structured dictionary, or a digest is of the wrong length. No algorithm that is
    /// known gives an empty list.
    package init?(parsing text: some StringProtocol) {
        guard let fields = try? StructuredFieldValueDecoder().decode(Fields.self, from: Array(text.utf8)) else {
            return nil
        }
        var found: [Checksum] = []
        for (algorithm, data) in [(Checksum.Algorithm.sha256, fields.sha256), (.sha512, fields.sha512)] {
            guard let data else { continue }
            guard data.count == algorithm.byteCount else { return nil }
            found.append(Checksum(algorithm: algorithm, bytes: Array(data)))
        }
        checksums = found
    }

    /// `Digest` (RFC 3230, section 4.3.2), which RFC 6249 uses: `SHA-256=BASE64`, separated by commas.
    package init(obsolete text: some StringProtocol) {
        var found: [Checksum] = []
        for (name, algorithm) in [("sha-256", Checksum.Algorithm.sha256), ("sha-512", .sha512)] {
            for part in text.split(separator: ",") {
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, pair[0].lowercased().filter({ $0 != " " && $0 != "\t" }) == name,
                    let data = Data(base64Encoded: String(pair[1].filter { $0 != " " && $0 != "\t" })),
                    data.count == algorithm.byteCount, !found.contains(where: { $0.algorithm == algorithm })
                else { continue }
                found.append(Checksum(algorithm: algorithm, bytes: Array(data)))
            }
        }
        checksums = found
    }

    package subscript(algorithm: Checksum.Algorithm) -> Checksum? { checksums.first { $0.algorithm == algorithm } }

    package var description: String {
        checksums.map { checksum in
            let name = checksum.algorithm == .sha256 ? "sha-256" : "sha-512"
            return "\(name)=:\(Data(checksum.bytes).base64EncodedString()):"
        }.joined(separator: ", ")
    }

    /// The algorithm that a `Want-Content-Digest` or `Want-Repr-Digest` field prefers (RFC 9530, section 4); of equals,
    /// SHA-256. `nil` if it is malformed, or accepts none that is known.
    package static func algorithm(wantedBy text: some StringProtocol) -> Checksum.Algorithm? {
        guard let wanted = try? StructuredFieldValueDecoder().decode(Preferences.self, from: Array(text.utf8)) else {
            return nil
        }
        let (sha256, sha512) = (wanted.sha256 ?? 0, wanted.sha512 ?? 0)
        guard max(sha256, sha512) > 0 else { return nil }
        return sha512 > sha256 ? .sha512 : .sha256
    }

    /// 0: not acceptable, 10: the best.
    private struct Preferences: StructuredFieldValue {
        static let structuredFieldType = StructuredFieldType.dictionary
        var sha256: Int64?
        var sha512: Int64?

        enum CodingKeys: String, CodingKey {
            case sha256 = "sha-256"
            case sha512 = "sha-512"
        }
    }

    private struct Fields: StructuredFieldValue {
        static let structuredFieldType = StructuredFieldType.dictionary
        var sha256: Data?
        var sha512: Data?

        enum CodingKeys: String, CodingKey {
            case sha256 = "sha-256"
            case sha512 = "sha-512"
        }
    }
}

extension HTTPField.Name {
    package static let reprDigest = HTTPField.Name("Repr-Digest")!
    package static let contentDigest = HTTPField.Name("Content-Digest")!
    package static let wantContentDigest = HTTPField.Name("Want-Content-Digest")!
}
