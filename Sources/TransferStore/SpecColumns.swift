// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// The columns `subject` and `options` of a spec: the transfers of a list differ in the first and share the second.
/// Secrets are references; their values are stored separately.
enum SpecColumns {
    /// Rises when an older program would misread a column; a member that older programs may ignore does not raise it.
    static let currentVersion = 2

    /// A column: its version, beside the members of its content.
    struct Versioned<Content: Codable>: Codable {
        var content: Content

        private enum Key: CodingKey { case version }

        init(_ content: Content) { self.content = content }

        init(from decoder: any Decoder) throws {
            let version = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .version)
            guard version == currentVersion else { throw OtherVersion(number: version) }
            content = try Content(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(currentVersion, forKey: .version)
            try content.encode(to: encoder)
        }
    }

    struct OtherVersion: Error { var number: Int }
    struct NewerVersion: Error {}
}

/// Encodes specs as columns. Long lists share options and secrets, so the last ones are cached.
struct SpecEncoder {
    struct Encoded {
        var subject: String
        var options: String
        /// Index into ``SpecEncoder/secrets``; `nil` if there are none.
        var secrets: Int?
    }

    private let encoder = StoreJSON.encoder()
    private let vault = SecretVault()
    private(set) var secrets: [SecretValues] = []
    private var places: [SecretValues: Int] = [:]
    private var last: (options: Shared<TransferOptions>, text: String, secrets: SecretValues)?

    init() { encoder.userInfo[.secrets] = SecretCoding.vault(vault) }

    /// - Throws: code `usage` for a transfer from or to an open descriptor, which ends with the process.
    mutating func encode(_ spec: Spec) throws(TransferError) -> Encoded {
        let options = try encode(spec.$options)
        var bytes: [UInt8] = []
        let isUsual = SpecText.append(spec, version: SpecColumns.currentVersion, to: &bytes)
        let subject = isUsual ? String(decoding: bytes, as: UTF8.self) : try text(spec.withoutOptions)
        var values = vault.take()
        values.merge(options.secrets)
        return Encoded(subject: subject, options: options.text, secrets: place(of: values))
    }

    private mutating func encode(
        _ options: Shared<TransferOptions>
    ) throws(TransferError) -> (text: String, secrets: SecretValues) {
        if let last, last.options == options { return (last.text, last.secrets) }
        let text = try text(options.wrappedValue)
        let values = vault.take()
        last = (options, text, values)
        return (text, values)
    }

    private mutating func place(of values: SecretValues) -> Int? {
        if values.isEmpty { return nil }
        if let place = places[values] { return place }
        secrets.append(values)
        places[values] = secrets.count - 1
        return secrets.count - 1
    }

    private func text(_ value: some Codable) throws(TransferError) -> String {
        do {
            return String(decoding: try encoder.encode(SpecColumns.Versioned(value)), as: UTF8.self)
        } catch let error as TransferError {
            throw error
        } catch {
            // The only value that JSON cannot represent is a timeout that is not finite.
            throw TransferError(
                .usage, "the transfer holds a number that is not finite, so it cannot be stored",
                fields: .init(variant: .infiniteNumber))
        }
    }
}

/// Decodes columns as specs. Neighbours mostly share their options, so the last ones are cached.
struct SpecDecoder {
    private var last: (text: String, secrets: SecretValues, options: Shared<TransferOptions>)?

    /// - Throws: code `usage` if a secret is missing or a newer version stored the spec; code `other` if it is damaged.
    mutating func decode(subject: String, options: String, secrets: SecretValues) throws(TransferError) -> Spec {
        do {
            var subject = subject
            let usual = subject.withUTF8 { SpecText.read(UnsafeRawBufferPointer($0)) }
            if let last, let usual, usual.version == SpecColumns.currentVersion, last.text == options,
                last.secrets == secrets
            {
                var spec = usual.spec
                spec.$options = last.options
                return spec
            }
            let decoder = JSONDecoder()
            decoder.userInfo[.secrets] = SecretCoding.vault(SecretVault(secrets))
            var spec: Spec = try Self.content(of: subject, decoder, upgrading: Version1.subject)
            if let last, last.text == options, last.secrets == secrets {
                spec.$options = last.options
            } else {
                let read: TransferOptions = try Self.content(of: options, decoder, upgrading: Version1.options)
                spec.options = read
                last = (options, secrets, spec.$options)
            }
            return spec
        } catch let missing as MissingSecret {
            throw TransferError(.secretMissing, "a secret of this transfer (\(missing.reference)) is no longer kept")
        } catch is SpecColumns.NewerVersion {
            throw TransferError(
                .usage, "the transfer was stored by a newer version of this program",
                fields: .init(variant: .newerVersion))
        } catch {
            throw TransferError(.other, "what is stored of it cannot be read", fields: .init(variant: .entryUnreadable))
        }
    }

    private static func content<Content: Codable>(
        of text: String, _ decoder: JSONDecoder,
        upgrading upgrade: (JSONTree) -> JSONTree
    ) throws -> Content {
        let bytes = Data(text.utf8)
        do {
            return try decoder.decode(SpecColumns.Versioned<Content>.self, from: bytes).content
        } catch let other as SpecColumns.OtherVersion {
            guard other.number < SpecColumns.currentVersion else { throw SpecColumns.NewerVersion() }
            let tree = upgrade(try decoder.decode(JSONTree.self, from: bytes))
            return try decoder.decode(Content.self, from: try StoreJSON.encoder().encode(tree))
        }
    }
}
