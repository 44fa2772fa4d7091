// SPDX-License-Identifier: MIT

import Glibc

extension FileProblem {
    /// One line, which begins with the path, and has no full stop.
    /// - Parameters:
    ///   - path: ``TransferError/Fields/path``.
    ///   - errno: ``TransferError/systemErrno``.
    /// - Returns: `nil` for a kind of a later version.
    public func message(path: String?, errno: Int32?) -> String? {
        var reason = errno.map { ": \(TransferError.phrase(errno: $0))" } ?? ""
        if errno == EINVAL, kind == .write, let path, SafeFileName.hasWindowsReserved(path.afterLastSlash) {
            reason += "; its file system may not take : ? * < > | \" or \\ in names"
        }
        guard let text = text(path: path, reason: reason) else { return nil }
        return path.map { "\($0): \(text)" } ?? text
    }

    /// - Parameter reason: follows the name of a failed call.
    private func text(path: String?, reason: String) -> String? {
        switch kind {
        case .write: "cannot write\(reason)"
        case .read: "cannot read\(reason)"
        case .readInput: "standard input: cannot read\(reason)"
        case .readAgain: "cannot be read again for its checksum\(reason)"
        case .rename: "cannot be named again\(reason)"
        case .check: "cannot be checked\(reason)"
        case .open: "cannot open\(reason)"
        case .lock: "cannot lock\(reason)"
        case .sync: "cannot be made durable\(reason)"
        case .syncName: "has its name, which cannot be made durable\(reason)"
        case .makeFolder: "cannot make the folder of the socket\(reason)"
        case .useFolder: "cannot use the folder of the socket\(reason)"
        case .makeSocket: "cannot make the socket\(reason)"
        case .removeSocket: "cannot remove the old socket\(reason)"
        case .restrictSocket: "cannot keep the socket to one user\(reason)"
        case .listen: "cannot listen\(reason)"
        case .probe: "cannot find out whether a service listens there\(reason)"
        case .connect: "cannot connect to the background service\(reason)"
        case .start: "cannot start the background service\(reason)"
        case .notFolder: "is not a folder"
        case .notRegularFile: "is not a regular file"
        case .notSocket: "is there already and is no socket"
        case .otherUser: "belongs to another user"
        case .otherUsersService: "another user's service listens here"
        case .writableByOthers: "other users can write in this folder, so it is not used"
        case .readOnly: "cannot write: the file, its folder or the file system is read-only"
        case .exists: "exists already"
        case .inUse: "this queue is open in \(holder.map { "process \($0)" } ?? "another process")"
        case .nameInUse:
            holder.map { "transfer \($0) is writing this file" } ?? "another transfer of this run has that name"
        case .closed: "the queue is closed"
        case .newerVersion: "was written by a newer version of this program"
        case .unresponsive: "the folder does not respond"
        case .tooLarge: "would hold more than \(bytes ?? 0) bytes"
        case .longSocketPath:
            "a socket's path has at most \(bytes ?? 0) bytes, this one has \(path?.utf8.count ?? 0)"
        case .invalidSocketPath: "the socket's path is empty or holds a NUL"
        case .deleted: "was deleted or moved away while it was being written"
        case .cutShort:
            "was cut short while it was being written and holds \(bytes ?? 0) of \(position ?? 0) bytes"
        case .written:
            "holds \(bytes ?? 0) bytes instead of \(position ?? 0); another program has written to it"
        case .lacksBytes: "cannot read \(bytes ?? 0) bytes from byte \(position ?? 0) on"
        case .readSource: "cannot read the source\(reason)"
        case .noSize: "has bytes, but no size"
        case .changed: "changed while it was being sent"
        case .changedBetween:
            bytes.map { "changed after \($0) bytes of it were uploaded" } ?? "changed during its upload"
        default: textOfSession(reason: reason)
        }
    }

    /// Of partial files, and of files of sessions.
    private func textOfSession(reason: String) -> String? {
        switch kind {
        case .shorter: "holds \(bytes ?? 0) of the \(position ?? 0) bytes to resume from"
        case .symbolicLink: "is a symbolic link; name the file itself"
        case .hardLink: "is a hard link to a file with another name"
        case .beingWritten: "another process is writing this file"
        case .beingChanged: "another process is changing this file and does not end"
        case .readableByOthers:
            "other users can read this file, so it is not used; 'chmod 600' keeps it to yourself"
        case .changeableByOthers:
            "other users can write this file, so it is not used; 'chmod 600' keeps it to yourself"
        case .implausible: "holds more than \(bytes ?? 0) bytes; it cannot be what it should be"
        case .readPartly: "cannot read all of it"
        case .otherVersion: "is of version \(version ?? 0), which this program does not read"
        case .notCredentials: "is no list of credentials"
        case .useInBackground: "cannot be used for a background session\(reason)"
        case .readCookies: "cannot read the cookies\(reason)"
        case .writeCookies: "cannot write the cookies\(reason)"
        case .lockCookies: "cannot lock the cookies\(reason)"
        case .largeCookies: "is too large for a file of cookies"
        default: nil
        }
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
