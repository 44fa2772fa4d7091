// SPDX-License-Identifier: MIT

import TransferModel

/// A folder from which files or another folder are chosen. Knows nothing of transfers; reads nothing.
struct Picker: Hashable, Sendable {
    enum Purpose: Hashable, Sendable { case files, folder }

    struct Entry: Hashable, Sendable {
        var name: String
        var isFolder: Bool
        /// Of a regular file; `nil`: it has none, and cannot be taken.
        var size: Int64?
        /// Seconds since 1970.
        var modified = 0.0
    }

    /// What a folder holds, folders first, in the order of names and of numbers in them.
    struct Listing: Hashable, Sendable {
        var entries: [Entry] = []
        /// Why it could not be read.
        var error: String?
        /// Entries that were left out: too many, or with names that are no UTF-8.
        var omitted = 0
    }

    struct Mark: Hashable, Sendable {
        var path: String
        var size: Int64
    }

    /// What a key led to.
    enum Event: Hashable { case none, read(String), take([String]), close }

    let purpose: Purpose
    /// Absolute.
    private(set) var folder: String
    /// `nil`: being read.
    private(set) var listing: Listing?
    /// Counts the folders: a listing belongs to one of them.
    private(set) var serial = 0
    private(set) var filter = LineEditor()
    private(set) var isFiltering = false
    private(set) var showsHidden = false
    /// In the order in which they were marked, of all folders.
    private(set) var marks: [Mark] = []
    private(set) var selected = 0
    /// What a key could not do.
    private(set) var refusal: String?
    /// The name to select when the folder has been read.
    private var wanted: String?
    /// Of ``listing``, those that are shown. The first of a folder's choice is the folder itself.
    private(set) var shown: [Entry] = []

    init(_ purpose: Purpose, folder: String) {
        self.purpose = purpose
        self.folder = Self.normalized(folder)
    }

    /// Stands for the folder that is shown.
    static let here = Entry(name: ".", isFolder: true)

    /// - Parameter page: rows of the list.
    mutating func press(_ key: Key, page: Int) -> Event {
        refusal = nil
        if isFiltering { return typeFilter(key) }
        switch key {
        case .escape, .control("c"):
            guard !filter.text.isEmpty, key == .escape else { return .close }
            setFilter(LineEditor())
        case .down, .character("j"): select(selected + 1)
        case .up, .character("k"): select(selected - 1)
        case .pageDown, .control("f"): select(selected + max(1, page - 1))
        case .pageUp, .control("b"): select(selected - max(1, page - 1))
        case .home, .character("g"): select(0)
        case .end, .character("G"): select(shown.count - 1)
        case .left, .backspace: return open(Self.parent(of: folder), select: Self.name(of: folder))
        case .right:
            guard let entry = current, entry.isFolder, entry != Self.here else { return .none }
            return open(path(entry))
        case .character("/"): isFiltering = true
        case .character("."):
            showsHidden.toggle()
            refresh(select: current?.name)
        case .character(" "): mark()
        case .enter: return take()
        default: refusal = "Unknown key"
        }
        return .none
    }

    /// The folder has been read.
    mutating func receive(_ listing: Listing, _ serial: Int) {
        guard serial == self.serial else { return }
        self.listing = listing
        refresh(select: wanted)
        wanted = nil
    }

    var current: Entry? { shown.indices.contains(selected) ? shown[selected] : nil }

    func isMarked(_ entry: Entry) -> Bool {
        guard !marks.isEmpty else { return false }
        let path = path(entry)
        return marks.contains { $0.path == path }
    }

    mutating func scroll(_ rows: Int) { select(selected + rows) }

    /// - Parameter index: of ``shown``.
    mutating func click(_ index: Int, marks: Bool) -> Event {
        guard shown.indices.contains(index) else { return .none }
        (refusal, isFiltering) = (nil, false)
        let isSelected = index == selected
        select(index)
        if marks, purpose == .files {
            mark()
            select(index)
            return .none
        }
        guard isSelected, let entry = current else { return .none }
        if entry.isFolder, entry != Self.here { return open(path(entry)) }
        return take()
    }

    // MARK: Changes

    private mutating func select(_ index: Int) { selected = min(max(0, index), max(0, shown.count - 1)) }

    private mutating func open(_ path: String, select name: String? = nil) -> Event {
        guard path != folder else { return .none }
        (folder, listing, shown, selected, wanted) = (path, nil, [], 0, name)
        filter = LineEditor()
        serial += 1
        return .read(path)
    }

    private mutating func mark() {
        guard purpose == .files, let entry = current else { return }
        guard let size = entry.size, !entry.isFolder else {
            refusal = entry.isFolder ? "→ opens a folder; files can be marked" : "Not a file that can be taken"
            return
        }
        let path = path(entry)
        if let index = marks.firstIndex(where: { $0.path == path }) {
            marks.remove(at: index)
        } else {
            marks.append(Mark(path: path, size: size))
        }
        select(selected + 1)
    }

    private mutating func take() -> Event {
        if purpose == .files, !marks.isEmpty { return .take(marks.map(\.path)) }
        guard let entry = current else { return .none }
        if purpose == .folder { return .take([entry == Self.here ? folder : path(entry)]) }
        if entry.isFolder { return open(path(entry)) }
        guard entry.size != nil else {
            refusal = "Not a file that can be taken"
            return .none
        }
        return .take([path(entry)])
    }

    private mutating func typeFilter(_ key: Key) -> Event {
        switch key {
        case .escape, .control("c"):
            isFiltering = false
            setFilter(LineEditor())
        case .enter: isFiltering = false
        case .down: select(selected + 1)
        case .up: select(selected - 1)
        default:
            var editor = filter
            if editor.press(key) { setFilter(editor) }
        }
        return .none
    }

    private mutating func setFilter(_ editor: LineEditor) {
        let name = current?.name
        filter = editor
        refresh(select: name)
        // Where the filter leaves it out, the first match is selected: Enter takes no neighbour of it.
        if current?.name != name { select(0) }
    }

    private mutating func refresh(select name: String?) {
        let words = filter.text.lowercased().split(separator: " ")
        let found = (listing?.entries ?? []).filter { entry in
            if purpose == .folder, !entry.isFolder { return false }
            if !showsHidden, entry.name.hasPrefix(".") || SafeFileName.isReserved(entry.name) { return false }
            guard !words.isEmpty else { return true }
            let name = entry.name.lowercased()
            return words.allSatisfy { name.contains($0) }
        }
        shown = (purpose == .folder && listing?.error == nil && words.isEmpty ? [Self.here] : []) + found
        select(name.flatMap { name in shown.firstIndex { $0.name == name } } ?? min(selected, shown.count))
    }

    // MARK: Paths

    func path(_ entry: Entry) -> String { folder == "/" ? "/" + entry.name : folder + "/" + entry.name }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastSlash, slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func name(of path: String) -> String? { path.lastPathPart.map(String.init) }

    /// Absolute, without `.`, `..` and doubled slashes; links are not resolved.
    private static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.pathParts where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
