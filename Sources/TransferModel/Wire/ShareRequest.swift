// SPDX-License-Identifier: MIT

import FoundationEssentials
package import HTTPTypes
import StructuredFieldValues

/// `POST /files/share`: makes a link to a file or folder of the server. Everything is in header fields; there is no
/// content.
package struct ShareRequest: Sendable, Hashable {
    package static let path = "/files/share"
    package static let largestCount: Int64 = 1_000_000
    /// Ten years.
    package static let longestAge: Int64 = 10 * 365 * 86_400

    /// `Share-Target`: the path, percent-encoded; that of a folder ends in a slash.
    package var target: String
    /// `max-age` of `Share-Limit`: seconds.
    package var lifetime: Int64?
    /// `downloads` of `Share-Limit`: how many times the size of the file may be sent.
    package var downloads: Int64?
    /// `Share-Password`: bytes in base64 between colons (RFC 9651, section 3.3.5).
    package var password: String?

    package init(target: String, lifetime: Int64? = nil, downloads: Int64? = nil, password: String? = nil) {
        (self.target, self.lifetime, self.downloads, self.password) = (target, lifetime, downloads, password)
    }

    package func write(to fields: inout HTTPFields) {
        fields[.shareTarget] = target
        let limits = [lifetime.map { "max-age=\($0)" }, downloads.map { "downloads=\($0)" }].compactMap(\.self)
        if !limits.isEmpty { fields[.shareLimit] = limits.joined(separator: ", ") }
        if let password { fields[.sharePassword] = ":\(Data(password.utf8).base64EncodedString()):" }
    }

    /// - Throws: the name of the field that is missing or malformed. Unknown keys are ignored.
    package init(_ fields: HTTPFields) throws(Malformed) {
        guard let target = fields[.shareTarget], target.beginsWithSlash else { throw Malformed(field: "Share-Target") }
        self.init(target: target)
        if let text = fields[.shareLimit] {
            guard let members = try? StructuredFieldValueDecoder().decode(Members.self, from: Array(text.utf8)),
                (1...Self.longestAge).contains(members.maxAge ?? 1),
                (1...Self.largestCount).contains(members.downloads ?? 1)
            else { throw Malformed(field: "Share-Limit") }
            (lifetime, downloads) = (members.maxAge, members.downloads)
        }
        if let text = fields[.sharePassword] {
            guard text.utf8.count <= 1400, text.count > 2, text.hasPrefix(":"), text.hasSuffix(":"),
                let bytes = Data(base64Encoded: String(text.dropFirst().dropLast())),
                let password = String(validating: bytes, as: UTF8.self), !password.isEmpty
            else { throw Malformed(field: "Share-Password") }
            self.password = password
        }
    }

    package struct Malformed: Error {
        package var field: String
    }

    private struct Members: StructuredFieldValue {
        static let structuredFieldType = StructuredFieldType.dictionary
        var maxAge: Int64?
        var downloads: Int64?

        enum CodingKeys: String, CodingKey {
            case maxAge = "max-age"
            case downloads
        }
    }
}

extension HTTPField.Name {
    package static let shareTarget = Self("Share-Target")!
    package static let shareLimit = Self("Share-Limit")!
    package static let sharePassword = Self("Share-Password")!
    /// Of the response: with the query `key=` and this, the address of the link removes it.
    package static let shareKey = Self("Share-Key")!
}
