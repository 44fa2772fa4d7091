// SPDX-License-Identifier: MIT

extension Stage {
    /// httpbin: echoes, logins, redirects, cookies, statuses, ranges and slow answers, each at an address of its own.
    ///
    /// It listens within a quarter of a second, so that each test can have one or several. It writes no log:
    /// `/anything` says what arrived.
    func httpbin(name: String = "httpbin") async throws -> RealServer {
        let folder = try makeFolder(aside(name))
        // By its interpreter, so that the environment works wherever the package has been moved to.
        let python = try ServerProgram.httpbin.required().replacing(/waitress-serve$/, with: "python")
        let (port, process) = try await listen(python, folder: folder) { port in
            ["-m", "waitress", "--listen=127.0.0.1:\(port)", "--threads=16", "httpbin:app"]
        }
        return RealServer(origin: "http://127.0.0.1:\(port)", root: folder, log: process.errors, process: process)
    }
}
