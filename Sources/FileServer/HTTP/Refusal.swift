// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform

/// A rejected request: a status and one line for the client.
struct Refusal: Error, Equatable {
    var status: HTTPResponse.Status
    /// Lower case, no full stop; contains nothing from the request.
    var message: String
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ message: String, headers: HTTPFields = [:]) {
        self.status = status
        self.message = message
        self.headers = headers
    }

    static let notFound = Refusal(.notFound, "no such file")

    static func methodNotAllowed(_ allowed: [HTTPRequest.Method]) -> Refusal {
        let list = allowed.map(\.rawValue).joined(separator: ", ")
        return Refusal(.methodNotAllowed, "the method is not allowed here; allowed: \(list)", headers: [.allow: list])
    }
}

extension SystemError {
    /// For a reader, a path that is not a file does not exist.
    var meansAbsent: Bool { [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(errno) }

    /// The error for the client.
    var refusal: Refusal {
        switch errno {
        case ENOENT: .notFound
        case EACCES, EPERM, EROFS: Refusal(.forbidden, "the server has no permission: \(text)")
        case ENOSPC, EDQUOT: Refusal(.insufficientStorage, "no space left on the server")
        case EFBIG: Refusal(.contentTooLarge, "the file is too large for the server's file system")
        case ENAMETOOLONG, EINVAL, EILSEQ: Refusal(.badRequest, "the server's file system does not allow that name")
        case ENOTDIR, ELOOP, EISDIR, EEXIST, ENOTEMPTY:
            Refusal(.conflict, "a component of the path has the wrong type for this request")
        case EMFILE, ENFILE, ENOMEM: Refusal(.serviceUnavailable, "the server is out of resources; try again")
        default: Refusal(.internalServerError, "the server failed")
        }
    }
}

extension HTTPResponse.Status {
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
