// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// One transfer in the form of `--json`.
struct Listed: Sendable, CustomStringConvertible {
    let id: Int
    let kind: String
    let file: String
    let state: String
    let bytes: Int
    let reason: String
    let code: Int?
    let line: String

    /// - Throws: where the line is no JSON object, or says no id, file or state.
    init(line: String) throws {
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        id = try #require((fields["id"] as? NSNumber)?.intValue, "\(line)")
        file = try #require(fields["file"] as? String, "\(line)")
        state = try #require(fields["state"] as? String, "\(line)")
        kind = fields["kind"] as? String ?? ""
        bytes = (fields["bytes"] as? NSNumber)?.intValue ?? 0
        reason = fields["reason"] as? String ?? ""
        code = ((fields["error"] as? [String: Any])?["code"] as? NSNumber)?.intValue
        self.line = line
    }

    var name: String { URL(fileURLWithPath: file).lastPathComponent }
    var hasEnded: Bool { ["completed", "failed", "cancelled"].contains(state) }
    var description: String { line }
}

extension SoakStage {
    /// The queue, as anybody sees it. Starts the service where none runs.
    func list(location: SourceLocation = #_sourceLocation) async throws -> [Listed] {
        try await done(["list", "--json"], location: location).lines.map { try Listed(line: $0) }
    }

    /// Looks at the queue a few times a second until `condition` holds; the queue as it was then, or after `seconds`.
    func listing(within seconds: Double = 60, _ condition: ([Listed]) -> Bool) async throws -> [Listed] {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            let listed = try await list()
            if condition(listed) || ContinuousClock.now >= end { return listed }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
