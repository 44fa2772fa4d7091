// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Platform
import TransferModel

/// `config.toml`: keys are long option names; those at the top apply to every command, those in a table such as `[get]`
/// to that command.
struct ConfigurationFile {
    /// A value as typed on the command line.
    enum Value: Equatable {
        case text(String)
        case bool(Bool)
        case list([String])
    }

    let path: String
    let text: String
    let root: ConfigurationValue.Table

    /// `nil` if the file does not exist.
    /// - Throws: code `usage` with the line, if it cannot be read or is not TOML.
    static func read(_ path: String) throws(TransferError) -> ConfigurationFile? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            if SystemError.isMissing(code) { return nil }
            throw TransferError(
                .usage, "\(path): cannot be read: \(TransferError.phrase(errno: code))", systemErrno: code)
        }
        defer { close(descriptor) }
        try check(descriptor, path)
        let text = try TextFile.read(descriptor, named: path, option: "configuration", limit: 4 << 20)
        return try ConfigurationFile(path: path, text: text)
    }

    /// Hooks run what the file names, and other keys configure trust, so only the user may have write access.
    private static func check(_ descriptor: Int32, _ path: String) throws(TransferError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError(.usage, "\(path): is not a regular file")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw TransferError(
                .usage,
                "\(path): refused, because it belongs to another user; 'sudo chown \(geteuid()) \(path)' makes it yours"
            )
        }
        guard status.st_mode & 0o022 == 0 else {
            throw TransferError(
                .usage,
                "\(path): refused, because other users can write it; 'chmod go-w \(path)' mends it")
        }
    }

    init(
        path: String, text: String, reader: any ConfigurationReader.Type = TOMLReader.self
    ) throws(TransferError) {
        self.path = path
        self.text = text
        root = try reader.read(text, path: path)
    }

    /// The value of `option` for the command at `commandPath`, from the innermost table that has it.
    /// - Parameter includingTop: from the top of the file, too.
    /// - Throws: code `usage` for a type that no option has.
    func value(
        of option: String, for commandPath: [String], includingTop: Bool = true
    ) throws(TransferError) -> Value? {
        var table: ConfigurationValue.Table? = root
        var found: ConfigurationValue? = includingTop ? scalar(option, in: root) : nil
        var tableName: String?
        for name in commandPath {
            table = table?[name]?.table
            guard let inner = table else { break }
            if let value = scalar(option, in: inner) {
                found = value
                tableName = name
            }
        }
        guard let found else { return nil }
        return try convert(found, key: option, table: tableName)
    }

    /// Whether `table` sets `option`.
    func holds(_ option: String, in table: String) -> Bool {
        root[table]?.table.map { scalar(option, in: $0) != nil } ?? false
    }

    /// A table is not a value, even if a command is named like an option.
    private func scalar(_ key: String, in table: ConfigurationValue.Table) -> ConfigurationValue? {
        guard let value = table[key], value.table == nil else { return nil }
        return value
    }

    func convert(_ value: ConfigurationValue, key: String, table: String?) throws(TransferError) -> Value {
        if let bool = value.bool { return .bool(bool) }
        if let text = Self.text(of: value) { return .text(text) }
        if let array = value.array {
            let texts = array.compactMap { Self.text(of: $0) }
            if texts.count == array.count { return .list(texts) }
        }
        throw TransferError(
            .usage,
            "\(location(of: key, table: table)): '\(key)' must be a string, a number, true, false "
                + "or a list of strings")
    }

    private static func text(of value: ConfigurationValue) -> String? {
        if let text = value.string { return text }
        if let number = value.int { return String(number) }
        if let number = value.double { return String(number) }
        return nil
    }

    /// `PATH:LINE`. The parser has no positions of keys, so the text is searched.
    func location(of key: String, table: String?) -> String {
        var current: String?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.drop { $0 == " " || $0 == "\t" }
            if words.first == "[" {
                let name = words.drop { $0 == "[" }.prefix { $0 != "]" }
                // A quoted name may contain dots.
                current = name.split(separator: name.contains("\"") ? "\"" : ".").last.map {
                    $0.trimmed { " \t'".contains($0) }
                }
                if current == key { return "\(path):\(index + 1)" }
            } else if current == table {
                let name = words.prefix { $0 != "=" && $0 != "." }.trimmed { " \t\"'\r".contains($0) }
                if name == key { return "\(path):\(index + 1)" }
            }
        }
        return path
    }
}
