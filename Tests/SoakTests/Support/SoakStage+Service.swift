// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// The service's process, from outside.
extension SoakStage {
    /// Its number as it says itself; `nil` where none runs.
    func servicePid() async throws -> pid_t? {
        let said = try await fileq("service", "status", "--json")
        guard let fields = try? JSONSerialization.jsonObject(with: Data(said.text.utf8)) as? [String: Any] else {
            return nil
        }
        return (fields["pid"] as? NSNumber)?.int32Value
    }

    func socketPath() async throws -> String {
        let said = try await done(["service", "status", "--json"])
        let fields = try JSONSerialization.jsonObject(with: Data(said.text.utf8)) as? [String: Any]
        return try #require(fields?["socket"] as? String, "\(said)")
    }

    /// The processes of this stage's service, whether it answers or not: those with its folder in their environment
    /// that no test waits for.
    var processes: [pid_t] { processes { $0.dropFirst().first == "service" } }

    /// What a hook that sleeps has left.
    var sleepers: [pid_t] { processes { $0.first == "sleep" } }

    private func processes(_ fits: ([String]) -> Bool) -> [pid_t] {
        names(in: "/proc").compactMap { pid_t($0) }.filter { pid in
            guard pid != getpid(), let words = Self.words(pid, "cmdline"), fits(words) else { return false }
            return Self.words(pid, "environ")?.contains("FILEQ_HOME=\(state)") ?? false
        }
    }

    private static func words(_ pid: pid_t, _ name: String) -> [String]? {
        let words = Files.kernelText("/proc/\(pid)/\(name)").split(separator: "\0").map(String.init)
        return words.isEmpty ? nil : words
    }

    /// Kills what runs of the service, and returns when it has gone.
    /// - Returns: how many processes that were.
    @discardableResult
    func strikeService() async throws -> Int {
        let found = processes
        for pid in found { kill(pid, SIGKILL) }
        let isGone = await becomesTrue(within: 20) { found.allSatisfy { Self.hasEnded($0) } }
        try #require(isGone, "the service does not end when it is killed")
        return found.count
    }

    /// An ending process has no command line any more, and its first thread may be dead, while another one that waits
    /// for the disk still holds its locks. An unreaped one stays as a single dead thread.
    private static func hasEnded(_ pid: pid_t) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return true }
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task"))?.count ?? 0
        return threads <= 1 && stat.split(separator: ")").last?.split(separator: " ").first == "Z"
    }

    /// What a process has open, by the names the kernel gives.
    func descriptors(of pid: pid_t) -> [String] {
        names(in: "/proc/\(pid)/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)")
        }
    }

    /// Bytes of memory that a process has in use.
    func memory(of pid: pid_t) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Restarts the service with a request.
    func revive() async throws {
        let said = try await fileq("list", "--json")
        try #require(said.exit == 0, "the service does not come back: \(said)\n\(logTail)")
    }

    /// The end of the service's log, for the words of a failure.
    var logTail: String {
        let paths = names(in: state).filter { $0.hasSuffix(".log") }.map { "\(state)/\($0)" }
        return paths.map {
            String(decoding: (FileManager.default.contents(atPath: $0) ?? Data()).suffix(3000), as: UTF8.self)
        }.joined()
    }
}
