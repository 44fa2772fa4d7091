// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking

/// One question to URLSession, asked in a process of its own.
struct Probe {
    let section: String
    /// What is called, as the table shows it.
    let call: String
    /// Seconds until the process is given up.
    let limit: Double
    /// Whether this process alone finds the server's authority among those of the system.
    let trustsServer: Bool
    let ask: (Findings) throws -> Void

    init(
        _ section: String, _ call: String, limit: Double = 12, trustsServer: Bool = false,
        _ ask: @escaping (Findings) throws -> Void
    ) {
        (self.section, self.call, self.limit, self.trustsServer, self.ask) = (section, call, limit, trustsServer, ask)
    }
}

/// What one probe has seen, and what all probes use. Each finding is printed at once: a crash afterwards takes none
/// away.
final class Findings: @unchecked Sendable {
    private let lock = NSLock()
    /// Tells the requests of this probe from those of others in the server's log.
    let tag = "p\(UInt32.random(in: .min ... .max))"
    private let began = Date()

    func say(_ words: String) {
        lock.withLock {
            FileHandle.standardOutput.write(Data("\(words.replacing("\n", with: " "))\n".utf8))
        }
    }

    /// Seconds since the probe began, to a tenth.
    var seconds: String { String(format: "%.1f s", Date().timeIntervalSince(began)) }

    /// An address of the server named by a variable that `run` sets.
    func url(_ path: String, at server: String = "HTTP") -> URL {
        let separator = path.contains("?") ? "&" : "?"
        return URL(string: "\(address(server))/\(path)\(separator)tag=\(tag)")!
    }

    func address(_ server: String) -> String { ProcessInfo.processInfo.environment["PROBE_\(server)"]! }

    struct Logged: Decodable {
        let method: String
        let path: String
        let headers: [String: String]
        let client: Int
        let port: Int

        func field(_ name: String) -> String? { headers.first { $0.key.lowercased() == name.lowercased() }?.value }
    }

    /// The requests of this probe as the server has seen them.
    func logged() throws -> [Logged] {
        try JSONDecoder().decode([Logged].self, from: try curl("\(address("HTTP"))/_log?tag=\(tag)"))
    }

    /// What `/bytes?n=COUNT` sends.
    func bytes(_ count: Int) throws -> Data { try curl("\(address("HTTP"))/bytes?n=\(count)") }

    /// Fetches without URLSession.
    private func curl(_ url: String) throws -> Data {
        let curl = Process()
        let pipe = Pipe()
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        curl.arguments = ["curl", "-s", "--noproxy", "*", url]
        curl.standardOutput = pipe
        try curl.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        curl.waitUntilExit()
        return data
    }

    /// Runs asynchronous work to its end, or says that it has none.
    func wait(_ seconds: Double = 8, _ work: @escaping @Sendable () async -> Void) {
        let end = DispatchSemaphore(value: 0)
        Task {
            await work()
            end.signal()
        }
        if end.wait(timeout: .now() + seconds) == .timedOut { say("no end within \(seconds) s") }
    }
}

/// Prints an error as domain and code.
func words(_ error: (any Error)?) -> String {
    guard let error else { return "no error" }
    if let error = error as? URLError { return "URLError \(error.code.rawValue)" }
    let general = error as NSError
    return "\(type(of: error)) \(general.domain) \(general.code)"
}

func words(_ data: Data?) -> String { data.map { String(decoding: $0.prefix(60), as: UTF8.self) } ?? "no data" }

func status(_ response: URLResponse?) -> String {
    (response as? HTTPURLResponse).map { "status \($0.statusCode)" } ?? "no response"
}

/// The most memory this process has had, in megabytes.
var peakMemory: String {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return line.flatMap { Int($0.split(separator: " ")[1]) }.map { "\($0 / 1024) MB" } ?? "?"
}
