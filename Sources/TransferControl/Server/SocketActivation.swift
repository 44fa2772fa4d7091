// SPDX-License-Identifier: MIT

import Glibc
package import TransferModel

/// Sockets that systemd opens before it starts the process (sd_listen_fds(3)).
package enum SocketActivation {
    /// The first inherited descriptor.
    private static let firstDescriptor: Int32 = 3

    /// The inherited socket; `nil` without one. Removes the environment variables, so that child processes do not use
    /// them: call it before there are other threads.
    /// - Throws: code `usage` if there is more than one.
    package static func take() throws(TransferError) -> Int32? {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        return try descriptor(listenPID: value("LISTEN_PID"), listenFDs: value("LISTEN_FDS"), pid: getpid())
    }

    /// The meaning of the variables for process `pid`. No I/O.
    static func descriptor(listenPID: String?, listenFDs: String?, pid: Int32) throws(TransferError) -> Int32? {
        guard let listenPID, Int32(listenPID) == pid, let count = listenFDs.flatMap(Int32.init), count > 0 else {
            return nil
        }
        guard count == 1 else {
            throw TransferError(.usage, .serviceHandedSockets, Int(count))
        }
        return firstDescriptor
    }
}
