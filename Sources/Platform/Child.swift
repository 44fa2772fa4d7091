// SPDX-License-Identifier: MIT

package import Glibc

/// A child process, until it is reaped. Only the owner reaps it, exactly once; until then its ID, and that of its
/// process group, is not reused.
package struct Child: Sendable, Hashable {
    package let pid: pid_t

    package enum Status: Hashable, Sendable {
        case exited(code: Int32)
        case killed(signal: Int32)
    }

    package init(pid: pid_t) { self.pid = pid }

    /// Whether it has exited. Does not reap it.
    package var hasEnded: Bool {
        var info = siginfo_t()
        let result = waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT)
        return result == 0 ? info.si_signo == SIGCHLD : errno == ECHILD
    }

    /// Blocks until it has exited. Does not reap it.
    package func waitForEnd() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Blocks until it has exited, and reaps it.
    /// - Returns: `nil` if it was already reaped.
    @discardableResult
    package func reap() -> Status? { reap(flags: 0) }

    /// Reaps it if it has exited. Does not block.
    package func reapIfEnded() -> Status? { reap(flags: WNOHANG) }

    private func reap(flags: Int32) -> Status? {
        var raw: Int32 = 0
        var result: pid_t
        repeat { result = waitpid(pid, &raw, flags) } while result < 0 && errno == EINTR
        guard result == pid else { return nil }
        let signal = raw & 0x7f
        return signal == 0 ? .exited(code: raw >> 8 & 0xff) : .killed(signal: signal)
    }
}
