// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension ConfigurationFile {
    /// `[notify]` is not a command: it states when the user is notified of ends, and how.
    static let notifyTable = "notify"

    /// `[notify]` with `when`, `way`, `min-size` and `min-duration`.
    /// - Throws: code `usage` with the line, for anything else in this table.
    func notifySettings() throws(TransferError) -> NotifySettings {
        var settings = NotifySettings()
        guard let value = root[Self.notifyTable] else { return settings }
        guard let table = value.table else {
            throw TransferError(
                .usage, "\(location(of: Self.notifyTable, table: nil)): 'notify' is a table: use [notify]")
        }
        for key in table.keys.sorted() {
            guard let value = table[key] else { continue }
            switch key {
            case "when": settings.when = try choice(value, key)
            case "way": settings.way = try choice(value, key)
            case "min-size": settings.leastSize = try size(value)
            case "min-duration":
                guard let seconds = value.int.map(Double.init) ?? value.double, seconds >= 0, seconds <= 1e9 else {
                    throw mistake(key, "'\(key)' is a number of seconds, such as 60")
                }
                settings.leastDuration = seconds
            default:
                throw mistake(
                    key, "unknown key '\(key)' in [notify]; known keys: when, way, min-size, min-duration")
            }
        }
        return settings
    }

    private func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ value: ConfigurationValue, _ key: String
    ) throws(TransferError) -> Value {
        if let choice = value.string.flatMap(Value.init(rawValue:)) { return choice }
        throw mistake(key, "'\(key)' is one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
    }

    private func size(_ value: ConfigurationValue) throws(TransferError) -> Int64 {
        if let bytes = value.int ?? value.string.flatMap(ByteCount.parse), bytes >= 0 { return Int64(bytes) }
        throw mistake("min-size", "'min-size' is a number of bytes, or such as \"10M\"")
    }

    private func mistake(_ key: String, _ what: String) -> TransferError {
        TransferError(.usage, "\(location(of: key, table: Self.notifyTable)): \(what)")
    }
}
