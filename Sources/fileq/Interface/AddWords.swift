// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferModel

/// The arguments of `fileq add` that do what the form of the interface holds.
struct AddWords {
    let request: AddRequest
    /// Stands for `~`.
    var home: String?

    /// After `fileq`. What is typed into the first field may be addresses, a curl line, or arguments of `add`.
    /// - Throws: code `usage` for an open quote, and for files without an address.
    func words() throws(TransferError) -> [String] {
        let typed = try typed()
        guard request.files.isEmpty else { return try upload(typed.words) }
        switch typed {
        case .curl(let line): return ["add", "get"] + download + ["--curl", line]
        case .arguments(let words):
            let isUpload = words.first == "put"
            let command = words.first == "get" || isUpload ? [] : ["get"]
            guard !isUpload else { return ["add", "put"] + terms + words.dropFirst() }
            return ["add"] + command + words.prefix(1 - command.count) + download + words.dropFirst(1 - command.count)
        }
    }

    /// For the log: without what may be secret.
    func shownLine() -> String? {
        guard let words = try? words() else { return nil }
        var shown = words.map(Self.shown)
        // Its cookies and passwords stay out of sight.
        if let place = shown.firstIndex(of: "--curl"), shown.indices.contains(place + 1) { shown[place + 1] = "-" }
        return shown.map(ShellWord.text).joined(separator: " ")
    }

    /// An address without user information and keys.
    private static func shown(_ word: String) -> String {
        guard word.contains("://") else { return word }
        return TransferURL.displayed((try? TransferURL(word))?.string ?? word)
    }

    private enum Typed {
        case curl(String)
        case arguments([String])

        var words: [String] {
            switch self {
            case .curl(let line): [line]
            case .arguments(let words): words
            }
        }
    }

    private func typed() throws(TransferError) -> Typed {
        let text = request.addresses
        let plain = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = plain.first else { throw TransferError(.usage, "type a URL, or paste several") }
        if first == "curl" || first.hasSuffix("/curl") || first.hasSuffix("curl.exe") { return .curl(text) }
        let isList = plain.allSatisfy { $0.contains("://") && !$0.hasPrefix("'") && !$0.hasPrefix("\"") }
        guard !isList else { return .arguments(plain) }
        var words = try ShellArguments.split(text)
        for name in ["fileq", "add"] where words.first == name { words.removeFirst() }
        if words.first == "curl" { return .curl(words.map(ShellWord.text).joined(separator: " ")) }
        // `FILE… URL`
        if let first = words.first, let last = words.last, words.count > 1, !Self.isAddress(first),
            !["get", "put"].contains(first), !first.hasPrefix("-"), Self.isAddress(last)
        {
            words.insert("put", at: 0)
        }
        return .arguments(words)
    }

    /// A URL, or the path of a place, whether there is one of that name or not.
    private static func isAddress(_ word: String) -> Bool { word.contains("://") || SavedPlaces.split(word) != nil }

    private func upload(_ words: [String]) throws(TransferError) -> [String] {
        let words = words.first == "put" ? Array(words.dropFirst()) : words
        guard let address = words.last, Self.isAddress(address), words.first != "get",
            !words.dropLast().contains(where: { $0.contains("://") })
        else { throw TransferError(.usage, "files are uploaded to one address, which ends in '/' for several") }
        return ["add", "put"] + terms + words.dropLast() + ["--"] + request.files.map(expanded) + [address]
    }

    /// Options of downloads.
    private var download: [String] {
        var words = terms
        if let folder = request.folder { words += ["--directory=\(expanded(folder))"] }
        if request.createsFolder { words.append("--create-dirs") }
        switch request.existing {
        case .ask: break
        case .replace: words.append("--overwrite")
        case .keepBoth: words.append("--keep-both")
        case .skip: words.append("--skip-existing")
        case .newer: words.append("--if-newer")
        }
        return words
    }

    /// Options of both directions.
    private var terms: [String] {
        var words: [String] = []
        switch request.start {
        case .now: break
        case .paused: words.append("--paused")
        case .at(let time): words.append("--at=\(time)")
        }
        if let priority = request.priority { words.append("--priority=\(priority)") }
        if let limit = request.limit { words.append("--limit=\(limit)") }
        if let checksum = request.checksum { words.append("--checksum=\(checksum)") }
        return words
    }

    private func expanded(_ path: String) -> String { HomePath.expanded(path, home: home) }

    /// The field that an error is about.
    static func field(of error: any Error) -> AddField? {
        guard let error = error as? TransferError else { return .addresses }
        switch error.fields.option {
        case "at": return .start
        case "priority": return .priority
        case "limit": return .limit
        case "checksum": return .checksum
        case "d", "directory": return .folder
        default: break
        }
        switch error.code {
        case .cannotWrite: return .folder
        case .cannotReadSource: return .files
        default: return .addresses
        }
    }
}
