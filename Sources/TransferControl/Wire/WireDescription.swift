// SPDX-License-Identifier: MIT

import TransferModel

/// A ``TransferModel/TransferDescription`` as it travels. Members at their defaults are left out.
///
/// It holds secrets: user information in the URL, cookies, headers, logins, passphrases. It is made for the socket and is not to be
/// written anywhere else.
struct WireDescription: Sendable, Hashable, Codable {
    struct Download: Sendable, Hashable, Codable {
        /// Either exactly this path…
        var file: String?
        /// …or a file in this folder, called `name` until the server proposes a better one.
        var folder: String?
        var name: String?
        var overwrites: Bool?
        /// `skips` or `updates`; absent: the download fails where the name is taken.
        var existing: String?
        /// In hexadecimal digits.
        var body: String?
        /// `sha256:HEX`
        var checksum: String?
        /// Absent: true.
        var syncs: Bool?
    }

    struct Upload: Sendable, Hashable, Codable {
        var file: String
        /// Absent: a plain `PUT`.
        var fileq: FileQUpload?
        var checksum: String?
        var createsFolders: Bool?
    }

    /// With user information, percent-encoded, where there is any.
    var url: String
    var download: Download?
    var upload: Upload?
    var options: WireOptions?

    /// - Throws: code `usage` for a stream, whose descriptor means nothing in another process, for a relative path, and for options
    ///   that the other end would refuse.
    init(_ description: TransferDescription) throws(TransferError) {
        try self.init(withoutOptions: description)
        let wire = WireOptions(description.options)
        options = wire == WireOptions(TransferOptions()) ? nil : wire
        _ = try wire.options()
    }

    /// - Throws: code `usage` for a stream and for a relative path.
    init(withoutOptions description: TransferDescription) throws(TransferError) {
        url = description.url.withUserInformation
        switch description.operation {
        case .download(let download):
            var wire = Download(overwrites: download.overwrites ? true : nil, checksum: download.checksum?.description,
                                syncs: download.syncs ? nil : false)
            if download.existing != .fails { wire.existing = download.existing.rawValue }
            wire.body = download.body.map(Hex.encode)
            switch download.destination {
            case .file(let path): wire.file = path
            case .folder(let path, let name): (wire.folder, wire.name) = (path, name)
            case .stream:
                throw TransferError(.usage, "the background service cannot write to this program's output; name a file",
                                    fields: .init(variant: .streamedDownload))
            }
            self.download = wire
        case .upload(let upload):
            guard case .file(let path) = upload.source else {
                throw TransferError(.usage, "the background service cannot read this program's input; name a file",
                                    fields: .init(variant: .streamedUpload))
            }
            var form: FileQUpload?
            if case .fileQ(let metadata) = upload.form { form = metadata }
            self.upload = Upload(file: path, fileq: form, checksum: upload.checksum?.description,
                                 createsFolders: upload.createsFolders ? true : nil)
        }
        // What the other end would refuse is refused before anything is sent.
        _ = try operation()
    }

    /// - Parameter shared: the options where the transfer has none of its own.
    /// - Throws: code `usage` or `malformedURL`, saying what is wrong.
    func description(withOptions shared: TransferOptions = TransferOptions()) throws(TransferError) -> TransferDescription {
        TransferDescription(url: try TransferURL(url), operation: try operation(), options: try options?.options() ?? shared)
    }

    private func operation() throws(TransferError) -> TransferDescription.Operation {
        switch (download, upload) {
        case (let download?, nil):
            .download(try Self.download(download))
        case (nil, let upload?):
            .upload(UploadDescription(
                source: .file(path: try WireCheck.path(upload.file, "file")), form: upload.fileq.map { .fileQ($0) } ?? .put,
                checksum: try upload.checksum.map(Checksum.init(parsing:)), createsFolders: upload.createsFolders ?? false))
        default: throw TransferError(.usage, "a transfer is either a download or an upload")
        }
    }

    private static func download(_ wire: Download) throws(TransferError) -> DownloadDescription {
        var download = DownloadDescription(
            destination: try Self.destination(wire), overwrites: wire.overwrites ?? false,
            checksum: try wire.checksum.map(Checksum.init(parsing:)), syncs: wire.syncs ?? true)
        if let text = wire.existing {
            guard let existing = ExistingFile(rawValue: text) else {
                throw TransferError(.usage, "existing: write one of \(ExistingFile.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            download.existing = existing
        }
        if let text = wire.body {
            guard let bytes = Hex.decode(text), bytes.count <= DownloadDescription.maximumBodyBytes else {
                throw TransferError(.usage, "body: write at most \(DownloadDescription.maximumBodyBytes) bytes in hexadecimal digits")
            }
            download.body = bytes
        }
        return download
    }

    private static func destination(_ download: Download) throws(TransferError) -> DownloadDescription.Destination {
        switch (download.file, download.folder) {
        case (let file?, nil): return .file(path: try WireCheck.path(file, "file"))
        case (nil, let folder?):
            guard let name = download.name, !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")),
                !name.utf8.contains(0) else {
                throw TransferError(.usage, "a download into a folder needs a file name without '/'")
            }
            return .folder(path: try WireCheck.path(folder, "folder"), name: name)
        default: throw TransferError(.usage, "a download goes either to a file or into a folder")
        }
    }
}

extension TransferURL {
    /// What ``init(_:)`` reads as the same address with the same ``credential``.
    var withUserInformation: String {
        guard let credential else { return string }
        let user = "\(PercentCoding.encode(credential.user)):\(PercentCoding.encode(credential.password))@"
        return "\(scheme)://\(user)\(string.dropFirst(scheme.count + 3))"
    }
}
