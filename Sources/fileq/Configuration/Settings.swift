// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel
import TransferService

/// A command line merged with environment and configuration file.
struct MergedArguments: Equatable {
    var words: [String]
    /// The origin of each option that the user did not type, by long name.
    var origins: [String: String] = [:]

    /// ` (set by …)` if the option of the error was not typed; else empty.
    func origin(of error: TransferError) -> String {
        error.fields.option.flatMap { origins[$0] }.map { " (set by \($0))" } ?? ""
    }

    /// The same for an error of ArgumentParser, which names the option only in its message.
    func origin(inParserMessage message: String) -> String {
        for (name, origin) in origins.sorted(by: { $0.key.count > $1.key.count }) where message.contains("--\(name)") {
            return " (set by \(origin))"
        }
        return ""
    }
}

/// Inserts settings for options that were not typed.
///
/// Precedence: command line, the place that its addresses name, environment (`FILEQ_` and the long name in capitals),
/// the rest of the configuration file, default.
enum Settings {
    /// Mutually exclusive options: typing one suppresses the settings of the others.
    private static let rivals: [Set<String>] = [
        ["output", "directory"], ["sid", "sid-file"], ["user", "token-file"], ["password-file", "token-file"],
        ["json", "plain", "quiet"], ["quiet", "verbose"],
        ["overwrite", "skip-existing", "if-newer", "keep-both"], ["overwrite", "no-overwrite", "if-match"],
        ["checksum", "checksum-file"],
        ["now", "no-expensive"], ["now", "no-constrained"], ["now", "no-cellular"], ["sync", "no-sync"],
    ]

    /// Commands that change existing transfers: only typed options count. A default limit for downloads must not apply
    /// to a transfer whose priority the user sets.
    private static let typedOnly: Set<String> = [
        "pause", "resume", "cancel", "retry", "move", "set", "relocate", "clear", "wait", "undo", "open", "copy", "rpc",
        "places",
    ]
    /// Options of which ``server`` has others with the same names: those are what the environment and the top of the
    /// file mean.
    private static let ofServer: Set<String> = ["name", "token-file"]
    private static let server = ServeCommand.configuration.commandName

    /// Settings that apply to these commands, too.
    private static let presentation: Set<String> = ["json", "plain", "quiet", "verbose", "on"]

    /// Commands that must work with a broken configuration.
    private static let worksWithoutSettings: Set<[String]> = [
        ["service", "status"], ["service", "stop"], ["logs"], ["rpc", "disable"],
    ]

    /// Reads environment and configuration file only if necessary.
    static func merge(_ words: [String]) throws(TransferError) -> MergedArguments {
        let words = insertingDefaultValues(in: insertingDefault(in: words))
        let path = HelpTopics.commandPath(of: words)
        guard !path.isEmpty, !worksWithoutSettings.contains(path) else { return MergedArguments(words: words) }
        var variables = ProcessEnvironment.variables(withPrefix: "FILEQ_")
        // Set in programs run by hooks, where they describe a transfer.
        if variables["FILEQ_EVENT"] != nil { variables = variables.filter { !HookVariables.names.contains($0.key) } }
        let file = try ConfigurationFile.read(Places(environment: ProcessEnvironment.value).configuration)
        let mayNamePlaces =
            PlaceArguments.commands.contains(path[0]) && words.contains { SavedPlaces.split($0) != nil }
        guard file != nil || mayNamePlaces || variables.keys.contains(where: { $0 != "FILEQ_HOME" }) else {
            return MergedArguments(words: words)
        }
        let inventory = CommandInventory.program
        try file?.check(against: inventory)
        return try merge(words, inventory: inventory, variables: variables, file: file)
    }

    static func merge(
        _ words: [String], inventory: CommandInventory, variables: [String: String],
        file: ConfigurationFile?
    ) throws(TransferError) -> MergedArguments {
        let path = HelpTopics.commandPath(of: words)
        let options = inventory.command(at: path).settable
        let isTypedOnly = path.first.map(typedOnly.contains) ?? false
        let addressed = try PlaceArguments(
            words, path: path, inventory: inventory, places: try file?.savedPlaces() ?? SavedPlaces())
        let rest = addressed.words.dropFirst(path.count)
        var fixed: Set<String> = typed(in: rest, options: options)
        var inserted: [String] = []
        var origins: [String: String] = [:]
        // A whole source takes precedence over the next, also for mutually exclusive options.
        let sources: [(source: Source, isOfPlace: Bool)] = [
            (placeSource(addressed.place, isTypedOnly: isTypedOnly), true),
            (environmentSource(variables, path: path), false), (fileSource(file, path: path), false),
        ]
        for (source, isOfPlace) in sources {
            let closed = fixed.union(rivals.filter { !$0.isDisjoint(with: fixed) }.joined())
            for option in options {
                guard let name = option.longName, !closed.contains(name),
                    isOfPlace || !isTypedOnly || presentation.contains(name),
                    let setting = try source(option)
                else { continue }
                inserted += try insertion(of: option, name: name, setting: setting)
                origins[name] = setting.origin
                fixed.insert(name)
            }
        }
        // A listing never leaves its origin.
        let isBound = inventory.command(at: path).arguments?.contains { $0.longName == "place" } == true
        if let place = addressed.place, !isTypedOnly, isBound { inserted.append("--place=\(place.name)") }
        return MergedArguments(words: path + inserted + rest, origins: origins)
    }

    /// Options with an optional value, with the values they accept; the first is the default.
    private static let bare: [String: [String]] = ["multipath": ["handover", "none", "interactive", "aggregate"]]

    /// Inserts the default value of such an option if the next argument is not a value.
    static func insertingDefaultValues(in words: [String]) -> [String] {
        var completed: [String] = []
        let end = words.firstIndex(of: "--") ?? words.endIndex
        for (index, word) in words.enumerated() {
            guard index < end, word.hasPrefix("--"), let values = bare[String(word.dropFirst(2))],
                !(index + 1 < end && values.contains(words[index + 1]))
            else {
                completed.append(word)
                continue
            }
            completed.append("\(word)=\(values[0])")
        }
        return completed
    }

    /// Inserts the default subcommand, so that its settings apply.
    static func insertingDefault(in words: [String]) -> [String] {
        if words.first == AddCommand.configuration.commandName { return insertingDefaultOfAdd(in: words) }
        guard let command = FileqCommand.configuration.defaultSubcommand?.configuration.commandName,
            words.first?.hasPrefix("-") ?? true,
            !words.contains(where: { CommandInventory.isRequest($0) })
        else { return words }
        return [command] + words
    }

    private static func insertingDefaultOfAdd(in words: [String]) -> [String] {
        guard HelpTopics.commandPath(of: words).count == 1, !words.contains(where: { CommandInventory.isRequest($0) }),
            let command = AddCommand.configuration.defaultSubcommand?.configuration.commandName
        else { return words }
        return [words[0], command] + words.dropFirst()
    }

    struct Setting {
        var value: ConfigurationFile.Value
        var origin: String
    }

    private typealias Source = (CommandInventory.Argument) throws(TransferError) -> Setting?

    private static func placeSource(_ place: SavedPlace?, isTypedOnly: Bool) -> Source {
        { option throws(TransferError) in
            guard let place, let name = option.longName, let value = place.options[name],
                !isTypedOnly || SavedPlace.credentials.contains(name)
            else { return nil }
            return Setting(value: value, origin: "the place '\(place.name)'")
        }
    }

    private static func environmentSource(_ variables: [String: String], path: [String]) -> Source {
        { option throws(TransferError) in
            guard let name = option.longName, !isOfServer(name, for: path) else { return nil }
            let variable = variableName(of: name)
            guard let text = variables[variable] else { return nil }
            let lines = text.split(separator: "\n").map(String.init)
            if option.kind == .flag { return Setting(value: try bool(text, variable), origin: variable) }
            return Setting(value: option.isRepeating ? .list(lines) : .text(text), origin: variable)
        }
    }

    private static func fileSource(_ file: ConfigurationFile?, path: [String]) -> Source {
        { option throws(TransferError) in
            guard let file, let name = option.longName else { return nil }
            // Its table has no options of the command of that name.
            let path = path.first == ConfigurationFile.placesTable ? [] : path
            // `add get` falls back to the settings of `get`.
            let place =
                path.first == AddCommand.configuration.commandName && !file.holds(name, in: path[0])
                ? Array(path.dropFirst()) : path
            let isFromTop = !isOfServer(name, for: path)
            guard let value = try file.value(of: name, for: place, includingTop: isFromTop) else { return nil }
            return Setting(value: value, origin: file.path)
        }
    }

    private static func isOfServer(_ name: String, for path: [String]) -> Bool {
        path.first != server && ofServer.contains(name)
    }

    /// `request-timeout` → `FILEQ_REQUEST_TIMEOUT`
    static func variableName(of option: String) -> String {
        "FILEQ_" + option.uppercased().replacing("-", with: "_")
    }

    private static func bool(_ text: String, _ variable: String) throws(TransferError) -> ConfigurationFile.Value {
        switch text.lowercased() {
        case "1", "true", "yes", "on": .bool(true)
        case "0", "false", "no", "off", "": .bool(false)
        default: throw TransferError(.usage, "\(variable) is a flag: use 1 or 0")
        }
    }

    static func insertion(
        of option: CommandInventory.Argument, name: String,
        setting: Setting
    ) throws(TransferError) -> [String] {
        switch (option.kind, setting.value) {
        case (.flag, .bool(let isOn)): return isOn ? ["--\(name)"] : []
        case (.flag, _): throw TransferError(.usage, "\(setting.origin): '\(name)' is a flag: use true or false")
        case (_, .text(let text)): return ["--\(name)=\(text)"]
        case (_, .list(let texts)) where option.isRepeating: return texts.map { "--\(name)=\($0)" }
        case (_, .list): throw TransferError(.usage, "\(setting.origin): '\(name)' takes one value, not a list")
        case (_, .bool(let isOn)) where bare[name] != nil: return isOn ? ["--\(name)=\(bare[name]?.first ?? "")"] : []
        case (_, .bool): throw TransferError(.usage, "\(setting.origin): '\(name)' needs a value, not true or false")
        }
    }

    /// The long names of the options in `words`, also those given by short name.
    static func typed(in words: ArraySlice<String>, options: [CommandInventory.Argument]) -> Set<String> {
        Set(CommandWord.parse(words, options: options).compactMap { $0.option?.longName })
    }
}
