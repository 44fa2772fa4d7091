// SPDX-License-Identifier: MIT

package import Platform
public import TransferModel

/// Where the background service of this user keeps its files, the same for everybody who looks for it.
public struct ServicePlaces: Sendable, Hashable {
    /// Queue, history, log, and the lock that says who has the queue.
    public let state: String
    /// The socket; for nobody else.
    public let runtime: String

    public var socket: String { "\(runtime)/control.sock" }
    /// Held by the service as long as it lives; see ``ServiceLock``.
    public var lock: String { "\(state)/service.lock" }
    /// Held by whoever starts a service.
    public var startLock: String { "\(state)/service.start.lock" }
    /// The folder of the queue's database and of the secrets that go with it.
    public var queue: String { "\(state)/queue" }
    /// What a crash of the service leaves; see ``CrashRecord``.
    public var crashes: String { "\(state)/service.crash" }
    public var log: String { "\(state)/service.log" }

    /// `$FILEQ_HOME` and `$FILEQ_HOME/run`, else `$XDG_STATE_HOME/fileq` and `$XDG_RUNTIME_DIR/fileq`. Without a
    /// runtime folder the socket is in `run` below the state.
    /// - Parameter environment: looks one variable up.
    public init(environment: (String) -> String?) { self.init(Folders(environment: environment)) }

    package init(_ folders: Folders) {
        if let home = folders.fileqHome {
            (state, runtime) = (home, "\(home)/run")
        } else {
            state = folders.state
            runtime = folders.runtime ?? "\(folders.state)/run"
        }
    }

    /// Makes the state folder, with mode 0700, where there is none; the socket's folder is made with the socket.
    /// - Throws: code `usage` for a socket's path that is too long; `cannotWrite` for a folder that cannot be made or
    ///   is not this user's alone to write.
    public func prepare() throws(TransferError) {
        try checkSocket()
        do {
            try PrivateFolder.prepare(state)
        } catch {
            switch error {
            case .failed(let error): throw Self.cannotWrite(error.path ?? state, error.errno)
            case .notAFolder: throw TransferError(.cannotWrite, "\(state): is not a folder")
            case .foreign:
                throw TransferError(
                    .cannotWrite, "\(state): belongs to another user; set FILEQ_HOME to a folder of your own")
            case .writableByOthers:
                throw TransferError(
                    .cannotWrite,
                    "\(state): other users can write in this folder, so no queue is kept there; "
                        + "'chmod 700' keeps it to yourself")
            }
        }
    }

    /// - Throws: code `usage` where the path is longer than a socket's can be.
    public func checkSocket() throws(TransferError) { try UnixSocket.withAddress(socket) { _, _ in } }

    static func cannotWrite(_ path: String, _ code: Int32) -> TransferError {
        TransferError(.cannotWrite, "\(path): cannot write: \(SystemError.phrase(code))", systemErrno: code)
    }
}
