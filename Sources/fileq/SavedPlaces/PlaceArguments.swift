// SPDX-License-Identifier: MIT

import TransferModel
import TransferService

/// A command line whose addresses may name places: where `NAME:path` becomes a URL, before anything reads it as one.
///
/// A command has the options of one place at most: most of them apply to the command as a whole, and its login to one
/// origin. Therefore an address of a place with options excludes those of others.
struct PlaceArguments {
    /// With URLs in place of `NAME:path`.
    private(set) var words: [String]
    /// Whose options are defaults of the command.
    private(set) var place: SavedPlace?

    static let commands: Set<String> = ["get", "put", "add", "relocate", "ls"]

    /// - Parameter path: the command that begins `words`.
    /// - Throws: as ``SavedPlaces/resolve(_:)``; code `usage` for an address that a place with options excludes.
    init(
        _ words: [String], path: [String], inventory: CommandInventory, places: SavedPlaces
    ) throws(TransferError) {
        self.words = words
        guard let name = path.last else { return }
        let options = inventory.command(at: path).arguments ?? []
        let given = CommandWord.parse(words.dropFirst(path.count), options: options)
        let arguments = given.filter { $0.kind == .argument }
        let named: [CommandWord]
        switch name {
        case "get", "ls": named = arguments
        case "put": named = Array(arguments.suffix(1))
        case "relocate": named = given.filter { $0.option?.longName == "url" }
        default: return
        }
        var addresses: [(text: String, place: SavedPlace?)] = []
        for word in named {
            guard let text = word.value else { continue }
            let found = try Self.resolve(word, text, places)
            if let found { self.words[word.index] = word.lead + found.url }
            addresses.append((text, found?.place))
        }
        if name == "get" { try replaceSources(given, places) }
        let chosen = addresses.compactMap { $0.place }.first { !$0.options.isEmpty }
        self.place = chosen == nil && name == "get" ? Self.placeOfLists(given, places) : chosen
        guard let applied = self.place, let other = addresses.first(where: { $0.place != applied }) else { return }
        throw Self.foreign("'\(TextLine.first(of: TransferURL.displayed(other.text)))'", to: applied.name)
    }

    static func foreign(_ address: String, to place: String) -> TransferError {
        TransferError(
            .usage,
            "\(address) is not of the place '\(place)', whose options apply to all of a command; "
                + "transfer it with a command of its own")
    }

    private static func resolve(
        _ word: CommandWord, _ text: String, _ places: SavedPlaces
    ) throws(TransferError) -> (place: SavedPlace, url: String)? {
        // A document of Metalink may be a file.
        if Metalink.isNamed(text), FileStatus(text) != nil { return nil }
        do throws(TransferError) { return try places.resolve(text) } catch {
            guard let option = word.option?.longName else { throw error }
            throw error.concerning(option: "--\(option)")
        }
    }

    /// Options whose value is an address or a file: an unknown place is a file. They take no options of a place: an
    /// origin other than that of the command gets no login of it.
    private mutating func replaceSources(_ given: [CommandWord], _ places: SavedPlaces) throws(TransferError) {
        for word in given {
            guard let option = word.option?.longName, ["mirror", "metalink", "checksum-file"].contains(option),
                let text = word.value, let name = SavedPlaces.split(text)?.name, places.byName[name] != nil,
                let found = try Self.resolve(word, text, places)
            else { continue }
            words[word.index] = word.lead + found.url
        }
    }

    /// The first place with options that a list names. What cannot be read is left to the plan, which reports it.
    private static func placeOfLists(_ given: [CommandWord], _ places: SavedPlaces) -> SavedPlace? {
        guard places.byName.values.contains(where: { !$0.options.isEmpty }) else { return nil }
        for word in given where word.option?.longName == "input" {
            for request in word.value.flatMap({ try? DownloadList.peek($0) }) ?? [] {
                let named = SavedPlaces.split(request.address).flatMap { places.byName[$0.name] }
                if let named, !named.options.isEmpty { return named }
            }
        }
        return nil
    }
}

/// The addresses of lists, in which places are resolved as late as the lists are read.
struct ListedPlaces {
    /// The place whose options the command has.
    private let applied: String?
    /// `nil` where no list names one, so that its lines are not looked at again.
    private let places: SavedPlaces?

    /// - Throws: code `usage` if the configuration is needed and cannot be read.
    init(
        _ requests: [DownloadRequest], applied: String?, surroundings: CommandEnvironment
    ) throws(TransferError) {
        self.applied = applied
        let namesPlaces = requests.contains { $0.isListed && SavedPlaces.split($0.address) != nil }
        places = try namesPlaces ? surroundings.places() : nil
    }

    /// The URL of a request; of one that no list has, as it is.
    /// - Throws: as ``SavedPlaces/resolve(_:)``; code `usage` if the command does not have the options of its place.
    func address(of request: DownloadRequest) throws(TransferError) -> String {
        guard request.isListed, applied != nil || places != nil else { return request.address }
        let found = try (places ?? SavedPlaces()).resolve(request.address)
        if let applied, found?.place.name != applied { throw PlaceArguments.foreign("this", to: applied) }
        guard let found else { return request.address }
        guard applied != nil || found.place.options.isEmpty else {
            throw TransferError(
                .usage,
                "the options of the place '\(found.place.name)' apply to all of a list; pass it as a file or by a pipe")
        }
        return found.url
    }
}
