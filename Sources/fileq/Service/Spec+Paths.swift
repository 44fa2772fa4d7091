// SPDX-License-Identifier: MIT

import TransferModel

extension Spec {
    /// The same for a process with another working folder: makes paths relative to `folder` absolute.
    func withWholePaths(in folder: String) -> Spec {
        func whole(_ path: String) -> String {
            guard !path.hasPrefix("/") else { return path }
            let name = path == "." ? "" : path.hasPrefix("./") ? String(path.dropFirst(2)) : path
            if name.isEmpty { return folder }
            return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        }
        var result = self
        switch operation {
        case .download(var download):
            switch download.destination {
            case .file(let path): download.destination = .file(path: whole(path))
            case .folder(let path, let name): download.destination = .folder(path: whole(path), name: name)
            case .stream: break
            }
            result.operation = .download(download)
        case .upload(var upload):
            if case .file(let path) = upload.source { upload.source = .file(path: whole(path)) }
            result.operation = .upload(upload)
        }
        result.options.cookieJar = options.cookieJar.map(whole)
        result.options.certificateAuthorities = options.certificateAuthorities.map(whole)
        if var identity = options.clientIdentity {
            identity.certificate = whole(identity.certificate)
            identity.key = identity.key.map(whole)
            result.options.clientIdentity = identity
        }
        return result
    }
}
