// SPDX-License-Identifier: MIT

import FoundationEssentials
package import HTTPTypes

/// The tus protocol, version 1.0.0: its fields and values.
package enum Tus {
    package static let version = "1.0.0"
    package static let appendType = "application/offset+octet-stream"
    /// What `Upload-Checksum` may use, best first.
    package static let checksumAlgorithms: [Checksum.Algorithm] = [.sha256, .sha512, .sha1, .md5]
    /// An extension of fileq: a repeated request to join the same parts gets the response of the first one, and stores
    /// no second file.
    package static let repeatableConcatenation = "fileq-concatenation-repeatable"
    /// Bytes of `Upload-Metadata`.
    package static let maximumMetadataBytes = 8 * 1024

    /// A non-negative decimal integer; `nil` for anything else.
    package static func number(_ text: some StringProtocol) -> Int64? { ContentRange.number(text) }

    /// The words of a list such as `Tus-Extension`; none of an absent field.
    package static func words(_ field: String?) -> [Substring] { (field ?? "").split { $0 == "," || $0 == " " } }

    /// `Upload-Metadata`: keys and base64 values.
    package struct Metadata: Sendable, Hashable {
        package struct Pair: Sendable, Hashable {
            package var key: String
            package var value: [UInt8]

            package init(key: String, value: [UInt8]) {
                self.key = key
                self.value = value
            }

            /// `nil` if the value is not UTF-8 or contains control characters.
            package var text: String? {
                guard let text = String(validating: value, as: UTF8.self), !FileQCookies.holdsControl(text) else {
                    return nil
                }
                return text
            }
        }

        /// In the order of the field; keys are unique.
        package var pairs: [Pair]

        package init(_ pairs: [Pair] = []) { self.pairs = pairs }

        /// `nil` for an empty, duplicate or non-ASCII key, and for a value that is not base64.
        package init?(parsing text: some StringProtocol) {
            pairs = []
            for item in text.split(separator: ",", omittingEmptySubsequences: false) {
                let words = item.withoutBlanks.split(separator: " ", omittingEmptySubsequences: false)
                guard let key = words.first, !key.isEmpty, words.count <= 2,
                    key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !pairs.contains(where: { $0.key == key }),
                    let value = words.count == 1 ? [] : Tus.base64(words[1])
                else { return nil }
                pairs.append(Pair(key: String(key), value: value))
            }
        }

        package subscript(_ key: String) -> Pair? { pairs.first { $0.key == key } }

        package var description: String {
            pairs.map { pair in
                pair.value.isEmpty ? pair.key : "\(pair.key) \(Data(pair.value).base64EncodedString())"
            }.joined(separator: ",")
        }
    }

    /// `Upload-Concat`
    package enum Concatenation: Sendable, Hashable {
        case partial
        /// The URLs or paths of the partial uploads, in order.
        case final([String])

        package init?(parsing text: some StringProtocol) {
            if text == "partial" {
                self = .partial
                return
            }
            guard text.hasPrefix("final;") else { return nil }
            let urls = String(text).dropFirst("final;".count).split(separator: " ").map(String.init)
            guard !urls.isEmpty else { return nil }
            self = .final(urls)
        }

        package var description: String {
            switch self {
            case .partial: "partial"
            case .final(let urls): "final;" + urls.joined(separator: " ")
            }
        }
    }

    /// `Upload-Checksum`: `ALGORITHM BASE64`
    package enum ChecksumField: Sendable, Hashable {
        case checksum(Checksum)
        /// 400: the algorithm is none of ``checksumAlgorithms``.
        case unsupported
        /// 400
        case malformed

        package init(parsing text: some StringProtocol) {
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2, let bytes = Tus.base64(words[1]) else {
                self = .malformed
                return
            }
            guard let algorithm = Tus.checksumAlgorithms.first(where: { $0.rawValue == words[0] }) else {
                self = .unsupported
                return
            }
            self =
                bytes.count == algorithm.byteCount
                ? .checksum(Checksum(algorithm: algorithm, bytes: bytes)) : .malformed
        }

        package static func text(of checksum: Checksum) -> String {
            "\(checksum.algorithm.rawValue) \(Data(checksum.bytes).base64EncodedString())"
        }
    }

    fileprivate static func base64(_ text: some StringProtocol) -> [UInt8]? {
        Data(base64Encoded: String(text)).map { Array($0) }
    }
}

extension HTTPField.Name {
    package static let tusResumable = HTTPField.Name("Tus-Resumable")!
    package static let tusVersion = HTTPField.Name("Tus-Version")!
    package static let tusExtension = HTTPField.Name("Tus-Extension")!
    package static let tusMaximumSize = HTTPField.Name("Tus-Max-Size")!
    package static let tusChecksumAlgorithm = HTTPField.Name("Tus-Checksum-Algorithm")!
    package static let uploadDeferLength = HTTPField.Name("Upload-Defer-Length")!
    package static let uploadMetadata = HTTPField.Name("Upload-Metadata")!
    package static let uploadChecksum = HTTPField.Name("Upload-Checksum")!
    package static let uploadConcat = HTTPField.Name("Upload-Concat")!
    package static let uploadExpires = HTTPField.Name("Upload-Expires")!
    package static let methodOverride = HTTPField.Name("X-HTTP-Method-Override")!
}

extension HTTPResponse.Status {
    /// tus: the checksum of an append differs.
    package static let checksumMismatch = HTTPResponse.Status(code: 460, reasonPhrase: "Checksum Mismatch")
}
