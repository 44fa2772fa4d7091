// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Speed limits as typed.
package enum RateText {
    static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// Empty, `none`, `0` and `-`: no limit.
    static func parse(_ text: String) throws(TransferError) -> Int? {
        if text.isEmpty || isNone(text) || text == "0" || text == "-" { return nil }
        return try TransferRate.parse(text)
    }

    /// `DOWN` or `DOWN UP`, then `6 slots` and `2 per-host`. One rate leaves the other unchanged; an empty text and
    /// `none` remove both.
    static func parse(_ text: String, into limits: QueueLimits) throws(TransferError) -> QueueLimits {
        var words = text.split { $0 == " " || $0 == "/" || $0 == "," }.map(String.init)
        var limits = limits
        let slots = try number(of: "slot", in: &words)
        let perHost = try number(of: "per-host", in: &words)
        if let slots { limits.concurrent = try count(slots) }
        if let perHost { limits.perHost = try isNone(perHost) ? nil : count(perHost) }
        // Slots alone leave the rates.
        if words.isEmpty, slots != nil || perHost != nil { return limits }
        guard words.count <= 2 else {
            throw TransferError(.usage, "limit: a rate for downloads and, after a space, one for uploads")
        }
        limits.download = try words.first.flatMap { (word) throws(TransferError) in try parse(word) }
        if words.count != 1 || isNone(words[0]) {
            limits.upload = try words.last.flatMap { (word) throws(TransferError) in try parse(word) }
        }
        return limits
    }

    private static func isNone(_ text: String) -> Bool { text.lowercased() == "none" }

    /// Takes out a unit and what stands before it.
    private static func number(of unit: String, in words: inout [String]) throws(TransferError) -> String? {
        guard let place = words.firstIndex(where: { $0.lowercased().hasPrefix(unit) }) else { return nil }
        guard place > 0 else { throw TransferError(.usage, "a number stands before '\(words[0])'") }
        let number = words[place - 1]
        words.removeSubrange(place - 1...place)
        return number
    }

    private static func count(_ text: String) throws(TransferError) -> Int {
        guard let count = Int(text), count > 0 else {
            throw TransferError(.usage, "slots: '\(text)' is no number above 0")
        }
        return count
    }

    /// `4M`, `1.8M`, `150K`, `200B`: at most four columns, rounded, the same wherever a limit is shown.
    package static func label(_ rate: Int) -> String {
        rate < 1000 ? ByteCount.short(Double(rate)) : Graph.label(Double(rate))
    }

    /// `Limits: down 3M/s, up none, 5 slots, 2 per host`
    static func words(_ limits: QueueLimits) -> String { "Limits: " + list(limits) }

    /// `down 3M/s, up none, 5 slots, 2 per host`
    static func list(_ limits: QueueLimits) -> String {
        let rates = [("down", limits.download), ("up", limits.upload)].map { name, rate in
            "\(name) " + (rate.map { label($0) + "/s" } ?? "none")
        }
        let slots = limits.concurrent == 1 ? "1 slot" : "\(limits.concurrent) slots"
        let parts = rates + [slots] + (limits.perHost.map { ["\($0) per host"] } ?? [])
        return parts.joined(separator: ", ")
    }

    /// A rate that ``parse(_:)`` reads back exactly.
    package static func editable(_ rate: Int) -> String {
        for (unit, suffix) in [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "k")] where rate % unit == 0 && rate > 0 {
            return "\(rate / unit)\(suffix)"
        }
        return String(rate)
    }

    static func editable(_ limits: QueueLimits) -> String {
        guard limits.download != nil || limits.upload != nil else { return "" }
        return [limits.download, limits.upload].map { $0.map(editable) ?? "none" }.joined(separator: " ")
    }
}
