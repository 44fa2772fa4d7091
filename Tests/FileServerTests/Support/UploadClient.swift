// SPDX-License-Identifier: MIT

import Foundation
import Testing

extension ServedFolder {
    /// An empty creation, at `path`. Fields as curl's `-H`.
    func create(_ path: String = "/files", _ fields: String...) async throws -> String {
        let answer = try await curl(
            path,
            self.fields(
                ["Upload-Complete: ?0", "Upload-Draft-Interop-Version: 8", "Content-Length: 0"] + fields, "POST"))
        #expect(answer.status == 201 && answer.headers["upload-complete"] == "?0", "\(answer.text)")
        return try #require(answer.headers["location"])
    }

    /// An empty creation with tus.
    func createTus(_ path: String = "/files", _ fields: String...) async throws -> String {
        let answer = try await curl(path, self.fields(["Tus-Resumable: 1.0.0", "Content-Length: 0"] + fields, "POST"))
        #expect(answer.status == 201 && answer.headers["tus-resumable"] == "1.0.0", "\(answer.text)")
        return try #require(answer.headers["location"])
    }

    /// An append of version 8.
    func append(
        _ location: String, at offset: Int64, _ content: String, complete: Bool, _ fields: String...
    )
        async throws -> CurlAnswer
    {
        try await send(
            "PATCH", location, content,
            [
                "Content-Type: application/partial-upload", "Upload-Offset: \(offset)",
                "Upload-Complete: ?\(complete ? 1 : 0)", "Upload-Draft-Interop-Version: 8",
            ] + fields)
    }

    /// An append with tus.
    func appendTus(
        _ location: String, at offset: String, _ content: String, _ fields: String...
    ) async throws
        -> CurlAnswer
    {
        try await send(
            "PATCH", location, content,
            [
                "Content-Type: application/offset+octet-stream", "Upload-Offset: \(offset)", "Tus-Resumable: 1.0.0",
            ] + fields)
    }

    func send(_ method: String, _ path: String, _ content: String, _ fields: [String]) async throws -> CurlAnswer {
        try await curl(path, ["--data-binary", "@-"] + self.fields(fields, method), input: Data(content.utf8))
    }

    func state(_ location: String, _ fields: String...) async throws -> CurlAnswer {
        try await curl(location, ["-I"] + fields.flatMap { ["-H", $0] })
    }

    /// The contents of the folder with unfinished uploads.
    func unfinished() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(".fileq-server/uploads").path)
    }

    private func fields(_ fields: [String], _ method: String) -> [String] {
        ["-X", method] + fields.flatMap { ["-H", $0] }
    }
}
