// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// Credentials by protection space and user name, with a default for each space. A value, and its JSON.
struct CredentialTable: Sendable, Hashable {
    struct SpaceCredentials: Sendable, Hashable {
        var credentials: [String: Credential] = [:]
        var defaultUser: String?
    }

    private(set) var bySpace: [ProtectionSpace: SpaceCredentials] = [:]

    subscript(space: ProtectionSpace) -> SpaceCredentials { bySpace[space] ?? SpaceCredentials() }

    mutating func set(_ credential: Credential, for space: ProtectionSpace, asDefault: Bool) {
        bySpace[space, default: SpaceCredentials()].credentials[credential.user] = credential
        if asDefault { bySpace[space]?.defaultUser = credential.user }
    }

    mutating func remove(_ user: String, for space: ProtectionSpace) {
        guard var entry = bySpace[space] else { return }
        entry.credentials[user] = nil
        if entry.defaultUser == user { entry.defaultUser = nil }
        bySpace[space] = entry.credentials.isEmpty && entry.defaultUser == nil ? nil : entry
    }

    /// No longer hides the credential of that user in the layer below; nor its default, if that is to be the user. A
    /// default user here stays the default, though the credential is now below.
    mutating func giveWay(to user: String, for space: ProtectionSpace, asDefault: Bool) {
        guard var entry = bySpace[space] else { return }
        entry.credentials[user] = nil
        if asDefault { entry.defaultUser = nil }
        bySpace[space] = entry.credentials.isEmpty && entry.defaultUser == nil ? nil : entry
    }

    mutating func removeAll() { bySpace = [:] }

    /// This value overlaid with `other`.
    func overlaid(with other: CredentialTable) -> CredentialTable {
        var result = self
        for (space, entry) in other.bySpace {
            var mine = result[space]
            mine.credentials.merge(entry.credentials) { $1 }
            mine.defaultUser = entry.defaultUser ?? mine.defaultUser
            result.bySpace[space] = mine
        }
        return result
    }
}

extension CredentialTable.SpaceCredentials {
    /// The explicit default; without one, the only credential.
    var defaultCredential: Credential? {
        if let defaultUser { return credentials[defaultUser] }
        return credentials.count == 1 ? credentials.values.first : nil
    }
}

extension CredentialTable: PersistentContent {
    private static let currentVersion = 1

    private struct Form: Codable {
        struct Entry: Codable {
            var space: ProtectionSpace
            var defaultUser: String?
            var credentials: [Credential]
        }

        var version: Int
        var spaces: [Entry]
    }

    init(parsing bytes: [UInt8], of path: String) throws(TransferError) {
        struct Versioned: Codable { var version: Int }
        self.init()
        let data = Data(bytes)
        let decoder = JSONDecoder()
        // Checks the version first: a later one may have another format.
        if let found = try? decoder.decode(Versioned.self, from: data), found.version != Self.currentVersion {
            var problem = FileProblem(.otherVersion)
            problem.version = found.version
            throw TransferError(.usage, file: problem, path: path)
        }
        guard let form = try? decoder.decode(Form.self, from: data) else {
            throw TransferError(.usage, file: .notCredentials, path: path, variant: .fileInTheWay)
        }
        for entry in form.spaces {
            for credential in entry.credentials {
                set(credential, for: entry.space, asDefault: credential.user == entry.defaultUser)
            }
        }
    }

    func printed() -> [UInt8] {
        let spaces = bySpace.map { space, entry in
            (
                String(describing: space),
                Form.Entry(
                    space: space, defaultUser: entry.defaultUser,
                    credentials: entry.credentials.values.sorted { $0.user < $1.user })
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // The file is private to this user.
        encoder.userInfo[.secrets] = SecretCoding.plain
        let form = Form(version: Self.currentVersion, spaces: spaces.sorted { $0.0 < $1.0 }.map(\.1))
        // All members are plain JSON values, so encoding cannot fail.
        return [UInt8]((try? encoder.encode(form)) ?? Data()) + [UInt8(ascii: "\n")]
    }
}
