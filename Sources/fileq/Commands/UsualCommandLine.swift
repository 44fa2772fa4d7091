// SPDX-License-Identifier: MIT

/// Command lines of `get`, `list` and `wait` with no other than the usual options.
///
/// ArgumentParser finds options by reflection and by casts, and the first cast of each type searches all conformances
/// of the program: with it, parsing takes longer than connecting. Its declarations remain the source of help and of
/// errors: a line with any word that is not known here is theirs.
enum UsualCommandLine {
    /// Runs the command; `nil` if ArgumentParser must parse `words`.
    static func command(for words: [String]) -> (() async throws -> Void)? {
        let rest = words.dropFirst()
        switch words.first {
        case "get": return download(rest).map { arguments in { try await GetCommand.run(arguments) } }
        case "list": return list(rest).map(run)
        case "wait": return wait(rest).map(run)
        default: return nil
        }
    }

    private static func run(_ command: some QueueParsableCommand) -> () async throws -> Void {
        {
            var command = command
            try await command.run()
        }
    }

    static func download(_ words: ArraySlice<String>) -> DownloadArguments? {
        var arguments = DownloadArguments()
        var words = words
        while let word = words.popFirst() {
            if take(word, &arguments.shared.output) { continue }
            switch word {
            case "--overwrite": arguments.shared.files.overwrite = true
            case "--no-sync": arguments.noSync = true
            case "-o", "--output":
                guard let value = value(&words) else { return nil }
                arguments.destination.output = value
            case "-d", "--directory":
                guard let value = value(&words) else { return nil }
                arguments.destination.directory = value
            case "-i", "--input":
                guard let value = value(&words) else { return nil }
                arguments.shared.files.input.append(value)
            case "-j", "--concurrent":
                guard let number = value(&words).flatMap({ Int($0) }) else { return nil }
                arguments.shared.run.concurrent = number
            default:
                guard isArgument(word) else { return nil }
                arguments.urls.append(word)
            }
        }
        return arguments
    }

    static func list(_ words: ArraySlice<String>) -> ListCommand? {
        var command = ListCommand()
        var filter = FilterOptions()
        filter.which = words.filter { $0 != "--json" }
        guard filter.which.allSatisfy(isArgument) else { return nil }
        (command.filter, command.json, command.machine) = (filter, filter.which.count < words.count, .here)
        return command
    }

    static func wait(_ words: ArraySlice<String>) -> WaitCommand? {
        var command = WaitCommand()
        var (selection, shown) = (SelectionOptions(), OutputOptions.defaults)
        (selection.which, selection.all) = ([], false)
        for word in words where !take(word, &shown) {
            switch word {
            case "--all": selection.all = true
            default:
                guard isArgument(word) else { return nil }
                selection.which.append(word)
            }
        }
        (command.selection, command.shown, command.machine) = (selection, shown, .here)
        return command
    }

    private static func take(_ word: String, _ output: inout OutputOptions) -> Bool {
        switch word {
        case "-q", "--quiet": output.quiet = true
        case "-v", "--verbose": output.verbose = true
        case "--json": output.json = true
        case "--plain": output.plain = true
        default: return false
        }
        return true
    }

    private static func isArgument(_ word: String) -> Bool { !word.isEmpty && !word.hasPrefix("-") }

    private static func value(_ words: inout ArraySlice<String>) -> String? {
        words.popFirst().flatMap { isArgument($0) || $0 == "-" ? $0 : nil }
    }
}
