// SPDX-License-Identifier: MIT

import TerminalInterface

/// A manual page in mdoc, generated from the command definitions.
struct ManualPage {
    /// Such as `fileq-get`.
    let name: String
    let section: Int
    let text: String

    /// The overview, one page for each command with its subcommands, and one for the options that they share.
    static func all(of tool: CommandInventory = .program) -> [ManualPage] {
        let commands = shown(tool).map { (name: "fileq-\($0.commandName)", command: $0) }
        let options = SharedOptions(of: tool)
        return [overview(tool, commands)] + commands.map { page(of: $0.command, named: $0.name, options) }
            + [sharedOptions(options)]
    }

    private static func shown(_ parent: CommandInventory) -> [CommandInventory] {
        (parent.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    }

    private static func page(
        of command: CommandInventory, named name: String, _ shared: SharedOptions
    ) -> ManualPage {
        var page = ManualWriter()
        let (discussion, own) = split(command.discussion)
        var examples = own
        page.begin(name, section: 1, abstract(command))
        let parts = shown(command).map { (path: "\(command.commandName) \($0.commandName)", command: $0) }
        page.macro("Sh SYNOPSIS")
        for part in parts.isEmpty ? [(command.commandName, command)] : parts {
            synopsis(of: part.1, part.0, on: &page)
        }
        page.macro("Sh DESCRIPTION")
        page.description(command, discussion)
        if parts.isEmpty {
            describe(shared.split(command, at: [command.commandName]), on: &page)
        } else {
            examples += describe(parts, of: command, shared, on: &page).filter { !examples.contains($0) }
        }
        if command.commandName == "interface" { describeKeys(on: &page) }
        page.macro("Sh EXIT STATUS")
        page.line("That of all commands, in")
        page.macro("Xr fileq 1 .")
        page.examples(examples)
        page.macro("Sh SEE ALSO")
        page.macro("Xr fileq 1 ,")
        page.macro("Xr fileq-options 7")
        return ManualPage(name: name, section: 1, text: page.text)
    }

    /// Subcommands, and the options that several of them have.
    /// - Returns: their examples.
    private static func describe(
        _ parts: [(path: String, command: CommandInventory)], of command: CommandInventory, _ shared: SharedOptions,
        on page: inout ManualWriter
    ) -> [String] {
        let splits = parts.map { shared.split($0.command, at: [command.commandName, $0.command.commandName]) }
        var counts: [CommandInventory.Argument: Int] = [:]
        for option in splits.flatMap(\.own) { counts[option, default: 0] += 1 }
        var all: [String] = []
        for (part, split) in zip(parts, splits) {
            let (discussion, examples) = Self.split(part.command.discussion)
            all += examples
            page.macro("Ss fileq \(part.path)")
            page.description(part.command, discussion)
            var split = split
            split.own.removeAll { counts[$0] != 1 }
            describe(split, on: &page)
        }
        let users = zip(parts, splits).filter { $1.own.contains { counts[$0] != 1 } }
        if let options = users.first?.1.own.filter({ counts[$0] != 1 }) {
            page.macro("Ss Options of " + users.map { "fileq \($0.0.path)" }.joined(separator: ", "))
            page.options(options)
        }
        return all
    }

    private static func sharedOptions(_ shared: SharedOptions) -> ManualPage {
        var page = ManualWriter()
        page.begin("fileq-options", section: 7, "options that several commands of fileq have")
        page.macro("Sh DESCRIPTION")
        page.line("These options mean the same for every command whose page names them.")
        page.options(shared.common)
        page.examples(
            [
                "fileq get --limit 2M --retry 10 --no-expensive https://example.org/disk.iso",
                "fileq get -H @auth.header --cacert ca.pem https://example.org/private.zip",
                "fileq put --user alice --password-file secret.txt report.pdf https://example.org/inbox/",
                "FILEQ_REQUEST_TIMEOUT=20 fileq get https://example.org/disk.iso",
            ])
        page.macro("Sh SEE ALSO")
        page.macro("Xr fileq 1 ,")
        page.macro("Xr fileq-get 1 ,")
        page.macro("Xr fileq-put 1")
        return ManualPage(name: "fileq-options", section: 7, text: page.text)
    }

    /// The first sentence as whatis(1) shows it.
    private static func abstract(_ command: CommandInventory) -> String {
        let text = command.abstract ?? ""
        let line = text.hasSuffix(".") ? String(text.dropLast()) : text
        return line.prefix(1).lowercased() + line.dropFirst()
    }

    private static func synopsis(of command: CommandInventory, _ path: String, on page: inout ManualWriter) {
        page.macro("Nm fileq")
        page.macro("Cm \(path)")
        page.macro("Op Ar option ...")
        for argument in command.arguments ?? [] where argument.kind == .positional && argument.shouldDisplay {
            let name = argument.valueName ?? "value"
            // A name with dots stands for several arguments, the last of which is required.
            if name.contains("...") {
                page.macro("Ar \(name)")
            } else {
                page.macro((argument.isOptional ? "Op " : "") + "Ar \(name)" + (argument.isRepeating ? " ..." : ""))
            }
        }
    }

    /// What precedes the examples, and these.
    private static func split(_ discussion: String?) -> (text: String, examples: [String]) {
        let parts = (discussion ?? "").split(separator: "Examples:\n", maxSplits: 1, omittingEmptySubsequences: false)
        var text = parts.first ?? ""
        while text.last?.isNewline == true { text.removeLast() }
        guard parts.count == 2 else { return (String(text), []) }
        return (String(text), parts[1].split(separator: "\n").map { String($0.hasPrefix("  ") ? $0.dropFirst(2) : $0) })
    }

    private static func describe(_ options: SharedOptions.Split, on page: inout ManualWriter) {
        page.options(options.own)
        if let base = options.base {
            page.macro("Pp")
            page.line("Those that fileq-\(base)(1) describes:")
            page.names(options.ofBase)
        }
        // Every command has --help and --version.
        let common = options.common.filter { !CommandInventory.isRequest("--\($0.longName ?? "")") }
        guard !common.isEmpty else { return }
        page.macro("Pp")
        page.line("Those that fileq-options(7) describes:")
        page.names(common)
    }

    private static func describeKeys(on page: inout ManualWriter) {
        page.macro("Sh KEYS")
        page.line("The keys of the interface.")
        page.line("The table [interface.keys] of the configuration changes them;")
        page.macro("Ql fileq keys")
        page.line("prints those in force, with the names of the actions.")
        for group in ActionGroup.allCases {
            page.macro("Ss \(group.rawValue)")
            page.macro("Bl -tag -width PgDn,Ctrl-F")
            for key in KeyMap.standard.help where key.group == group {
                page.macro("It " + ManualWriter.quoted(key.label))
                page.line(key.help)
            }
            page.macro("El")
        }
    }
}
