// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Platform
package import TransferModel

/// `~/.aws/credentials` and `~/.aws/config`: keys and region of each profile. They are only read.
package struct S3Profiles: Sendable {
    /// Of the files of this kind; larger ones are not read.
    private static let maximumBytes = 1 << 20

    private var profiles: [String: [String: String]] = [:]

    package init() {}

    /// - Parameters:
    ///   - credentials: `nil`: `~/.aws/credentials`.
    ///   - configuration: `nil`: `~/.aws/config`.
    ///   - home: the user's folder.
    package init(credentials: String? = nil, configuration: String? = nil, home: String?) {
        for path in [
            configuration ?? home.map { "\($0)/.aws/config" }, credentials ?? home.map { "\($0)/.aws/credentials" },
        ] {
            guard let path, let text = Self.text(of: path) else { continue }
            read(text)
        }
    }

    private static func text(of path: String) -> String? {
        guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK), let status = try? file.status(),
            status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumBytes
        else { return nil }
        return (try? file.read(Int(status.st_size), at: 0)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Adds the profiles of a file; what it states replaces what is known. Lines that are none of the format are
    /// skipped, and indented ones, which belong to a nested table.
    package mutating func read(_ text: String) {
        var profile: String?
        for line in text.split(whereSeparator: \.isNewline) {
            guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else { continue }
            if first == "[" {
                let words = line.dropFirst().prefix { $0 != "]" }.split(separator: " ")
                let isNamed = words.count == 2 && words[0] == "profile"
                profile = isNamed ? String(words[1]) : words.count == 1 ? String(words[0]) : nil
                continue
            }
            guard let profile, let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].split(separator: " ").joined().lowercased()
            let value = line[line.index(after: equals)...].split(separator: " ", omittingEmptySubsequences: true)
                .joined(separator: " ")
            profiles[profile, default: [:]][key] = value
        }
    }

    /// `nil` if the profile has no keys.
    package func credential(of profile: String) -> S3Credential? {
        guard let values = profiles[profile], let access = value("aws_access_key_id", values),
            let secret = value("aws_secret_access_key", values)
        else { return nil }
        return S3Credential(
            accessKey: access, secretKey: secret, sessionToken: value("aws_session_token", values))
    }

    package func region(of profile: String) -> String? { profiles[profile].flatMap { value("region", $0) } }

    package func endpoint(of profile: String) -> String? { profiles[profile].flatMap { value("endpoint_url", $0) } }

    private func value(_ name: String, _ values: [String: String]) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
