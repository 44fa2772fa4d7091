// SPDX-License-Identifier: MIT

package import TransferModel

/// Replacements for a URL or credentials that have expired, and another place for a download. A member that is `nil`
/// changes nothing, with one exception:
/// if `url` has another origin than before, secrets of the old origin that are not replaced are dropped
/// (``QueueClient/relocate(_:to:)``).
package struct Relocation: Sendable, Hashable {
    /// A header field as the user typed it.
    package struct Header: Sendable, Hashable, Codable {
        package var name: String
        @Secret package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var url: TransferURL?
    /// Replace fields of the same names; all others stay.
    package var headers: [Header]?
    /// Replaces all cookies of the transfer; an empty list removes them.
    package var cookies: [Cookie]?
    package var credential: Credential?
    /// The `fileuploadSID` of a FileQ upload.
    package var sid: String?
    /// Paths are absolute.
    package var clientIdentity: ClientIdentity?
    /// The file of a download, from now on with exactly this path; absolute.
    package var file: String?
    /// Instead of ``file``: another folder for a file of the same name; absolute.
    package var folder: String?
    /// The effect of an existing file of the download's new name.
    package var existing: Existing?
    /// Relocations in a row that have the same group, any text, are undone together.
    package var group: String?

    /// The new values of ``TransferModel/Download/overwrites`` and ``TransferModel/Download/existing``.
    package enum Existing: String, Sendable, Hashable, Codable, CaseIterable {
        case fails, overwrites, skips, updates, keepsBoth
    }

    package init(
        url: TransferURL? = nil, headers: [Header]? = nil, cookies: [Cookie]? = nil, credential: Credential? = nil,
        sid: String? = nil, clientIdentity: ClientIdentity? = nil, file: String? = nil, folder: String? = nil,
        existing: Existing? = nil, group: String? = nil
    ) {
        self.url = url
        self.headers = headers
        self.clientIdentity = clientIdentity
        self.cookies = cookies
        self.credential = credential
        self.sid = sid
        (self.file, self.folder, self.existing, self.group) = (file, folder, existing, group)
    }

    /// Whether it concerns the file of a download.
    package var changesFile: Bool { file != nil || folder != nil || existing != nil }
}

extension Relocation: Codable {
    private enum Key: CodingKey {
        case url, headers, cookies, login, sid, clientIdentity, file, folder, existing, group
    }

    /// - Throws: a ``TransferModel/TransferError`` for an invalid URL, header or cookie.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            url: try container.decodeIfPresent(TransferURL.self, forKey: .url),
            headers: try container.decodeIfPresent([Header].self, forKey: .headers),
            cookies: try container.decodeIfPresent([Cookie].self, forKey: .cookies),
            credential: try container.decodeIfPresent(Credential.self, forKey: .login),
            sid: try container.decodeIfPresent(Secret.self, forKey: .sid)?.value,
            clientIdentity: try container.decodeIfPresent(ClientIdentity.self, forKey: .clientIdentity),
            file: try container.decodeIfPresent(String.self, forKey: .file),
            folder: try container.decodeIfPresent(String.self, forKey: .folder),
            existing: try container.decodeIfPresent(Existing.self, forKey: .existing),
            group: try container.decodeIfPresent(String.self, forKey: .group))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(url, forKey: .url)
        try container.encodeIfPresent(headers, forKey: .headers)
        try container.encodeIfPresent(cookies, forKey: .cookies)
        try container.encodeIfPresent(credential, forKey: .login)
        try container.encodeIfPresent(sid.map { Secret($0) }, forKey: .sid)
        try container.encodeIfPresent(clientIdentity, forKey: .clientIdentity)
        try container.encodeIfPresent(file, forKey: .file)
        try container.encodeIfPresent(folder, forKey: .folder)
        try container.encodeIfPresent(existing, forKey: .existing)
        try container.encodeIfPresent(group, forKey: .group)
    }

    /// Validates all members before any is applied.
    /// - Throws: code `usage`, naming the member; never its value.
    func check() throws(TransferError) {
        var checked = TransferOptions()
        for header in headers ?? [] { try checked.addHeader(name: header.name, value: header.value) }
        try clientIdentity?.check()
        guard file == nil || folder == nil else {
            throw TransferError(ParameterProblem(nil, .fileAndFolder))
        }
        if let file { try Self.check(file: file) }
        try WireCheck.path(folder, "folder")
    }

    private static func check(file: String) throws(TransferError) {
        try WireCheck.path(file, "file")
        let name = file.afterLastSlash
        guard !name.isEmpty, name != ".", name != ".." else {
            throw TransferError(ParameterProblem("file", .pathEnd))
        }
    }
}
