// SPDX-License-Identifier: MIT

import Glibc

/// What is wrong with a file, a folder or a socket, or which call on it failed: the value of
/// ``TransferError/Fields/file``.
///
/// ``TransferError/Fields/path`` is the file, ``TransferError/systemErrno`` the reason of a failed call.
/// ``message(path:errno:)`` is the sentence of the library; a program may make another one of the value.
package struct FileProblem: Sendable, Hashable, Codable {
    package var kind: Kind
    /// The bytes of the file, or the bytes concerned; of a limit, the most bytes.
    package var bytes: Int64?
    /// The bytes that the file should have, or where in it the bytes concerned begin.
    package var position: Int64?
    /// The ID of the process or transfer that uses the file, where known.
    package var holder: Int?
    /// Of the file's format.
    package var version: Int?

    package init(_ kind: Kind, bytes: Int64? = nil, position: Int64? = nil, holder: Int? = nil) {
        self.kind = kind
        self.bytes = bytes
        self.position = position
        self.holder = holder
    }

    /// Its meaning is its row in ``Sentences``. The raw value is that of the stored and wire forms.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        // A call failed.
        case write, read, readInput, readAgain, rename, check, open, lock, sync, syncName, makeFolder, useFolder
        case makeSocket, removeSocket, restrictSocket, listen, probe, connect, start
        // The kind of the file, or other users of it. For limits, ``bytes`` is the limit.
        case notFolder, notRegularFile, notSocket, otherUser, otherUsersService, writableByOthers, readOnly, exists
        case inUse, nameInUse, closed, newerVersion, unresponsive, tooLarge, longSocketPath, invalidSocketPath
        // Changes during the transfer: ``bytes`` of ``position`` are left.
        case deleted, cutShort, written, lacksBytes
        // Sources of uploads.
        case readSource, noSize, changed, changedBetween
        // Partial files, and files of sessions.
        case shorter, symbolicLink, hardLink, beingWritten, beingChanged, readableByOthers, changeableByOthers
        case implausible, readPartly, otherVersion, notCredentials, useInBackground, readCookies, writeCookies
        case lockCookies, largeCookies
        /// A kind of a later version.
        case unknown
    }
}

extension FileProblem {
    /// One line, which begins with the path, and has no full stop.
    /// - Parameters:
    ///   - path: ``TransferError/Fields/path``.
    ///   - errno: ``TransferError/systemErrno``.
    /// - Returns: `nil` for a kind of a later version.
    package func message(path: String?, errno: Int32?) -> String? {
        var reason = errno.map { ": \(TransferError.phrase(errno: $0))" } ?? ""
        if errno == EINVAL, kind == .write, let path, SafeFileName.hasWindowsReserved(path.afterLastSlash) {
            reason += "; its file system may not take : ? * < > | \" or \\ in names"
        }
        let text = Sentences.english.text(["file.\(kind.rawValue)"]) { name in
            switch name {
            case "reason": reason
            case "bytes": bytes.map { "\($0)" }
            case "position": position.map { "\($0)" }
            case "holder": holder.map { "\($0)" }
            case "version": version.map { "\($0)" }
            case "length": "\(path?.utf8.count ?? 0)"
            default: nil
            }
        }
        guard let text else { return nil }
        return path.map { "\($0): \(text)" } ?? text
    }
}

extension FileProblem.Kind: Codable {
    package init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
}

extension TransferError {
    package init(
        _ code: Code, file problem: FileProblem, path: String? = nil, systemErrno: Int32? = nil, variant: Variant? = nil
    ) {
        self.init(
            code, problem.message(path: path, errno: systemErrno) ?? "", systemErrno: systemErrno,
            fields: Fields(path: path, variant: variant))
        fields.file = problem
    }

    package init(
        _ code: Code, file kind: FileProblem.Kind, path: String? = nil, systemErrno: Int32? = nil,
        variant: Variant? = nil
    ) {
        self.init(code, file: FileProblem(kind), path: path, systemErrno: systemErrno, variant: variant)
    }
}

extension TransferError {
    /// The C library's text for an errno, for the middle of a sentence: `no such file or directory`; a clearer one of
    /// what the system lacks or limits.
    package static func phrase(errno: Int32) -> String {
        switch errno {
        case EMFILE: return "this program has as many files open as it may"
        case ENFILE: return "the system has as many files open as it may"
        case ENOMEM: return "the system has no memory left"
        case EFBIG: return "the file would be larger than its file system or a limit of this program allows"
        default: break
        }
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "error \(errno)" }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
