// SPDX-License-Identifier: MIT

import TransferModel

/// A value of the configuration file.
enum ConfigurationValue: Equatable {
    typealias Table = [String: ConfigurationValue]

    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)
    case array([ConfigurationValue])
    case table(Table)
    /// A date or time, which no option takes.
    case date

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var int: Int? { if case .int(let number) = self { number } else { nil } }
    var double: Double? { if case .double(let number) = self { number } else { nil } }
    var bool: Bool? { if case .bool(let isOn) = self { isOn } else { nil } }
    var array: [ConfigurationValue]? { if case .array(let values) = self { values } else { nil } }
    var table: Table? { if case .table(let values) = self { values } else { nil } }
}

/// Parses the language of the configuration file.
protocol ConfigurationReader {
    /// - Throws: code `usage`, with `path` and the line.
    static func read(_ text: String, path: String) throws(TransferError) -> ConfigurationValue.Table
}
