// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferTesting

/// One answer, as curl saw it.
struct CurlAnswer {
    /// curl's exit code.
    var exit: Int32
    var status: Int
    /// Of the final answer; names in lower case.
    var headers: [String: String]
    var body: Data
    /// What `-v` and errors print.
    var log: String

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A program run to its end without holding up a thread of the concurrency pool, which the server shares.
func runProgram(_ name: String, _ arguments: [String], log: URL, input: Data? = nil) async throws -> Int32 {
    var source = ChildProcess.Stream.null
    if let input {
        let file = log.deletingLastPathComponent().appendingPathComponent(UUID().uuidString)
        try input.write(to: file)
        source = .file(file.path)
    }
    return try await ChildProcess.run(
        [name] + arguments, input: source, output: .file(log.path), errors: .file(log.path))
}

extension ServedFolder {
    /// `arguments` before the URL, which is the server's with `path` behind it.
    func curl(_ path: String, _ arguments: String..., input: Data? = nil) async throws -> CurlAnswer {
        try await curl(path, arguments, input: input)
    }

    func curl(_ path: String, _ arguments: [String], input: Data? = nil) async throws -> CurlAnswer {
        let own = scratch.appendingPathComponent(UUID().uuidString)
        let (head, body, log) = (
            own.appendingPathExtension("head"), own.appendingPathExtension("body"),
            own.appendingPathExtension("log")
        )
        let exit = try await runProgram(
            "curl",
            [
                "-q", "-v", "-sS", "--path-as-is", "--globoff", "--noproxy", "*", "--max-time", "300", "-D", head.path,
                "-o", body.path,
            ] + arguments + [server.url + path], log: log, input: input)
        let blocks = String(decoding: (try? Data(contentsOf: head)) ?? Data(), as: UTF8.self)
            .components(separatedBy: "\r\n\r\n").filter { $0.hasPrefix("HTTP/") }
        var answer = CurlAnswer(
            exit: exit, status: 0, headers: [:], body: (try? Data(contentsOf: body)) ?? Data(),
            log: String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self))
        guard let lines = blocks.last?.components(separatedBy: "\r\n") else { return answer }
        answer.status = Int(lines[0].split(separator: " ")[1]) ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            answer.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return answer
    }

    func put(_ path: String, _ content: String, _ arguments: String...) async throws -> CurlAnswer {
        try await put(path, content, arguments)
    }

    func put(_ path: String, _ content: String, _ arguments: [String]) async throws -> CurlAnswer {
        try await curl(
            path, ["-T", "-", "-H", "Content-Length: \(content.utf8.count)", "-H", "Transfer-Encoding:"] + arguments,
            input: Data(content.utf8))
    }
}
