// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform

/// A request that is not carried out, as the client is told: a status and one line.
struct Refusal: Error, Equatable {
    var status: HTTPResponse.Status
    /// Lower case, no full stop; holds nothing that came with the request.
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
    /// For a reader, whatever is no file by its path simply does not exist.
    var meansAbsent: Bool { [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(errno) }

    /// What a client is told of it.
    var refusal: Refusal {
        switch errno {
        case ENOENT: .notFound
        case EACCES, EPERM, EROFS: Refusal(.forbidden, "the server may not do that here: \(text)")
        case ENOSPC, EDQUOT: Refusal(.insufficientStorage, "no space is left on the server")
        case EFBIG: Refusal(.contentTooLarge, "the server's file system holds no file of that size")
        case ENAMETOOLONG, EINVAL, EILSEQ: Refusal(.badRequest, "the server's file system does not take that name")
        case ENOTDIR, ELOOP, EISDIR, EEXIST, ENOTEMPTY:
            Refusal(.conflict, "a part of the path is of another kind than this request needs")
        case EMFILE, ENFILE, ENOMEM: Refusal(.serviceUnavailable, "the server is out of resources; try again")
        default: Refusal(.internalServerError, "the server could not carry it out")
        }
    }
}

extension HTTPResponse.Status {
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
