// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
import TransferModel

/// Opens files and folders with the desktop's programs for them, by xdg-open(1).
struct FileOpener: Sendable {
    var program = "xdg-open"
    /// Seconds: on some desktops it runs as long as the program that it starts.
    var patience = 3.0

    /// Returns when it has ended, or still runs after ``patience``.
    /// - Throws: code `other` if it cannot be started, or fails; the message has the path.
    func open(_ path: String) async throws(TransferError) {
        let child = try start(path)
        let end = SystemClock.monotonic + patience
        while SystemClock.monotonic < end {
            if let status = child.reapIfEnded() { return try check(status, path) }
            try? await Task.sleep(for: .milliseconds(20))
        }
        DispatchQueue.global().async { child.reap() }
    }

    /// Blocks until it has ended.
    /// - Returns: the problem, if any.
    @Sendable static func problem(opening path: String) -> String? {
        let opener = FileOpener()
        do throws(TransferError) {
            try opener.check(opener.start(path).reap(), path)
            return nil
        } catch {
            return MessageCatalog.cause(of: error)
        }
    }

    /// In a session of its own: a program that wants a terminal must not get this one.
    private func start(_ path: String) throws(TransferError) -> Child {
        do {
            return try Spawn([program, path], group: .session).start()
        } catch {
            throw TransferError(
                .other,
                error.errno == ENOENT
                    ? "\(program) is not installed (package xdg-utils); the file is \(path)"
                    : "\(program) cannot be started: \(error); the file is \(path)")
        }
    }

    private func check(_ status: Child.Status?, _ path: String) throws(TransferError) {
        if status != .exited(code: 0) { throw TransferError(.other, "\(program) found no program that opens \(path)") }
    }
}
