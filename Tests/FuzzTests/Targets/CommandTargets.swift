// SPDX-License-Identifier: MIT

import TransferModel
@testable import TransferService
@testable import fileq

extension FuzzTarget {
    /// Lists, command lines and configuration, and documents of mirrors and stores.
    static let commands = [
        FuzzTarget("curl-lines", curlLines), FuzzTarget("lists", lists), FuzzTarget("checksums", checksums),
        FuzzTarget("configuration", configuration), FuzzTarget("metalink", metalink), FuzzTarget("s3", store),
    ]

    private static func curlLines(_ bytes: Bytes) throws {
        let text = bytes.text
        let now = 1_700_000_000.0
        if let time = try? StartTime.parse(text, now: now, local: .utc) {
            try promise(time > now && time < 253_402_300_800, "a start at \(time)")
        }
        guard let words = try? ShellLine.split(text) else { return }
        try promise(!words.contains { $0.utf8.contains(0) }, "an argument contains NUL")
        let command = words.map(quoted).joined(separator: " ")
        try promise((try? ShellLine.split(command)) == words, "the words change when quoted: \(words)")
        guard let line = try? CurlLine(words) else { return }
        try promise(!line.urls.isEmpty && line.outputs.count <= line.urls.count, "an output without a URL")
        try promise(line.uploads.count <= line.urls.count, "an upload without a URL")
        try promise(
            line.urls.allSatisfy { $0.utf8.firstRange(of: "://".utf8) != nil },
            "an address without a scheme: \(line.urls)")
        let times = [line.connectTimeout, line.maximumTime].compactMap(\.self)
        try promise(times.allSatisfy { $0 > 0 && $0.isFinite }, "a time of \(times)")
        try promise(line.retries ?? 0 >= 0 && line.maximumRedirects ?? 0 >= 0, "fewer than no attempts")
    }

    /// On bytes, as a shell reads it: a quote may have a combining mark.
    private static func quoted(_ word: String) -> String {
        let parts = word.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"'\''"#) + "'"
    }

    private static func lists(_ bytes: Bytes) throws {
        let text = bytes.text
        for entry in InputList.parse(text) {
            try promise(!entry.isEmpty && entry.utf8.first != UInt8(ascii: "#"), "no entry: \(entry.debugDescription)")
            try promise(!entry.utf8.contains(10), "an entry of two lines")
        }
        guard let requests = try? DownloadList.parse(text, named: "list") else { return }
        var options = ListedOptionReader(now: 0, bounds: nil)
        let url = try TransferURL("http://host.example/")
        var line = 0
        for request in requests {
            try promise(!request.address.isEmpty, "no address in line \(request.origin?.line ?? 0)")
            try promise(request.origin?.line ?? 0 > line, "lines out of order")
            line = request.origin?.line ?? 0
            // Files of cookies are read by their names.
            guard !request.options.contains(where: { $0.name == "load-cookies" }),
                let listed = try? options.read(request, for: url)
            else { continue }
            let times = [listed.connectTimeout, listed.requestTimeout].compactMap(\.self)
            try promise(times.allSatisfy { $0 > 0 && $0 <= 1e9 }, "a time of \(times)")
            try promise(listed.retries ?? 0 >= 0 && listed.connections ?? 1 >= 1, "a number below its least")
            try promise(listed.rateLimit ?? 1 > 0, "a rate of \(listed.rateLimit ?? 0)")
        }
    }

    private static func checksums(_ bytes: Bytes) throws {
        guard let list = try? ChecksumList(parsing: bytes.text, named: "list") else { return }
        try promise(!list.entries.isEmpty, "a list without checksums")
        for entry in list.entries.prefix(16) {
            try promise(
                entry.checksum.bytes.count == entry.checksum.algorithm.byteCount, "no checksum: \(entry)")
        }
        let url = try TransferURL("https://host.example/folder/file.iso")
        guard let found = try? list.checksum(for: url, savedAs: list.entries[0].name) else { return }
        try promise(list.entries.contains { $0.checksum == found }, "a checksum that is not in the list")
    }

    private static func configuration(_ bytes: Bytes) throws {
        let text = bytes.text
        guard let file = try? ConfigurationFile(path: "config.toml", text: text) else { return }
        for option in ["jobs", "limit-rate", "header", "theme", "a"] {
            guard let value = try? file.value(of: option, for: ["get"]) else { continue }
            let texts: [String] =
                switch value {
                case .text(let text): [text]
                case .list(let texts): texts
                case .bool: []
                }
            try promise(!texts.contains { $0.utf8.contains(0) }, "a value with NUL")
            let place = file.location(of: option, table: nil)
            try promise(place.hasPrefix("config.toml"), "no place: \(place)")
        }
        if let hooks = try? file.hookCommands() {
            try promise(hooks.commands.values.allSatisfy { $0.first?.isEmpty == false }, "a hook without a program")
            try promise(hooks.timeout > 0 && hooks.timeout <= 86_400, "a time of \(hooks.timeout)")
        }
        _ = try? file.pathOverrides()
    }

    private static func metalink(_ bytes: Bytes) throws {
        guard let document = try? Metalink(parsing: bytes.array) else { return }
        try promise((1...Metalink.maximumFiles).contains(document.files.count), "\(document.files.count) files")
        for file in document.files {
            try promise(SafeFileName.sanitize(file.name) == file.name, "a name that is not safe: \(file.name)")
            try promise((1...FileMirror.maximumCount + 1).contains(file.addresses.count), "a file without an address")
            try promise(file.size ?? 0 >= 0, "a size of \(file.size ?? 0)")
            if let size = file.size, let pieces = file.pieces {
                try promise(pieces.fits(size), "\(pieces.count) pieces for \(size) bytes")
                try promise(pieces.range(pieces.count - 1, of: size).upperBound == size, "pieces that end elsewhere")
            }
            for address in file.addresses {
                try promise(address.priority.map { FileMirror.priorities.contains($0) } ?? true, "no priority")
                try promise(isCountry(address.location), "no country: \(address.location.debugDescription)")
            }
            let priorities = file.addresses.map { $0.priority ?? .max }
            try promise(priorities == priorities.sorted(), "addresses out of order")
        }
        try promise(document.notes.count <= Metalink.maximumNotes, "\(document.notes.count) notes")
        for note in document.notes {
            try promise(!note.unicodeScalars.contains { $0.value < 0x20 }, "a control character in a message")
        }
    }
}
