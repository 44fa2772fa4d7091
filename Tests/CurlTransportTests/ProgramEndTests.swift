// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

/// Programs that end while their session has connections over TLS: the exit code is theirs.
@Suite(.serialized) struct ProgramEndTests {
    private static let program = URL(filePath: Binary.path).deletingLastPathComponent().appending(path: "SessionProbe")
        .path

    /// Runs the probe `count` times, four at once.
    /// - Returns: what the runs that did not end with code 0 ended with, and what they said.
    private func ends(_ way: String, _ count: Int, size: Int = 20_000) async throws -> [String] {
        var failures: [String] = []
        try await SecureFileServer.with { server in
            try server.folder.write(patternedBytes(size), to: "root/file")
            let (folder, url) = (server.folder, "https://127.0.0.1:\(server.port)/file")
            failures = try await withThrowingTaskGroup(of: [String].self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        var failures: [String] = []
                        for _ in 0..<count / 4 {
                            let (output, errors) = (folder.file("\(worker).out"), folder.file("\(worker).err"))
                            let probe = try ChildProcess(
                                Self.program, ["end", way, url, server.certificate.path],
                                environment: [
                                    "HOME": folder.path, "FILEQ_HOME": folder.path, "TMPDIR": folder.path,
                                    "PATH": "/usr/bin:/bin",
                                ],
                                folder: folder.path, output: .file(output), errors: .file(errors))
                            let code = await probe.end()
                            guard code != 0 else { continue }
                            let words = [output, errors].map {
                                (try? String(contentsOfFile: $0, encoding: .utf8)) ?? ""
                            }
                            failures.append("\(code): \(words.joined())")
                        }
                        return failures
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
        return failures
    }

    @Test(.timeLimit(.minutes(5))) func threeHundredProgramsExitRightAfterTheirTransfer() async throws {
        let failures = try await ends("main", 300)
        #expect(failures.isEmpty, "\(failures.count): \(failures.first ?? "")")
    }

    /// Each ends at once: none waits for a thread that waits for it, or that is not there.
    @Test(.timeLimit(.minutes(5)), arguments: ["held", "invalidated", "delegate", "engine", "busy", "fork"])
    func programsExitOnAnyThread(_ way: String) async throws {
        let failures = try await ends(way, 20, size: way == "busy" ? 4 << 20 : 20_000)
        #expect(failures.isEmpty, "\(failures.count): \(failures.first ?? "")")
    }
}
