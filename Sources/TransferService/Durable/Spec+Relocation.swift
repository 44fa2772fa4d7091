// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferControl
import TransferModel

extension Spec {
    /// The spec with the replacements of `place`.
    ///
    /// At another origin (RFC 6454) the secrets of the old one are dropped, as after a redirect; those in `place` are
    /// for the new one.
    /// - Returns: the names of what was dropped, without values.
    /// - Throws: code `usage` for a SID without a FileQ upload, for an invalid header, and for an upload to S3, whose
    ///   keys and region are those of one server.
    func relocated(to place: Relocation) throws(TransferError) -> (description: Spec, dropped: [String]) {
        var description = self
        var dropped: [String] = []
        if let url = place.url {
            if url.origin == self.url.origin {
                description.url = url.credential == nil ? url.replacingCredential(self.url.credential) : url
                if url.credential != nil { description.options.credential = nil }
            } else {
                if case .upload(let upload) = operation, case .s3 = upload.form {
                    throw TransferError(
                        .usage, "an upload to S3 cannot move to another server",
                        fields: .init(variant: .s3StaysAtServer))
                }
                description.url = url
                dropped = description.dropSecrets(of: self.url, unless: place)
            }
        }
        try description.take(place)
        return (description, dropped)
    }

    /// Drops client certificates, logins, cookies, the SID, and all fields that are not impersonal.
    private mutating func dropSecrets(of origin: TransferURL, unless place: Relocation) -> [String] {
        var dropped: [String] = []
        let given = Set((place.headers ?? []).compactMap { HTTPField.Name($0.name) })
        for field in options.headers
        where !field.name.isImpersonal && !given.contains(field.name) && !dropped.contains(field.name.rawName) {
            dropped.append(field.name.rawName)
        }
        if place.cookies == nil { dropped += options.cookies.map { "cookie \($0.name)" } }
        let login = options.credential ?? origin.credential
        if let login, place.credential == nil, place.url?.credential == nil {
            dropped.append("login of '\(login.user)'")
        }
        if case .upload(var upload) = operation, case .fileQ(var form) = upload.form, form.sid != nil {
            if place.sid == nil { dropped.append("SID") }
            form.sid = nil
            upload.form = .fileQ(form)
            operation = .upload(upload)
        }
        if options.clientIdentity != nil, place.clientIdentity == nil { dropped.append("client certificate") }
        return dropped + options.leaveOrigin()
    }

    private mutating func takeFile(_ place: Relocation) throws(TransferError) {
        guard case .download(var download) = operation else {
            throw TransferError(
                .usage, "an upload has no destination file", fields: .init(variant: .uploadWithoutDestination))
        }
        if place.file != nil || place.folder != nil {
            switch download.destination {
            case .stream:
                throw TransferError(
                    .usage, "a download to standard output has no file", fields: .init(variant: .streamWithoutFile))
            case .file(let path):
                let name = String(path.lastPathPart ?? "")
                download.destination = .file(path: place.file ?? Self.join(place.folder ?? "", name))
            case .folder(_, let name):
                if let file = place.file { download.destination = .file(path: file) }
                if let folder = place.folder { download.destination = .folder(path: folder, name: name) }
            }
        }
        if let existing = place.existing {
            download.overwrites = existing == .overwrites
            download.existing =
                switch existing {
                case .fails, .overwrites: .fails
                case .skips: .skips
                case .updates: .updates
                case .keepsBoth: .keepsBoth
                }
        }
        operation = .download(download)
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.endsWithSlash ? folder + name : "\(folder)/\(name)"
    }

    private mutating func take(_ place: Relocation) throws(TransferError) {
        if let headers = place.headers {
            var given = TransferOptions()
            for header in headers { try given.addHeader(name: header.name, value: header.value) }
            let names = Set(given.headers.map(\.name))
            options.headers = options.headers.filter { !names.contains($0.name) } + given.headers
        }
        if let cookies = place.cookies { options.cookies = cookies }
        if let credential = place.credential { options.credential = credential }
        if let identity = place.clientIdentity { options.clientIdentity = identity }
        if place.changesFile { try takeFile(place) }
        guard let sid = place.sid else { return }
        guard case .upload(var upload) = operation, case .fileQ(var form) = upload.form else {
            throw TransferError(.usage, "only FileQ uploads have a SID", fields: .init(variant: .sessionOfOtherUpload))
        }
        form.sid = sid
        upload.form = .fileQ(form)
        operation = .upload(upload)
    }
}
