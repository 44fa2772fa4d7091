// SPDX-License-Identifier: MIT

import Glibc
import GRDB
import TransferModel

/// Translates SQLite's errors for the user.
enum StoreFailure {
    /// - Parameter path: the database's, for the message.
    static func translate(_ error: any Error, path: String) -> TransferError {
        if let error = error as? TransferError { return error }
        guard let error = error as? DatabaseError else {
            return TransferError(
                .other,
                "\(path): holds an entry that cannot be read", fields: .init(path: path, variant: .databaseUnreadable))
        }
        switch error.resultCode {
        case .SQLITE_FULL: return cannotWrite(path, ENOSPC)
        case .SQLITE_READONLY: return TransferError(.cannotWrite, file: .readOnly, path: path, systemErrno: EROFS)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            return TransferError(
                .cannotWrite, "\(path): cannot be opened", systemErrno: EACCES,
                fields: .init(path: path, variant: .databaseForbidden))
        case .SQLITE_IOERR:
            return unreadable(path, EIO)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return TransferError(.cannotWrite, file: .inUse, path: path, systemErrno: EBUSY, variant: .queueInUse)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return TransferError(.other, "\(path): is damaged", fields: .init(path: path, variant: .databaseDamaged))
        default:
            return TransferError(
                .other, "\(path): SQLite refused: \(error.message ?? "error \(error.resultCode.rawValue)")")
        }
    }

    /// Whether the file itself is damaged, so that only another file helps.
    static func isDamage(_ error: any Error) -> Bool {
        guard let code = (error as? DatabaseError)?.resultCode else { return false }
        return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
    }

    /// The meaning of the response to `PRAGMA quick_check`; `nil`: the database is whole.
    ///
    /// The check reports pages that it could not read now in the same way as damaged ones, with SQLite's result code.
    static func check(_ response: String) -> DatabaseError? {
        guard response != "ok" else { return nil }
        let code = response.firstRange(of: "error code=").flatMap { range in
            Int32(response[range.upperBound...].prefix(while: \.isWholeNumber))
        }
        let primary = code.map { ResultCode(rawValue: $0 & 0xff) }
        let isTransient = primary == .SQLITE_IOERR || primary == .SQLITE_NOMEM
        return DatabaseError(resultCode: isTransient ? .SQLITE_IOERR : .SQLITE_CORRUPT, message: response)
    }

    static func unreadable(_ path: String, _ code: Int32) -> TransferError {
        TransferError(
            .cannotWrite, "\(path): the disk reported an error", systemErrno: code,
            fields: .init(path: path, variant: .diskError))
    }

    static func cannotWrite(_ path: String, _ code: Int32) -> TransferError {
        TransferError(.cannotWrite, file: .write, path: path, systemErrno: code)
    }
}
