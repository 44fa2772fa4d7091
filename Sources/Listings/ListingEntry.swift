// SPDX-License-Identifier: MIT

package import TransferModel

/// A file or folder as a server lists it.
package struct ListingEntry: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case file, folder
        /// The listing marks no folders.
        case unknown
    }

    package enum Precision: String, Sendable, Hashable { case second, minute, day }

    /// Decoded; without the `/` of a folder. Of a whole tree the path below the folder that is listed.
    package var name: String
    package var kind: Kind
    /// Bytes.
    package var size: Int64?
    /// `false`: rounded, as `1.2K` is.
    package var isSizeExact = true
    /// Seconds since 1970. Pages for people seldom state a zone; then UTC is assumed.
    package var modified: Int64?
    package var precision = Precision.second
    /// As the server states it, with its quotes.
    package var etag: String?
    package var digest: Checksum?

    package init(_ name: String, _ kind: Kind, size: Int64? = nil, modified: Int64? = nil) {
        (self.name, self.kind, self.size, self.modified) = (name, kind, size, modified)
    }
}

/// A name that no local file may have, or that names nothing in the folder.
package struct RefusedName: Sendable, Hashable {
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        case empty, dots, slash, control, notUTF8, encoding, reserved
        /// A key outside of the prefix that was asked for.
        case outside
    }

    /// As the server has it, with any character.
    package var text: String
    package var reason: Reason

    package init(_ text: String, _ reason: Reason) { (self.text, self.reason) = (text, reason) }
}

/// What one response states of a folder.
package struct ListingPage: Sendable, Hashable {
    /// Further names are left out.
    package static let maximumEntries = 1_000_000
    /// Bytes of a response that are read.
    package static let maximumBytes = 64 << 20
    /// ``refused`` has no more; ``refusedCount`` counts all.
    package static let maximumRefused = 1000

    /// In natural order of their names.
    package var entries: [ListingEntry] = []
    package var refused: [RefusedName] = []
    package var refusedCount = 0
    /// The folder has more than the listing, and there is no way to it.
    package var isTruncated = false
    /// Where the next page begins, in the form of the protocol.
    package var next: String?

    package init(_ entries: [ListingEntry] = []) { self.entries = entries }

    /// As names sort that have numbers.
    package static func sorted(_ entries: [ListingEntry]) -> [ListingEntry] {
        let keyed = entries.map { (entry: $0, key: NaturalOrder.key($0.name)) }
        return keyed.sorted { one, other in
            guard one.key == other.key else { return one.key < other.key }
            return one.entry.name.utf8.lexicographicallyPrecedes(other.entry.name.utf8)
        }.map(\.entry)
    }
}

/// Collects the names of a page under the rules for names.
struct ListingBuilder {
    private var page = ListingPage()
    private var known: Set<Key> = []

    var isEmpty: Bool { page.entries.isEmpty && page.refusedCount == 0 }

    /// By bytes: strings are equal across normal forms, but files of both may exist.
    private struct Key: Hashable {
        var name: String
        let isFolder: Bool

        static func == (one: Self, other: Self) -> Bool {
            one.isFolder == other.isFolder && one.name.utf8.elementsEqual(other.name.utf8)
        }

        func hash(into hasher: inout Hasher) {
            var name = name
            name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Of equal names the first counts.
    /// - Parameter isPath: whether the name may have several components.
    mutating func add(_ entry: ListingEntry, isPath: Bool = false) {
        let parts = isPath ? entry.name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) : []
        let problem =
            isPath
            ? parts.lazy.compactMap { Self.problem(of: String(Substring($0))) }.first : Self.problem(of: entry.name)
        if let problem { return refuse(entry.name, problem) }
        guard known.insert(Key(name: entry.name, isFolder: entry.kind == .folder)).inserted else { return }
        guard page.entries.count < ListingPage.maximumEntries else {
            page.isTruncated = true
            return
        }
        page.entries.append(entry)
    }

    mutating func refuse(_ text: String, _ reason: RefusedName.Reason) {
        page.refusedCount += 1
        guard page.refused.count < ListingPage.maximumRefused else { return }
        page.refused.append(RefusedName(text, reason))
    }

    mutating func truncate() { page.isTruncated = true }

    mutating func continueAt(_ token: String) { page.next = token }

    /// - Parameter finish: completes an entry.
    func finished(_ finish: (inout ListingEntry) -> Void = { _ in }) -> ListingPage {
        var page = page
        for index in page.entries.indices { finish(&page.entries[index]) }
        page.entries = ListingPage.sorted(page.entries)
        return page
    }

    private static func problem(of name: String) -> RefusedName.Reason? {
        switch name {
        case "": return .empty
        case ".", "..": return .dots
        case ".fileq-server": return .reserved
        default: break
        }
        if name.firstSlash != nil { return .slash }
        if name.unicodeScalars.contains(where: TextLine.isControl) { return .control }
        return SafeFileName.isReserved(name) ? .reserved : nil
    }
}
