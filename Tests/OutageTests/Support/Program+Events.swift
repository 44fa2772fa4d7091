// SPDX-License-Identifier: MIT

import Foundation

/// One line of `--json`.
struct Event: Sendable {
    var name: String
    var bytes = 0
    var reason = ""
    var code: Int?
    /// Body bytes over all exchanges.
    var received: Int?

    init?(_ line: String) {
        guard let fields = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let name = fields["event"] as? String
        else { return nil }
        self.name = name
        bytes = (fields["bytes"] as? NSNumber)?.intValue ?? 0
        reason = fields["reason"] as? String ?? ""
        code = ((fields["error"] as? [String: Any])?["code"] as? NSNumber)?.intValue
        let metrics = fields["metrics"] as? [String: Any]
        let transactions = metrics?["transactions"] as? [[String: Any]]
        received = transactions?.compactMap { ($0["responseBodyBytesReceived"] as? NSNumber)?.intValue }.reduce(0, +)
    }
}

extension Program {
    var events: [Event] { lines.compactMap { Event($0) } }
    var waits: [Event] { events.filter { $0.name == "waiting" } }
    /// What it said, but for progress.
    var summary: String { lines.filter { !$0.contains(#""event":"progress""#) }.joined(separator: "\n") + complaints }
}
