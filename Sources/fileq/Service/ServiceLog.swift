// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization
import TerminalInterface
import TransferModel

/// The service's log: one line per entry, with an RFC 3339 time and text without secrets. At 1 MiB it is renamed to
/// `service.log.1` and a new file is started.
final class ServiceLog: Sendable {
    static let maximumBytes = 1 << 20

    private struct State {
        var descriptor: Int32
        var bytes: Int
        /// The last line was written in part, as on a full disk: the next one begins a line of its own.
        var endsInsideLine: Bool
    }

    private let path: String
    private let takesStandardError: Bool
    private let echoes: Bool
    private let maximum: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - takesStandardError: redirects standard error to the log, such as the last words
    ///     of a crash.
    ///   - echoes: also writes each line to standard error.
    /// - Throws: code `cannotWrite`.
    init(
        path: String, takesStandardError: Bool = false, echoes: Bool = false, maximum: Int = maximumBytes
    ) throws(TransferError) {
        self.path = path
        self.takesStandardError = takesStandardError
        self.echoes = echoes
        self.maximum = maximum
        guard let descriptor = Self.open(path) else {
            let code = errno
            throw TransferError(
                .cannotWrite, "\(path): cannot write: \(TransferError.phrase(errno: code))", systemErrno: code)
        }
        state = Mutex(
            State(
                descriptor: descriptor, bytes: Self.size(descriptor), endsInsideLine: Self.endsInsideLine(descriptor)))
        if takesStandardError { dup2(descriptor, STDERR_FILENO) }
    }

    deinit { state.withLock { _ = close($0.descriptor) } }

    /// Entries that cannot be written are lost: a full disk must not end the service.
    func write(_ words: String) {
        let line = "\(Timestamp.text(SystemClock.wall)) \(TextSanitizer.clean(words))\n"
        state.withLock { state in
            if state.bytes + line.utf8.count > maximum { begin(&state) }
            let text = state.endsInsideLine ? "\n\(line)" : line
            state.bytes += text.utf8.count
            let isWritten = FileOutput(descriptor: state.descriptor).write(text)
            state.endsInsideLine = !isWritten && Self.endsInsideLine(state.descriptor)
        }
        if echoes { FileOutput(descriptor: STDERR_FILENO).write(line) }
    }

    /// A new file, if it can be created.
    private func begin(_ state: inout State) {
        state.bytes = 0
        guard rename(path, "\(path).1") == 0, let descriptor = Self.open(path) else { return }
        close(state.descriptor)
        (state.descriptor, state.endsInsideLine) = (descriptor, false)
        if takesStandardError { dup2(descriptor, STDERR_FILENO) }
    }

    private static func open(_ path: String) -> Int32? {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        // A device, as /dev/null, keeps its permissions.
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { fchmod(descriptor, 0o600) }
        return descriptor
    }

    /// Whether the last byte of the file ends no line.
    private static func endsInsideLine(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return false
        }
        var last: UInt8 = 0
        return pread(descriptor, &last, 1, status.st_size - 1) == 1 && last != UInt8(ascii: "\n")
    }

    private static func size(_ descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }
}
