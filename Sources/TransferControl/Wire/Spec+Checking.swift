// SPDX-License-Identifier: MIT

import TransferModel

/// Client and server both refuse what a service cannot execute: before sending, and after receiving. Errors have code
/// `usage` and name the member, never its value.
extension Spec {
    /// - Throws: for a stream, whose descriptor is invalid in another process, and for a relative path.
    func checkOperation() throws(TransferError) {
        switch operation {
        case .download(let download): try download.check()
        case .upload(let upload):
            guard case .file(let path) = upload.source else {
                throw TransferError(
                    .usage, "the background service cannot read this program's input",
                    fields: .init(variant: .streamedUpload))
            }
            try WireCheck.path(path, "file")
            if let method = options.method, !Upload.isPossible(with: method) {
                throw TransferError(.specUploadMethod)
            }
            if case .s3(let form) = upload.form { try form.check() }
        }
    }
}

extension S3Upload {
    fileprivate func check() throws(TransferError) {
        guard S3Location.isRegion(region) else { throw TransferError(ParameterProblem("s3", .region)) }
        guard partSize.map({ (Self.smallestPart...Self.largestPart).contains($0) }) ?? true else {
            throw TransferError(
                ParameterProblem("s3", .partSize, minimum: Self.smallestPart, maximum: Self.largestPart))
        }
        if let credentialFile { try WireCheck.path(credentialFile, "s3.credentialFile") }
    }
}

extension Download {
    fileprivate func check() throws(TransferError) {
        switch destination {
        case .file(let path): try WireCheck.path(path, "file")
        case .folder(let path, let name):
            guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")),
                !name.utf8.contains(0)
            else {
                throw TransferError(ParameterProblem(nil, .fileName))
            }
            try WireCheck.path(path, "folder")
        case .stream:
            throw TransferError(
                .usage, "the background service cannot write to this program's output",
                fields: .init(variant: .streamedDownload))
        }
        guard mirrors.count <= FileMirror.maximumCount,
            mirrors.allSatisfy({ $0.priority.map(FileMirror.priorities.contains) ?? true })
        else {
            throw TransferError(
                ParameterProblem(
                    "mirrors", .mirrors, from: FileMirror.priorities.upperBound, to: FileMirror.maximumCount))
        }
        guard size ?? 0 >= 0 else { throw TransferError(ParameterProblem("size", .least, minimum: 0)) }
        if let size, let pieces, !pieces.fits(size) {
            throw TransferError(ParameterProblem("pieces", .pieces))
        }
        guard body?.count ?? 0 <= Self.maximumBodyBytes else {
            throw TransferError(ParameterProblem("body", .body, upTo: Self.maximumBodyBytes))
        }
    }
}

extension TransferOptions {
    /// Options with invalid values are checked here. Times are bounded.
    func checked() throws(TransferError) -> TransferOptions {
        var options = self
        try WireCheck.path(cookieJar, "cookieJar")
        try WireCheck.path(certificateAuthorities, "certificateAuthorities")
        try clientIdentity?.check()
        try WireCheck.seconds(&options.connectTimeout, "connectTimeout")
        try WireCheck.seconds(&options.requestTimeout, "requestTimeout")
        try WireCheck.seconds(&options.responseTimeout, "responseTimeout")
        try WireCheck.seconds(&options.resourceTimeout, "resourceTimeout")
        try WireCheck.number(retries, atLeast: 0, "retries")
        if let wait = maximumRetryWait {
            guard wait >= 0, wait.isFinite else {
                throw TransferError(ParameterProblem("maximumRetryWait", .least, minimum: 0))
            }
        }
        try WireCheck.number(rateLimit, atLeast: 1, "rateLimit")
        try WireCheck.number(connections, atLeast: 1, "connections")
        try WireCheck.number(maximumRedirects, atLeast: 0, "maximumRedirects")
        guard umask.map({ (0...0o777).contains($0) }) ?? true else {
            throw TransferError(ParameterProblem("umask", .range, to: 0o777))
        }
        try WireCheck.priority(priority)
        if let interface { try WireCheck.interface(interface) }
        guard certificatePins.allSatisfy({ $0.count == Checksum.Algorithm.sha256.byteCount }) else {
            throw TransferError(ParameterProblem("certificatePins", .certificatePin))
        }
        return options
    }
}

extension ClientIdentity {
    func check() throws(TransferError) {
        try WireCheck.path(certificate, "clientIdentity.certificate")
        try WireCheck.path(key, "clientIdentity.key")
    }
}
