// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// Adds and removes the table of one place in the configuration file; every other byte of it stays.
struct ConfigurationEdit {
    let path: String

    /// - Throws: code `usage` if there is such a place, or the file is invalid; `cannotWrite`.
    func add(_ place: SavedPlace) throws(TransferError) {
        try change { text, places throws(TransferError) in
            guard places.byName[place.name] == nil else {
                throw TransferError(
                    .usage,
                    "there is a place '\(place.name)' already: 'fileq places remove \(place.name)' removes it")
            }
            text = Self.adding(place, to: text)
            places.byName[place.name] = place
        }
    }

    /// - Throws: code `usage` if there is no such place, or the file is invalid; `cannotWrite`.
    func remove(_ name: String) throws(TransferError) {
        try change { text, places throws(TransferError) in
            guard places.byName.removeValue(forKey: name) != nil else { throw places.unknown(name) }
            text = Self.removing(name, from: text)
        }
    }

    static func adding(_ place: SavedPlace, to text: String) -> String {
        let gap = text.isEmpty ? "" : text.utf8.last == UInt8(ascii: "\n") ? "\n" : "\n\n"
        var lines = ["[\(ConfigurationFile.placesTable).\(place.name)]", "url = \(quoted(place.url))"]
        for (name, value) in place.options.sorted(by: { $0.key < $1.key }) {
            let written =
                switch value {
                case .bool(let isOn): String(isOn)
                case .text(let word): Int(word).map({ String($0) }) == word ? word : quoted(word)
                case .list(let words): "[" + words.map(quoted).joined(separator: ", ") + "]"
                }
            lines.append("\(name) = \(written)")
        }
        return text + gap + lines.joined(separator: "\n") + "\n"
    }

    /// Without the table and the blank line that separates it. Blank lines and comments behind its last value belong to
    /// what follows.
    static func removing(_ name: String, from text: String) -> String {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        let header = "[\(ConfigurationFile.placesTable).\(name)]"
        guard let start = lines.firstIndex(where: { content(of: $0).hasPrefix(header) }) else { return text }
        let rest = lines[(start + 1)...]
        let next = rest.firstIndex { content(of: $0).hasPrefix("[") } ?? lines.endIndex
        let last = rest[..<next].lastIndex { !content(of: $0).isEmpty && !content(of: $0).hasPrefix("#") } ?? start
        lines.removeSubrange(start...last)
        let follows = start < lines.endIndex ? content(of: lines[start]) : ""
        if start > 0, follows.isEmpty, content(of: lines[start - 1]).isEmpty { lines.remove(at: start - 1) }
        return lines.joined(separator: "\n")
    }

    /// Without blanks around it, the return of CRLF, and a byte-order mark.
    private static func content(of line: String) -> String {
        String(line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }).trimmed(\.isWhitespace)
    }

    /// A basic string of TOML.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value & ~1 == 0x2028:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Replaces the file, which one process at a time may do.
    /// - Parameter edit: changes the text, and the places that it has then.
    private func change(
        _ edit: (inout String, inout SavedPlaces) throws(TransferError) -> Void
    ) throws(TransferError) {
        let target = Self.target(of: path)
        let lock = try Self.lock(target)
        defer { FileLock.release(lock) }
        let old = try Self.read(target)
        var (text, places) = (old.text, try old.savedPlaces())
        try edit(&text, &places)
        let new = try ConfigurationFile(path: target, text: text)
        try new.check(against: .program)
        // TOML has other forms of a table than the one that is edited here.
        let table = ConfigurationFile.placesTable
        guard new.root.filter({ $0.key != table }) == old.root.filter({ $0.key != table }),
            try new.savedPlaces() == places
        else {
            throw TransferError(
                .usage, "\(target): cannot be changed here, because a place is not written as [places.NAME]; edit it")
        }
        var status = stat()
        let mode: mode_t? = stat(target, &status) == 0 ? status.st_mode & 0o7777 : nil
        do throws(SystemError) {
            try AtomicFile.replace(target, with: Array(text.utf8), temporary: .unique, durability: .name) {
                (file) throws(SystemError) in
                if let mode, fchmod(file.number, mode) != 0 { throw SystemError("fchmod", errno: errno) }
            }
        } catch {
            throw Self.failure(error, target)
        }
    }

    /// Of a link, the file that it leads to.
    private static func target(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func read(_ path: String) throws(TransferError) -> ConfigurationFile {
        if let file = try ConfigurationFile.read(path) { return file }
        return try ConfigurationFile(path: path, text: "")
    }

    /// Creates the folder, too.
    private static func lock(_ path: String) throws(TransferError) -> Descriptor {
        do throws(SystemError) {
            try PrivateFolder.makeMissing(ParentFolder.path(of: path))
            let lock = try Descriptor.open("\(path).lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            guard try FileLock.take(lock, patience: 10) else {
                throw SystemError("flock", path: "\(path).lock", errno: EWOULDBLOCK)
            }
            return lock
        } catch {
            throw failure(error, path)
        }
    }

    private static func failure(_ error: SystemError, _ path: String) -> TransferError {
        TransferError(
            .cannotWrite, "\(error.path ?? path): \(TransferError.phrase(errno: error.errno))",
            systemErrno: error.errno)
    }
}
