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
    private let id: TransferID
    private let claims: NameClaims
    /// Below this size it is cheaper to let the rename at the end find out that a name is taken.
    static let smallBody: Int64 = 65_536

    init(_ description: DownloadDescription, authority: String, id: TransferID, claims: NameClaims) {
        self.id = id
        self.claims = claims
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
        if let error = HTTPStatusError.make(head, authority: authority) { return .refuse(error) }
        guard case .folder(let folder, _) = destination else { return .accept }
        if let text = head.headerFields.first(.contentDisposition), let proposed = ContentDisposition(parsing: text)?.fileName,
            let name = SafeFileName.sanitize(proposed, allowsHidden: false) {
            named.withLock { $0 = Self.join(folder, name) }
        }
        guard let path else { return .accept }
        guard claims.claim(path, for: id) else {
            return .refuse(TransferError(.cannotWrite, "\(path): another transfer of this run has that name; use -o"))
        }
        let length = head.headerFields.first(.contentLength).flatMap { Int64($0) } ?? .max
        if head.status.code != 206, length < Self.smallBody { return .accept }
        return !overwrites && Self.exists(path) ? .refuse(Self.existsError(path)) : .accept
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

/// Which transfer of a queue has which final name: two answers may propose the same one.
final class NameClaims: Sendable {
    private let owners = Mutex<[String: TransferID]>([:])

    /// - Returns: false where the name is another transfer's.
    func claim(_ path: String, for id: TransferID) -> Bool {
        owners.withLock { owners in
            if let owner = owners[path] { return owner == id }
            owners[path] = id
            return true
        }
    }

    /// A transfer that ended without its file leaves the name to others.
    func release(_ path: String, by id: TransferID) {
        owners.withLock { if $0[path] == id { $0[path] = nil } }
    }
}

/// What a final status means where only a success is of use.
enum HTTPStatusError {
    /// `nil` for 2xx.
    static func make(_ head: HTTPResponse, authority: String, said: String = "") -> TransferError? {
        let status = head.status
        guard status.kind != .successful else { return nil }
        let phrase = status.reasonPhrase.isEmpty ? "" : " \(status.reasonPhrase)"
        let words = said.isEmpty ? "" : ": \(said)"
        let isLogin = status.code == 401 || status.code == 407
        let answered = "\(authority): answered \(status.code)\(phrase)"
        guard let proxy = ProxyStatus(of: head) else {
            return TransferError(isLogin ? .loginDenied : .httpStatus, answered + words)
        }
        let maker = "made by a proxy on the way, \(TextLine.first(of: proxy.name)): \(TextLine.first(of: proxy.error))"
        return TransferError(isLogin ? .loginDenied : .httpStatus, "\(answered) (\(maker))\(words)")
    }
}

extension HTTPField.Name {
    static let contentDisposition = Self("Content-Disposition")!
    static let retryAfter = Self("Retry-After")!
}
