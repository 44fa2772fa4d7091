// SPDX-License-Identifier: MIT

import HTTPTypes

/// A ``TransferDescription`` in the form that outlives the process: plain values, a version, no secret.
///
/// Passwords, the URL's user information, cookie values, the sender's SID and every header that is not impersonal are
/// replaced by references; their values come apart, as ``SecretValues``. It has two parts, since a list of files differs
/// in the first and shares the second.
public struct StoredDescription: Sendable, Hashable {
    /// Rises when an older program would misread the form; a field that older programs may ignore does not raise it.
    public static let currentVersion = 1

    public var subject: Subject
    public var options: Options

    public init(subject: Subject, options: Options) {
        self.subject = subject
        self.options = options
    }

    /// - Throws: code `usage` for a transfer from or to an open descriptor, which ends with the process.
    public init(_ description: TransferDescription, secrets: inout SecretValues) throws(TransferError) {
        subject = try Subject(description, secrets: &secrets)
        options = Options(description.options, secrets: &secrets)
    }

    /// - Throws: code `usage` where a secret is missing or the form is of a newer version; code `other` where it is damaged.
    public func restored(with secrets: SecretValues) throws(TransferError) -> TransferDescription {
        guard max(subject.version, options.version) <= Self.currentVersion else {
            throw TransferError(.usage, "the transfer was stored by a newer version of this program; use that one")
        }
        return TransferDescription(url: try subject.restoredURL(secrets), operation: try subject.restoredOperation(secrets),
                                   options: try options.restored(with: secrets))
    }

    static func damaged(_ what: String) -> TransferError {
        TransferError(.other, "the stored transfer is damaged (\(what)); remove it and add it anew")
    }
}

extension SecretValues {
    /// - Throws: code `secretMissing` where the secret is not there.
    func require(_ reference: SecretReference) throws(TransferError) -> String {
        guard let value = self[reference] else {
            throw TransferError(.secretMissing, "a secret of this transfer (\(reference.rawValue)) is no longer kept")
        }
        return value
    }
}

// MARK: What and where

extension StoredDescription {
    /// The address, the direction and the file.
    public struct Subject: Sendable, Hashable, Codable {
        public var version = StoredDescription.currentVersion
        /// Without user information.
        public var url: String
        public var user: SecretReference?
        public var password: SecretReference?
        /// One of these two is there.
        public var download: Download?
        public var upload: Upload?
    }

    public struct Download: Sendable, Hashable, Codable {
        /// The file's path, or the folder's where `name` is there.
        public var path: String
        public var name: String?
        public var overwrites: Bool?
        public var existing: ExistingFile?
        /// In hexadecimal digits.
        public var body: SecretReference?
        /// As `--checksum` takes it.
        public var checksum: String?
        /// Absent: true.
        public var syncs: Bool?
    }

    public struct Upload: Sendable, Hashable, Codable {
        public var path: String
        /// There for a FileQ upload.
        public var fileQ: FileQ?
        public var checksum: String?
        public var createsFolders: Bool?
    }

    public struct FileQ: Sendable, Hashable, Codable {
        public var sid: SecretReference?
        public var metadata: [FileQUpload.Metadata]
    }
}

extension StoredDescription.Subject {
    public init(_ description: TransferDescription, secrets: inout SecretValues) throws(TransferError) {
        url = description.url.string
        if let credential = description.url.credential {
            user = secrets.keep(credential.user, as: "url.user")
            password = secrets.keep(credential.password, as: "url.password")
        }
        switch description.operation {
        case .download(let value): download = try StoredDescription.Download(value, secrets: &secrets)
        case .upload(let value): upload = try StoredDescription.Upload(value, secrets: &secrets)
        }
    }

    fileprivate func restoredURL(_ secrets: SecretValues) throws(TransferError) -> TransferURL {
        let url = try TransferURL(url)
        guard let user, let password else { return url }
        return url.replacingCredential(Credential(user: try secrets.require(user), password: try secrets.require(password)))
    }

    fileprivate func restoredOperation(_ secrets: SecretValues) throws(TransferError) -> TransferDescription.Operation {
        if let download { return .download(try download.restored(with: secrets)) }
        if let upload { return .upload(try upload.restored(with: secrets)) }
        throw StoredDescription.damaged("no direction")
    }
}

extension StoredDescription.Download {
    fileprivate init(_ value: DownloadDescription, secrets: inout SecretValues) throws(TransferError) {
        switch value.destination {
        case .file(let path): self.path = path
        case .folder(let path, let name): (self.path, self.name) = (path, name)
        case .stream: throw TransferError(.usage, "a download to standard output cannot be queued in the background; name a file")
        }
        overwrites = value.overwrites ? true : nil
        existing = value.existing == .fails ? nil : value.existing
        body = value.body.map { secrets.keep(Hex.encode($0), as: "body") }
        checksum = value.checksum?.description
        syncs = value.syncs ? nil : false
    }

    fileprivate func restored(with secrets: SecretValues) throws(TransferError) -> DownloadDescription {
        var description = DownloadDescription(
            destination: name.map { .folder(path: path, name: $0) } ?? .file(path: path),
            overwrites: overwrites ?? false, checksum: try Checksum(restoring: checksum), syncs: syncs ?? true)
        description.existing = existing ?? .fails
        if let body {
            guard let bytes = Hex.decode(try secrets.require(body)) else { throw StoredDescription.damaged("body") }
            description.body = bytes
        }
        return description
    }
}

extension StoredDescription.Upload {
    fileprivate init(_ value: UploadDescription, secrets: inout SecretValues) throws(TransferError) {
        guard case .file(let path) = value.source else {
            throw TransferError(.usage, "an upload from standard input cannot be queued in the background; name a file")
        }
        self.path = path
        if case .fileQ(let upload) = value.form {
            fileQ = StoredDescription.FileQ(sid: upload.sid.map { secrets.keep($0, as: "sid") }, metadata: upload.metadata)
        }
        checksum = value.checksum?.description
        createsFolders = value.createsFolders ? true : nil
    }

    fileprivate func restored(with secrets: SecretValues) throws(TransferError) -> UploadDescription {
        var form = UploadDescription.Form.put
        if let fileQ {
            let sid: String? = if let reference = fileQ.sid { try secrets.require(reference) } else { nil }
            form = .fileQ(FileQUpload(sid: sid, metadata: fileQ.metadata))
        }
        return UploadDescription(source: .file(path: path), form: form, checksum: try Checksum(restoring: checksum),
                                 createsFolders: createsFolders ?? false)
    }
}

extension Checksum {
    fileprivate init?(restoring text: String?) throws(TransferError) {
        guard let text else { return nil }
        guard let found = try? Checksum(parsing: text) else { throw StoredDescription.damaged("checksum") }
        self = found
    }
}
