// SPDX-License-Identifier: MIT

import Listings
import TerminalInterface
import TransferModel

/// The lines of a listing.
struct ListingLines {
    let isLong: Bool
    let isJSON: Bool
    /// Names are paths from the folder that was named.
    let hasPaths: Bool
    let isTerminal: Bool
    let localTime: LocalTime

    /// Writes the names of one folder.
    /// - Parameters:
    ///   - path: of the folder, with a `/` at its end; empty for the one that was named.
    ///   - url: of an entry.
    func write(
        _ entries: [ListingEntry], below path: String, to output: inout ResultOutput, url: (ListingEntry) -> String
    ) throws {
        guard !isJSON else {
            for entry in entries { try output.write(object(entry, below: path, url(entry))) }
            return
        }
        let sizes = isLong ? entries.map(size) : []
        let width = sizes.lazy.map(\.utf8.count).max() ?? 0
        for (index, entry) in entries.enumerated() {
            let name = shown(path + entry.name) + (entry.kind == .folder ? "/" : "")
            guard isLong else {
                try output.write(line: name)
                continue
            }
            let size = sizes[index]
            let blanks = String(repeating: " ", count: width - size.utf8.count)
            try output.write(line: "\(blanks)\(size)  \(time(entry))  \(name)")
        }
    }

    private func shown(_ name: String) -> String {
        isTerminal ? TextSanitizer.clean(name) : LineText.escaped(name)
    }

    private func size(_ entry: ListingEntry) -> String {
        entry.size.map { entry.isSizeExact ? String($0) : "~\(ByteCount.short(Double($0)))" } ?? "-"
    }

    /// As wide as a time with seconds.
    private func time(_ entry: ListingEntry) -> String {
        let columns = 19
        guard let modified = entry.modified else { return "-" + String(repeating: " ", count: columns - 1) }
        let text = localTime.text(Double(modified))
        let shown =
            switch entry.precision {
            case .second: text
            case .minute: String(text.prefix(16))
            // In another zone a day alone may be another one.
            case .day: CompactTime.day(modified)
            }
        return shown + String(repeating: " ", count: max(0, columns - shown.utf8.count))
    }

    private func object(_ entry: ListingEntry, below path: String, _ url: String) -> JSONLine {
        var line = JSONLine()
        let name = path + entry.name
        line.add("name", hasPaths ? String(name.afterLastSlash) : name)
        if hasPaths { line.add("path", name) }
        line.add("kind", entry.kind.rawValue)
        line.add("size", entry.size)
        if entry.size != nil, !entry.isSizeExact { line.add("sizeIsExact", false) }
        line.add("modified", entry.modified.map { Timestamp.text(Double($0)) })
        if entry.modified != nil, entry.precision != .second {
            line.add("modifiedPrecision", entry.precision.rawValue)
        }
        line.add("url", url)
        line.add("etag", entry.etag)
        line.add("checksum", entry.digest?.description)
        return line
    }
}
