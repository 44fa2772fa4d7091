// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// A terminal of its own for one test: a tmux server on a private socket with a shell in it, gone at the end.
final class Tmux {
    static let path = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux"].first(
        where: FileManager.default.isExecutableFile)
    static var isAvailable: Bool { path != nil }

    /// Beside the test bundle, wherever that was built.
    static let probe: String = {
        let bundle =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let named = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? bundle
        return URL(filePath: named).deletingLastPathComponent().appending(path: "InterfaceProbe").path
    }()

    private let socket = "fileq-test-\(UUID().uuidString)"
    let folder: URL

    init(columns: Int = 80, rows: Int = 24) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: socket)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let shell = "exec env -u NO_COLOR -u TMUX LC_ALL=C.UTF-8 PS1='$ ' /bin/bash --norc --noprofile -i"
        // The server outlives this call: it gets no pipe that would be read to its end.
        try ChildProcess.run(
            command + ["-u", "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", shell])
    }

    deinit {
        run("kill-server")
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    func run(_ arguments: String...) -> String { run(arguments) }

    @discardableResult
    func run(_ arguments: [String]) -> String { (try? ChildProcess.output(of: command + arguments)) ?? "" }

    private var command: [String] { [Self.path ?? "/usr/bin/tmux", "-L", socket] }

    func keys(_ keys: String...) { for key in keys { run("send-keys", key) } }
    func type(_ text: String) { run("send-keys", "-l", text) }

    /// Starts the probe from the shell and waits for its screen.
    func startProbe(_ arguments: String = "", environment: String = "") async throws {
        type("\(environment) \(Self.probe) --pid-file \(pidFile.path) \(arguments)")
        keys("Enter")
        try await wait("the interface") { $0.contains("quit") && $0.contains("fileq probe") && self.isFullScreen }
        if !arguments.contains("--silent") { try await wait("the list") { !$0.contains("Loading the queue") } }
    }

    private var pidFile: URL { folder.appending(path: "pid") }

    var probeProcess: Int32? {
        let text = (try? Data(contentsOf: pidFile)).map { String(decoding: $0, as: UTF8.self) }
        return text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    var lines: [String] {
        run("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    var isFullScreen: Bool { format("#{alternate_on}") == "1" }

    func format(_ format: String) -> String { run("display-message", "-p", format).trimmingCharacters(in: .newlines) }

    /// Looks at the screen again and again until it is as it should be.
    @discardableResult
    func wait(
        _ what: String, within seconds: Double = 15, sourceLocation: SourceLocation = #_sourceLocation,
        until isThere: (String) -> Bool
    ) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let text = run("capture-pane", "-p")
            if isThere(text) { return text }
            guard ContinuousClock.now < deadline else {
                Issue.record("no \(what) on the screen:\n\(text)", sourceLocation: sourceLocation)
                throw Missing(what: what)
            }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    struct Missing: Error { let what: String }
}
