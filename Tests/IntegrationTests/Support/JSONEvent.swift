// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// One line of `--json`.
struct JSONEvent {
    let fields: [String: Any]

    /// - Throws: where the line is no JSON object.
    init(line: String) throws {
        fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }

    var name: String { fields["event"] as? String ?? "" }
    var id: Int { number("id") ?? 0 }
    func text(_ name: String) -> String? { fields[name] as? String }
    func number(_ name: String) -> Int? { (fields[name] as? NSNumber)?.intValue }
    func object(_ name: String) -> [String: Any]? { fields[name] as? [String: Any] }
    func metric(_ name: String) -> Int? { (object("metrics")?[name] as? NSNumber)?.intValue }
    var errorCode: Int? { (object("error")?["code"] as? NSNumber)?.intValue }
}
