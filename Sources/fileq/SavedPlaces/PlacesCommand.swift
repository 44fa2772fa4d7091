// SPDX-License-Identifier: MIT

import ArgumentParser
import TerminalInterface
import TransferModel

/// `fileq places`
struct PlacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: "Name servers and folders: NAME:path stands for a URL.",
        discussion: """
            NAME:path works where get, put, add and relocate take a URL, in lists and in the forms of the interface. \
            The path is that of a file, without percent-encoding; '..' is refused. NAME:// begins a URL.

            Options of a place are defaults of the commands that name it: typed options precede them, they precede \
            environment and configuration. They apply to all of a command, so that a place with options excludes \
            other addresses in it. Its login, headers and cookies are sent to its own server only.

            Places are tables of the configuration file, [places.NAME] with url and long options. It names the files \
            of passwords and tokens, and contains none.

            Examples:
              fileq places add nas https://nas.example.org/dav/photos/ --user alice
              fileq places add store s3://backup/movies/ --s3-profile backup --limit 4M
              fileq put -r 2026 nas:
              fileq get nas:2026/夏.jpg
            """,
        subcommands: [
            PlacesAddCommand.self, PlacesListCommand.self, PlacesShowCommand.self, PlacesRemoveCommand.self,
        ]
    )

    static func object(_ place: SavedPlace) -> JSONLine {
        var line = JSONLine()
        line.add("name", place.name)
        line.add("url", place.url)
        line.add("options", words: place.settings.map { "\($0.name)=\($0.value)" })
        return line
    }
}

/// `fileq places add`
struct PlacesAddCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a place to the configuration.",
        usage: "fileq places add <name> <url> [<options>]",
        discussion: """
            The options are those of 'fileq get', 'fileq put' and 'fileq add', which get the given values as defaults. \
            Relative names of files become absolute. Other lines of the configuration file stay as they are.
            """
    )

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("Name, URL, and options of get, put and add.", valueName: "word"))
    var words: [String] = []

    var machine: MachineOptions { .here }

    func run(in context: QueueContext) async throws {
        if words == ["--help"] || words == ["-h"] { throw CleanExit.helpRequest(self) }
        let place = try Self.place(words, context.surroundings)
        try Self.check(place, context.surroundings)
        try ConfigurationEdit(path: Places(environment: context.surroundings.environment).configuration).add(place)
    }

    /// - Throws: code `usage`.
    static func place(_ words: [String], _ surroundings: CommandEnvironment) throws(TransferError) -> SavedPlace {
        var arguments: [String] = []
        var options: [String: ConfigurationFile.Value] = [:]
        for word in CommandWord.parse(words[...], options: SavedPlace.possibleOptions) {
            switch word.kind {
            case .argument: arguments.append(word.value ?? "")
            case .unknownOption:
                // A place refuses it, with advice for secrets.
                let typed = word.value ?? ""
                options[String((typed.hasPrefix("--") ? typed.dropFirst(2) : typed[...]).prefix { $0 != "=" })] =
                    .bool(true)
            case .option(let option):
                guard let name = option.longName else { continue }
                guard option.kind == .option else {
                    options[name] = .bool(true)
                    continue
                }
                guard let typed = word.value else {
                    throw TransferError(.usage, option: "--\(name)", "the value is missing")
                }
                let value = try absolute(typed, of: option, surroundings)
                if option.isRepeating, case .list(let others) = options[name, default: .list([])] {
                    options[name] = .list(others + [value])
                } else {
                    options[name] = .text(value)
                }
            }
        }
        let usage = TransferError(.usage, "pass a name and a URL: fileq places add NAME URL [OPTION…]")
        guard arguments.count > 1 else { throw usage }
        do throws(SavedPlace.Mistake) {
            let place = try SavedPlace(name: arguments[0], url: arguments[1], options: options)
            if arguments.count == 2 { return place }
        } catch {
            throw TransferError(.usage, error.text)
        }
        throw usage
    }

    /// Commands that use the place have other working folders.
    private static func absolute(
        _ value: String, of option: CommandInventory.Argument, _ surroundings: CommandEnvironment
    ) throws(TransferError) -> String {
        let paths = AbsolutePaths(workingFolder: try surroundings.workingFolder())
        switch option.longName {
        case "header", "cookie": return value.hasPrefix("@") ? "@" + paths.path(String(value.dropFirst())) : value
        case "checksum-file" where ChecksumFetch.isAddress(value): return value
        default: return ["file", "folder", "file|url"].contains(option.valueName) ? paths.path(value) : value
        }
    }

    /// As the commands will, without a server: values, and files that must exist.
    private static func check(_ place: SavedPlace, _ surroundings: CommandEnvironment) throws {
        for name in ["get", "put"] {
            var words = [name]
            for option in CommandInventory.program.command(at: [name]).settable {
                guard let long = option.longName, let value = place.options[long] else { continue }
                words += try Settings.insertion(
                    of: option, name: long, setting: Settings.Setting(value: value, origin: "--\(long)"))
            }
            guard let command = try Program.parse(words) as? any TransferCommand else { continue }
            _ = try PreparedOptions(
                command.shared, kind: name == "get" ? .download : .upload, purpose: .background,
                surroundings: surroundings)
        }
    }
}

/// `fileq places list`
struct PlacesListCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the places.",
        discussion: "On a terminal a table; elsewhere name, URL and options of a place in a line, separated by tabs.")

    @Flag(help: "One JSON object per place: name, url, options.")
    var json = false

    var machine: MachineOptions { .here }

    func run(in context: QueueContext) async throws {
        let places = try context.surroundings.places().all
        var output = ResultOutput(context.output)
        if json {
            for place in places { try output.write(PlacesCommand.object(place)) }
        } else {
            let rows = places.map { place in
                let options = place.settings.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
                return [place.name, place.url, options].map(LineText.escaped)
            }
            let lines = context.screen.map { Self.table(rows, columns: $0.columns) }
            for line in lines ?? rows.map({ $0.joined(separator: "\t") }) { try output.write(line: line) }
            if places.isEmpty { context.say("there are no places; 'fileq places add' adds one") }
        }
        try output.flush()
    }

    /// Empty without rows.
    static func table(_ rows: [[String]], columns: Int) -> [String] {
        guard !rows.isEmpty else { return [] }
        let all = [["NAME", "URL", "OPTIONS"]] + rows
        let widths = (0..<2).map { column in all.map { CellWidth.of($0[column]) }.max() ?? 0 }
        return all.map { row in
            let lead = (0..<2).map { CellText.fit(row[$0], width: widths[$0]) + "  " }.joined()
            return CellText.fit(lead + row[2], width: max(1, columns)).trimmed { $0 == " " }
        }
    }
}

/// `fileq places show`
struct PlacesShowCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the URL of a place and its options, one per line.")

    @Argument(help: ArgumentHelp("The place.", valueName: "name"), completion: .places)
    var name: String

    @Flag(help: "One JSON object: name, url, options.")
    var json = false

    var machine: MachineOptions { .here }

    func run(in context: QueueContext) async throws {
        let places = try context.surroundings.places()
        guard let place = places.byName[name] else { throw places.unknown(name) }
        var output = ResultOutput(context.output)
        if json {
            try output.write(PlacesCommand.object(place))
        } else {
            for (name, value) in [("url", place.url)] + place.settings.map({ ($0.name, $0.value) }) {
                try output.write(line: "\(name)\t\(LineText.escaped(value))")
            }
        }
        try output.flush()
    }
}

/// `fileq places remove`
struct PlacesRemoveCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a place from the configuration.",
        discussion: "Transfers of the queue stay as they are: they have URLs.")

    @Argument(help: ArgumentHelp("The place.", valueName: "name"), completion: .places)
    var name: String

    var machine: MachineOptions { .here }

    func run(in context: QueueContext) async throws {
        try ConfigurationEdit(path: Places(environment: context.surroundings.environment).configuration).remove(name)
    }
}
