// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import SessionCore
import Synchronization
import TransferModel

/// Decides from an answer's head whether a download takes it, and under which name it will end.
final class DownloadAdmission: Sendable {
    private let destination: DownloadDescription.Destination
    private let overwrites: Bool
    private let authority: String
    private let named: Mutex<String?>

    init(_ description: DownloadDescription, authority: String) {
        destination = description.destination
        overwrites = description.overwrites
        self.authority = authority
        named = Mutex(Self.firstPath(destination))
    }

    /// The best known final path; `nil` for a stream.
    var path: String? { named.withLock { $0 } }

    /// Where the unfinished file lies: beside the name known from the start, so that another run finds it.
    static func partialPath(_ destination: DownloadDescription.Destination) -> String? {
        firstPath(destination).map { $0 + ".fileq-part" }
    }

    static func firstPath(_ destination: DownloadDescription.Destination) -> String? {
        switch destination {
        case .file(let path): path
        case .folder(let folder, let name): join(folder, name)
        case .stream: nil
        }
    }

    /// Called on the transport's thread: two quick calls of the file system at most.
    func judge(_ head: HTTPResponse) -> DownloadTarget.Admission {
        if let error = HTTPStatusError.make(head.status, authority: authority) { return .refuse(error) }
        guard case .folder(let folder, _) = destination else { return .accept }
        if let text = head.headerFields[.contentDisposition], let proposed = ContentDisposition(parsing: text)?.fileName,
            let name = SafeFileName.sanitize(proposed, allowsHidden: false) {
            named.withLock { $0 = Self.join(folder, name) }
        }
        // For a small body it is cheaper to let the rename at the end find out.
        if let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length < 65_536 { return .accept }
        if let path, !overwrites, Self.exists(path) { return .refuse(Self.existsError(path)) }
        return .accept
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    static func existsError(_ path: String) -> TransferError {
        TransferError(.cannotWrite, "\(path): exists already; use --overwrite to replace it, or -o for another name",
                      systemErrno: EEXIST)
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.isEmpty || folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}

/// What a final status means where only a success is of use.
enum HTTPStatusError {
    /// `nil` for 2xx.
    static func make(_ status: HTTPResponse.Status, authority: String, said: String = "") -> TransferError? {
        guard status.kind != .successful else { return nil }
        let phrase = status.reasonPhrase.isEmpty ? "" : " \(status.reasonPhrase)"
        let words = said.isEmpty ? "" : ": \(said)"
        let isLogin = status.code == 401 || status.code == 407
        return TransferError(isLogin ? .loginDenied : .httpStatus, "\(authority): answered \(status.code)\(phrase)\(words)")
    }
}

extension HTTPField.Name {
    static let contentDisposition = Self("Content-Disposition")!
    static let retryAfter = Self("Retry-After")!
}
