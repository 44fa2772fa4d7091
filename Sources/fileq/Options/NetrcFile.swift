// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import SessionCore
import TransferModel

/// `~/.netrc`, or the file that `NETRC` names instead.
struct NetrcFile {
    /// `nil` without a home folder.
    private let path: String?
    /// By `NETRC`, whose value other processes do not know.
    let isNamed: Bool
    private let warn: @Sendable (String) -> Void
    private var content: Netrc?
    private var isChecked = false
    /// Known after ``check()``.
    private(set) var isOpenToOthers = false
    private var hasWarned = false

    init(_ surroundings: CommandEnvironment) {
        func variable(_ name: String) -> String? {
            surroundings.environment(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        let named = variable("NETRC")
        path = named ?? variable("HOME").map { "\($0)/.netrc" }
        isNamed = named != nil
        warn = surroundings.warn
    }

    /// - Throws: code `usage` if the file that `NETRC` names cannot be read; the one in the home folder need not exist.
    mutating func check() throws(TransferError) {
        guard !isChecked, let path else { return }
        let code: Int32
        if let status = FileStatus(path) {
            isOpenToOthers = status.isRegular && status.isOpenToOthers
            code = status.isFolder ? EISDIR : access(path, R_OK) == 0 ? 0 : errno
        } else {
            code = errno
        }
        guard code == 0 || !isNamed else {
            throw TransferError(
                .usage, "NETRC: '\(path)': \(TransferError.phrase(errno: code))", systemErrno: code,
                fields: .init(variant: .invalidVariable))
        }
        isChecked = true
    }

    /// The password of this user. Warns, once, if other users can read it.
    mutating func password(host: String, user: String) -> String? {
        let found = read().password(host: host, user: user)
        if found != nil { warnIfOpen() }
        return found
    }

    /// As ``password(host:user:)``, of the first user.
    mutating func credential(host: String) -> Credential? {
        let found = read().credential(host: host)
        if found != nil { warnIfOpen() }
        return found
    }

    private mutating func read() -> Netrc {
        if let content { return content }
        let data = path.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
        let read = Netrc(text: String(decoding: data, as: UTF8.self))
        content = read
        return read
    }

    private mutating func warnIfOpen() {
        guard isOpenToOthers, !hasWarned, let path else { return }
        hasWarned = true
        warn("other users can read the passwords in '\(path)'; 'chmod 600' makes it private")
    }
}
