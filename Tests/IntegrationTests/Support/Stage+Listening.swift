// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TransferTesting

/// A name and a password, as tests give them to servers and proxies.
struct TestLogin: Sendable {
    var user = "user"
    var password = "secret"
}

extension Stage {
    /// Starts a server on a free port of loopback, and returns once this process listens there.
    ///
    /// - Parameters:
    ///   - program: its whole path.
    ///   - folder: its own; temporary files and what it keeps in a home go there.
    ///   - arguments: gets the port; called again with another if the port was taken meanwhile.
    /// - Throws: `ServerDidNotStart` with the program's last output.
    func listen(
        _ program: String, folder: String, environment: [String: String] = [:],
        _ arguments: (Int) throws -> [String]
    ) async throws -> (port: Int, process: Started) {
        let own = ["TMPDIR": folder, "HOME": folder].merging(environment) { $1 }
        var said = ""
        for _ in 0..<5 {
            let port = try freePort()
            let process = try start(program, try arguments(port), environment: own)
            let hasStarted = await becomesTrue { process.child.isListening(at: port) || !process.child.isRunning }
            if hasStarted, process.child.isRunning { return (port, process) }
            process.child.send(SIGTERM)
            let outcome = await process.end(within: 10)
            said = String((outcome.complaints + outcome.text).suffix(2000))
        }
        throw ServerDidNotStart(program: program, said: said)
    }

    /// A server's own folder, and a prefix for programs that refuse to run as root: the user nobody owns the folder and
    /// runs the program.
    func unprivilegedFolder(_ name: String) throws -> (folder: String, words: [String]) {
        let folder = try makeFolder(aside(name))
        guard geteuid() == 0 else { return (folder, []) }
        guard let nobody = getpwnam("nobody") else { throw POSIXError(.EPERM) }
        let (user, group) = (nobody.pointee.pw_uid, nobody.pointee.pw_gid)
        guard chown(folder, user, group) == 0 else { throw POSIXError(.EPERM) }
        return (folder, ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups"])
    }

    /// Writes a file of passwords, salted and hashed as nginx and squid read them.
    /// - Returns: its path.
    func passwords(_ login: TestLogin, to path: String) async throws -> String {
        let hashed = try await shell("openssl passwd -apr1 '\(login.password)'")
        try Data("\(login.user):\(hashed.text)".utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}

struct ServerDidNotStart: Error, CustomStringConvertible {
    let program: String
    let said: String
    var description: String { "\(program) did not start: \(said)" }
}
