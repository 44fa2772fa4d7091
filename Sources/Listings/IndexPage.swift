// SPDX-License-Identifier: MIT

import TransferModel

/// Reads pages that servers make for people: nginx, Apache in its three styles, lighttpd, caddy, h2o, Python, others.
///
/// A link counts by its reference alone: servers cut the text. Columns are hints.
struct IndexPage {
    private let base: ListingBase
    private var builder = ListingBuilder()
    private var title: [UInt8] = []
    /// Relative links lead elsewhere (`<base href>`).
    private var isMoved = false
    /// Some link to a folder ends in a slash, so that one without is to a file.
    private var marksFolders = false
    private var row: Row?
    /// Bytes of the columns of a row.
    private static let widestRow = 1000

    /// A link, and what stands behind it in its row.
    private struct Row {
        var segment: ArraySlice<UInt8>
        var isFolder: Bool
        var isInLink = true
        var text: [UInt8] = []
        var columns = IndexColumns()
    }

    private init(_ url: TransferURL) { base = ListingBase(url) }

    /// - Parameter url: of the page, after redirects.
    /// - Returns: `nil` for a page that is no listing.
    static func read(_ bytes: [UInt8], at url: TransferURL) -> ListingPage? {
        var reader = IndexPage(url)
        var scanner = HTMLScanner(bytes)
        var isInTitle = false
        while let token = scanner.next() {
            switch token {
            case .text(let text):
                if isInTitle, reader.title.count < widestRow { reader.title += text.prefix(widestRow) }
                reader.append(text)
            case .tag(let name, let attributes):
                isInTitle = HTMLScanner.areEqual(name, "title".utf8)
                reader.take(name, attributes)
            }
        }
        reader.endRow()
        let title = String(decoding: reader.title, as: UTF8.self).lowercased()
        // Caddy and rclone take the path as the title.
        let path = PercentCoding.decode(url.path)?.lowercased()
        let isOfPath = title.utf8.first == UInt8(ascii: "/") && (title == path || title + "/" == path)
        let isIndex =
            isOfPath || ["index of", "directory listing", "directory index"].contains { title.contains($0) }
        guard isIndex || !reader.builder.isEmpty else { return nil }
        // Python's has no other mark.
        let marksFolders = reader.marksFolders || title.contains("directory listing for")
        return reader.builder.finished { entry in
            if entry.kind == .unknown, marksFolders || entry.size != nil { entry.kind = .file }
        }
    }

    private static let rowEnds: Set<String> = [
        "tr", "/tr", "li", "/li", "br", "hr", "/ul", "/table", "/pre", "/body", "p", "/p",
    ]

    private mutating func take(_ name: ArraySlice<UInt8>, _ attributes: ArraySlice<UInt8>) {
        let isShort = name.count > 1 && name.last == UInt8(ascii: "/")
        let word = String(decoding: (isShort ? name.dropLast() : name).prefix(8), as: UTF8.self).lowercased()
        switch word {
        case "a": link(attributes)
        case "/a": row?.isInLink = false
        case "base":
            guard let reference = HTMLScanner.value(of: "href", in: attributes) else { return }
            isMoved = base.place(of: reference) != .own
        case "td", "time":
            row?.columns.take(attributes)
            append([0x20])
        case "/td": append([0x20])
        default: if Self.rowEnds.contains(word) { endRow() }
        }
    }

    private mutating func link(_ attributes: ArraySlice<UInt8>) {
        guard let reference = HTMLScanner.value(of: "href", in: attributes) else { return }
        let place = isMoved && !Self.isAbsolute(reference) ? .elsewhere : base.place(of: reference)
        switch place {
        case .below(let segment, let isFolder):
            // Some rows have the link twice, at a picture and at the name.
            if row?.segment == segment {
                row?.isInLink = true
                return
            }
            endRow()
            marksFolders = marksFolders || isFolder
            row = Row(segment: segment, isFolder: isFolder)
        case .own, .above:
            marksFolders = marksFolders || reference.last == UInt8(ascii: "/")
            endRow()
        case .elsewhere: break
        }
    }

    private static func isAbsolute(_ reference: ArraySlice<UInt8>) -> Bool {
        reference.first == UInt8(ascii: "/") || reference.starts(with: "http".utf8)
    }

    private mutating func append(_ text: ArraySlice<UInt8>) {
        guard row?.isInLink == false, row?.text.count ?? 0 < Self.widestRow else { return }
        row?.text += text.prefix(Self.widestRow)
    }

    private mutating func endRow() {
        guard var row else { return }
        self.row = nil
        row.columns.read(HTMLScanner.unescaped(row.text[...]))
        builder.add(encoded: row.segment) { name in
            var entry = ListingEntry(name, row.isFolder ? .folder : .unknown, modified: row.columns.modified)
            entry.precision = row.columns.precision
            guard !row.isFolder else { return entry }
            (entry.size, entry.isSizeExact) = (row.columns.size, row.columns.isSizeExact)
            return entry
        }
    }
}
