// SPDX-License-Identifier: MIT

/// What is wrong with a file, a folder or a socket, or which call on it failed: the value of
/// ``TransferError/Fields/file``.
///
/// ``TransferError/Fields/path`` is the file, ``TransferError/systemErrno`` the reason of a failed call.
/// ``message(path:errno:)`` is the sentence of the library; a program may make another one of the value.
public struct FileProblem: Sendable, Hashable, Codable {
    public var kind: Kind
    /// The bytes of the file, or the bytes concerned; of a limit, the most bytes.
    public var bytes: Int64?
    /// The bytes that the file should have, or where in it the bytes concerned begin.
    public var position: Int64?
    /// The ID of the process or transfer that uses the file, where known.
    public var holder: Int?
    /// Of the file's format.
    public var version: Int?

    public init(_ kind: Kind, bytes: Int64? = nil, position: Int64? = nil, holder: Int? = nil) {
        self.kind = kind
        self.bytes = bytes
        self.position = position
        self.holder = holder
    }

    /// The raw value is that of the stored and wire forms.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        // A call failed.
        case write
        case read
        /// The standard input, which has no path.
        case readInput
        /// A complete download, for its checksum.
        case readAgain
        /// A completed download whose name was lost.
        case rename
        case check
        case open
        case lock
        case sync
        /// The folder's entry of a file that was renamed.
        case syncName
        case makeFolder
        case useFolder
        case makeSocket
        /// The socket of a dead service.
        case removeSocket
        /// To the permissions of this user alone.
        case restrictSocket
        case listen
        /// Whether a service listens.
        case probe
        case connect
        /// The program of the background service.
        case start

        // What it is, or who else uses it.
        case notFolder
        case notRegularFile
        case notSocket
        case otherUser
        /// The socket of another user's service.
        case otherUsersService
        /// A folder in which other users can write.
        case writableByOthers
        case readOnly
        case exists
        /// ``holder`` is the process.
        case inUse
        /// ``holder`` is the transfer.
        case nameInUse
        case closed
        case newerVersion
        /// The file system has not replied to a call for some seconds.
        case unresponsive
        /// ``bytes`` is the limit.
        case tooLarge
        /// ``bytes`` is the limit.
        case longSocketPath
        case invalidSocketPath

        // What happened to it meanwhile.
        case deleted
        /// It has ``bytes``, and ``position`` bytes were written.
        case cutShort
        /// It has ``bytes``, and ``position`` bytes were written.
        case written
        /// It does not have the ``bytes`` from ``position`` on.
        case lacksBytes

        // Sources of uploads.
        case readSource
        /// It has bytes, and its size is 0, as those of /proc.
        case noSize
        /// While it was sent.
        case changed
        /// Between two requests of its upload; ``bytes`` are on the server, where known.
        case changedBetween

        // Partial files, and files of sessions.
        /// It has ``bytes``, and the download was to resume from ``position``.
        case shorter
        case symbolicLink
        case hardLink
        /// Another process has it open for writing.
        case beingWritten
        /// Another process has its lock, and does not end.
        case beingChanged
        case readableByOthers
        case changeableByOthers
        /// ``bytes`` is the limit for files of its kind.
        case implausible
        case readPartly
        /// ``version`` is one that is not read.
        case otherVersion
        case notCredentials
        /// For a background session.
        case useInBackground
        case readCookies
        case writeCookies
        case lockCookies
        /// Too large for cookies.
        case largeCookies

        /// A kind of a later version.
        case unknown
    }
}

extension FileProblem.Kind: Codable {
    public init(from decoder: any Decoder) throws {
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
