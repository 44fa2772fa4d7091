// SPDX-License-Identifier: MIT

import Glibc

extension FileProblem {
    /// One line, which begins with the path, and has no full stop.
    /// - Parameters:
    ///   - path: ``TransferError/Fields/path``.
    ///   - errno: ``TransferError/systemErrno``.
    /// - Returns: `nil` for a kind of a later version.
    public func message(path: String?, errno: Int32?) -> String? {
        guard let text = text(path: path, reason: errno.map { ": \(Self.phrase($0))" } ?? "") else { return nil }
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
        case .unknown: nil
        }
    }

    /// The C library's text for an errno, for the middle of a sentence: `no such file or directory`.
    private static func phrase(_ errno: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "error \(errno)" }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
