// SPDX-License-Identifier: MIT

import TOMLKit
import TransferModel

/// TOML 1.0, by TOMLKit: the only file that imports it.
enum TOMLReader: ConfigurationReader {
    static func read(_ text: String, path: String) throws(TransferError) -> ConfigurationValue.Table {
        try TOMLGuard.check(text, path: path)
        do {
            return values(of: try TOMLTable(string: text))
        } catch let error as TOMLParseError {
            let reason = error.description.split(whereSeparator: \.isNewline).joined(separator: " ")
            throw TransferError(.usage, "\(path):\(error.source.begin.line): \(reason)")
        } catch {
            throw TransferError(.usage, "\(path): \(error)")
        }
    }

    private static func values(of table: TOMLTable) -> ConfigurationValue.Table {
        var values: ConfigurationValue.Table = [:]
        for key in table.keys { values[key] = table[key].map(value) }
        return values
    }

    private static func value(_ node: any TOMLValueConvertible) -> ConfigurationValue {
        if let text = node.string { return .string(text) }
        if let number = node.int { return .int(number) }
        if let number = node.double { return .double(number) }
        if let isOn = node.bool { return .bool(isOn) }
        if let array = node.array { return .array(array.map(value)) }
        if let table = node.table { return .table(values(of: table)) }
        return .date
    }
}
