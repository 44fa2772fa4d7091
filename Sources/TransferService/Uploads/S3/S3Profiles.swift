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

    /// Adds the profiles of a file, and its services as `services NAME`; what it states replaces what is known. Lines
    /// that are none of the format are skipped. Keys of a nested table, whose lines are indented, are `TABLE.KEY`.
    package mutating func read(_ text: String) {
        var (section, table): (String?, String?) = (nil, nil)
        for line in text.split(whereSeparator: \.isNewline) {
            guard let first = line.first, first != "#", first != ";" else { continue }
            if first == "[" {
                let words = line.dropFirst().prefix { $0 != "]" }.split { $0 == " " || $0 == "\t" }.map(String.init)
                section =
                    switch (words.first, words.count) {
                    case ("profile", 2): words[1]
                    case ("services", 2): words.joined(separator: " ")
                    case (_, 1): words[0]
                    default: nil
                    }
                table = nil
                continue
            }
            guard let section, let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].withoutBlanks.lowercased()
            let value = line[line.index(after: equals)...].withoutBlanks
            if !first.isWhitespace {
                table = value.isEmpty ? key : nil
                profiles[section, default: [:]][key] = value
            } else if let table {
                profiles[section, default: [:]]["\(table).\(key)"] = value
            }
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

    /// The endpoint of its services for S3, else that of the profile.
    package func endpoint(of profile: String) -> String? {
        guard let values = profiles[profile] else { return nil }
        let services = value("services", values).flatMap { profiles["services \($0)"] }
        return services.flatMap { value("s3.endpoint_url", $0) } ?? value("endpoint_url", values)
    }

    private func value(_ name: String, _ values: [String: String]) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
