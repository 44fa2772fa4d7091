// SPDX-License-Identifier: MIT

import TransferModel

/// The places of the configuration.
struct SavedPlaces: Equatable, Sendable {
    var byName: [String: SavedPlace] = [:]

    var all: [SavedPlace] { byName.values.sorted { $0.name < $1.name } }

    /// Those of the configuration file of this process's environment.
    static func ofUser() throws(TransferError) -> SavedPlaces {
        try ConfigurationFile.read(Places(environment: ProcessEnvironment.value).configuration)?.savedPlaces()
            ?? SavedPlaces()
    }

    /// `NAME:path` in two, whether there is such a place or not. `nil` for a URL, which has `://`, and for all that has
    /// other characters before its colon, such as a host name with dots.
    static func split(_ word: String) -> (name: String, path: Substring)? {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let path = word[word.utf8.index(after: colon)...]
        guard !path.utf8.starts(with: "//".utf8), SavedPlace.isName(word.utf8[..<colon]) else { return nil }
        return (String(word[..<colon]), path)
    }

    /// The URL that `word` stands for. A place precedes what `word` may mean otherwise.
    /// - Returns: `nil` if it does not have the form of a place, or has that of `HOST:PORT`, of a scheme, or of a drive
    ///   as well and there is no such place.
    /// - Throws: code `usage` for a place that does not exist, and for a path that leads out of one.
    func resolve(_ word: String) throws(TransferError) -> (place: SavedPlace, url: String)? {
        guard let (name, path) = Self.split(word) else { return nil }
        if let place = byName[name] { return (place, try place.address(of: path)) }
        guard !Self.beginsWithPort(path), SavedPlace.refusal(ofName: name) == nil else { return nil }
        throw unknown(name)
    }

    func unknown(_ name: String) -> TransferError {
        TransferError(
            .usage,
            "there is no place '\(TextLine.first(of: name))': 'fileq places list' shows those that exist, "
                + "'fileq places add' adds one")
    }

    /// Digits, and then nothing or the rest of a URL.
    private static func beginsWithPort(_ path: Substring) -> Bool {
        let rest = path.utf8.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return rest.count < path.utf8.count && (rest.first.map { "/?#".utf8.contains($0) } ?? true)
    }
}

extension CommandEnvironment {
    /// The URL that `text` stands for: of a place, else `text` itself.
    /// - Throws: as ``SavedPlaces/resolve(_:)``; code `usage` if the configuration cannot be read.
    func address(_ text: String) throws(TransferError) -> String {
        guard SavedPlaces.split(text) != nil else { return text }
        return try places().resolve(text)?.url ?? text
    }
}

extension ConfigurationFile {
    /// `[places.NAME]`: the URL of a place, and its options.
    static let placesTable = "places"

    /// - Throws: code `usage` with the line, for anything in these tables that is not as it has to be.
    func savedPlaces() throws(TransferError) -> SavedPlaces {
        var places = SavedPlaces()
        guard let value = root[Self.placesTable] else { return places }
        guard let table = value.table else {
            throw TransferError(
                .usage, "\(location(of: Self.placesTable, table: nil)): 'places' is a table: use [places.NAME]")
        }
        for name in table.keys.sorted() {
            guard let entry = table[name]?.table else {
                throw TransferError(
                    .usage,
                    "\(location(of: name, table: Self.placesTable)): a place is a table: use [places.NAME]")
            }
            guard let url = entry["url"]?.string else {
                throw TransferError(
                    .usage,
                    "\(location(of: name, table: Self.placesTable)): a place needs url = \"https://…\", in quotes")
            }
            var options: [String: Value] = [:]
            for (key, value) in entry.sorted(by: { $0.key < $1.key }) where key != "url" {
                options[key] = try convert(value, key: key, table: name)
            }
            do throws(SavedPlace.Mistake) {
                places.byName[name] = try SavedPlace(name: name, url: url, options: options)
            } catch {
                let place = error.key.map { location(of: $0, table: name) }
                throw TransferError(
                    .usage, "\(place ?? location(of: name, table: Self.placesTable)): \(error.text)")
            }
        }
        return places
    }
}
