// SPDX-License-Identifier: MIT

import Glibc
public import TransferModel

/// Sockets that systemd opens before it starts the process (sd_listen_fds(3)).
public enum SocketActivation {
    /// The first descriptor that is handed over.
    private static let firstDescriptor: Int32 = 3

    /// The socket that was handed to this process; `nil` where none was. The variables that say so are taken away, so
    /// that programs started from here do not mistake them for theirs: call it before there are other threads.
    /// - Throws: code `usage` where there is more than one.
    public static func take() throws(TransferError) -> Int32? {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        return try descriptor(listenPID: value("LISTEN_PID"), listenFDs: value("LISTEN_FDS"), pid: getpid())
    }

    /// Pure: what the variables mean to process `pid`.
    static func descriptor(listenPID: String?, listenFDs: String?, pid: Int32) throws(TransferError) -> Int32? {
        guard let listenPID, Int32(listenPID) == pid, let count = listenFDs.flatMap(Int32.init), count > 0 else {
            return nil
        }
        guard count == 1 else {
            throw TransferError(
                .usage,
                "systemd handed over \(count) sockets; the unit of fileq's socket needs exactly one ListenStream=")
        }
        return firstDescriptor
    }
}
