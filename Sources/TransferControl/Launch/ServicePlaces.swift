// SPDX-License-Identifier: MIT

import Glibc
package import Platform
package import TransferModel

/// The files of the user's background service, the same for service and clients.
package struct ServicePlaces: Sendable, Hashable {
    /// Queue, history, log, and the lock of the queue.
    package let state: String
    /// The socket; private.
    package let runtime: String

    package var socket: String { "\(runtime)/control.sock" }
    /// Held while the service runs; see ``ServiceLock``.
    package var lock: String { "\(state)/service.lock" }
    /// Held while starting a service.
    package var startLock: String { "\(state)/service.start.lock" }
    /// The folder of the queue's database and credentials.
    package var queue: String { "\(state)/queue" }
    /// Written by a crash of the service; see ``CrashRecord``.
    package var crashes: String { "\(state)/service.crash" }
    package var log: String { "\(state)/service.log" }

    /// `$FILEQ_HOME` and `$FILEQ_HOME/run`, else `$XDG_STATE_HOME/fileq` and `$XDG_RUNTIME_DIR/fileq`. Without a
    /// runtime folder the socket is in `run` below the state.
    /// - Parameter environment: returns the value of a variable.
    package init(environment: (String) -> String?) { self.init(Folders(environment: environment)) }

    package init(_ folders: Folders) {
        if let home = folders.fileqHome {
            (state, runtime) = (home, "\(home)/run")
        } else {
            state = folders.state
            runtime = folders.runtime ?? "\(folders.state)/run"
        }
    }

    /// Creates the state folder with mode 0700; the socket's folder is created with the socket.
    /// - Throws: code `usage` for a socket path that is too long; `cannotWrite` for a folder that cannot be created or
    ///   that others can write.
    package func prepare() throws(TransferError) {
        try checkSocket()
        do {
            try PrivateFolder.prepare(state)
        } catch {
            switch error {
            case .failed(let error): throw Self.noFolder(error.path ?? state, error.errno)
            case .notAFolder: throw TransferError(.cannotWrite, file: .notFolder, path: state)
            case .foreign: throw TransferError(.cannotWrite, file: .otherUser, path: state, variant: .foreignFolder)
            case .writableByOthers:
                throw TransferError(.cannotWrite, file: .writableByOthers, path: state, variant: .writableByOthers)
            }
        }
    }

    /// - Throws: code `usage` if the path exceeds the limit of a socket.
    package func checkSocket() throws(TransferError) { try UnixSocket.withAddress(socket) { _, _ in } }

    /// As for accounts of the system, whose home does not exist, is a file, or is not theirs.
    static func noFolder(_ path: String, _ code: Int32) -> TransferError {
        let isUnusable = [EACCES, EPERM, EROFS, ENOTDIR].contains(code)
        return cannotWrite(path, code, isUnusable ? .foreignFolder : nil)
    }

    static func cannotWrite(_ path: String, _ code: Int32, _ variant: TransferError.Variant? = nil) -> TransferError {
        TransferError(.cannotWrite, file: .write, path: path, systemErrno: code, variant: variant)
    }
}
