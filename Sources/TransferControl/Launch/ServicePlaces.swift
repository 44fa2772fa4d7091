// SPDX-License-Identifier: MIT

import Glibc
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

    /// `$FILEQ_HOME` and `$FILEQ_HOME/run`, else `$XDG_STATE_HOME/fileq` and `$XDG_RUNTIME_DIR/fileq`. Without a runtime folder the
    /// socket is in `run` below the state.
    /// - Parameter environment: looks one variable up.
    public init(environment: (String) -> String?) { self.init(BaseFolders(environment: environment)) }

    public init(_ folders: BaseFolders) {
        if let home = folders.fileqHome {
            (state, runtime) = (home, "\(home)/run")
        } else {
            state = folders.state
            runtime = folders.runtime ?? "\(folders.state)/run"
        }
    }

    /// Makes the state folder, with mode 0700, where there is none; the socket's folder is made with the socket.
    /// - Throws: code `usage` for a socket's path that is too long; `cannotWrite` for a folder that cannot be made or is not this
    ///   user's alone to write.
    public func prepare() throws(TransferError) {
        try checkSocket()
        var made = state.hasPrefix("/") ? "" : "."
        for name in state.split(separator: "/") {
            made += "/\(name)"
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let code = errno
            // Some file systems say first that they are read-only.
            var status = stat()
            guard stat(made, &status) == 0 else { throw Self.cannotWrite(made, code) }
        }
        var status = stat()
        guard stat(state, &status) == 0 else { throw Self.cannotWrite(state, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw TransferError(.cannotWrite, "\(state): is not a folder") }
        guard status.st_uid == geteuid() else {
            throw TransferError(.cannotWrite, "\(state): belongs to another user; set FILEQ_HOME to a folder of your own")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw TransferError(.cannotWrite, "\(state): other users can write in this folder, so no queue is kept there; "
                + "'chmod 700' keeps it to yourself")
        }
    }

    /// - Throws: code `usage` where the path is longer than a socket's can be.
    public func checkSocket() throws(TransferError) { try UnixSocket.withAddress(socket) { _, _ in } }

    static func cannotWrite(_ path: String, _ code: Int32) -> TransferError {
        TransferError(.cannotWrite, "\(path): cannot write: \(UnixSocket.message(code))", systemErrno: code)
    }
}

/// The folders that the environment names (XDG Base Directory 0.8). A variable of XDG's that holds no absolute path is as good as unset.
public struct BaseFolders: Sendable, Hashable {
    /// `FILEQ_HOME`, absolute: one folder in place of all others.
    public let fileqHome: String?
    /// fileq's folders below `$XDG_CONFIG_HOME` and `$XDG_STATE_HOME`, or below their defaults.
    public let configuration: String
    public let state: String
    /// fileq's folder below `$XDG_RUNTIME_DIR`.
    public let runtime: String?
    /// `$XDG_CONFIG_HOME` or its default.
    public let userConfiguration: String

    /// - Parameter environment: looks one variable up.
    public init(environment: (String) -> String?) {
        func folder(_ name: String) -> String? {
            guard let path = environment(name), path.hasPrefix("/") else { return nil }
            return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
        // Said by hand, often in a script: a relative path means something here.
        fileqHome = folder("FILEQ_HOME") ?? environment("FILEQ_HOME").flatMap { $0.isEmpty ? nil : Self.absolute($0) }
        let home = folder("HOME") ?? Self.homeFromAccount() ?? "/"
        userConfiguration = folder("XDG_CONFIG_HOME") ?? "\(home)/.config"
        configuration = "\(userConfiguration)/fileq"
        state = (folder("XDG_STATE_HOME") ?? "\(home)/.local/state") + "/fileq"
        runtime = folder("XDG_RUNTIME_DIR").map { "\($0)/fileq" }
    }

    private static func absolute(_ path: String) -> String {
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return "\(String(cString: current))/\(path)"
    }

    private static func homeFromAccount() -> String? {
        guard let entry = getpwuid(getuid()), let path = entry.pointee.pw_dir else { return nil }
        return String(cString: path)
    }
}
