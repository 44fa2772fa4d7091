// SPDX-License-Identifier: MIT

import ArgumentParser
import Synchronization
import TerminalInterface
import TransferControl
import TransferModel

/// Executes command lines of the interface: those of the shell that act on the queue, in this process and on its queue.
/// Nothing is written to the terminal, nothing is read from it.
struct CommandLineRunner: Sendable {
    let queue: any QueueClient
    var surroundings = CommandEnvironment.process
    /// Messages name its keys.
    var keyMap = KeyMap.standard
    /// Planning of what the form adds reads files, which may hang: not on a thread that others need.
    var threads = SideThreads()
    /// The screen of tables.
    var screen: @Sendable () -> QueueScreen = Self.terminal

    func run(_ line: String) async -> CommandOutcome {
        let buffer = OutputBuffer()
        var words: [String] = []
        var outcome = CommandOutcome()
        do {
            words = try ShellArguments.split(line)
            if words.first == "fileq" { words.removeFirst() }
            try Self.requireShownQueue(words)
            if let text = try HelpTopics.answer(to: words) {
                return CommandOutcome(
                    lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
            }
            let given = try Settings.merge(words)
            try await carryOut(try Program.parse(given.words), buffer)
        } catch let status as ExitCode {
            if status.rawValue != 0, buffer.notes.isEmpty {
                outcome.error = "it ended with exit code \(status.rawValue)"
            }
        } catch {
            let report = ErrorReport(error, about: MergedArguments(words: words))
            outcome.error = report.line?.split(separator: "\n").joined(separator: "; ")
            if let text = report.text { buffer.write(text) }
        }
        outcome.lines = buffer.lines
        outcome.notes = buffer.notes
        outcome.copied = buffer.copied
        return outcome
    }

    /// - Throws: code `usage` for the queue of another machine than the one that is shown.
    static func requireShownQueue(_ words: [String]) throws(TransferError) {
        guard words.contains(where: { $0 == "--on" || $0.hasPrefix("--on=") }) else { return }
        throw TransferError(
            .usage, option: "--on", "commands here use the queue that is shown; 'fileq --on NAME' shows another")
    }

    private func carryOut(_ command: any ParsableCommand, _ buffer: OutputBuffer) async throws {
        let surroundings = Self.withoutTerminal(surroundings, warn: buffer.say)
        switch command {
        case is WatchCommand, is WaitCommand, is LogsCommand: throw refusal(of: command)
        case let command as any QueueParsableCommand:
            let refusal = refusal(of: command)
            var context = QueueContext(connect: { _ throws(TransferError) in throw refusal })
            context.ownQueue = queue
            context.output = FileOutput { buffer.write($0) }
            context.say = buffer.say
            context.screen = screen()
            context.copy = { text in buffer.copied = text }
            context.surroundings = surroundings
            try await command.run(in: context)
        case let command as any AddingCommand:
            let (plan, output) = try command.planForScreen(surroundings, with: PlanInputs())
            plan.failures.report(buffer.say)
            try plan.makeFolders()
            var run = AddRun(plan: plan, client: queue, writesJSON: output.json) {
                buffer.write($0)
                return true
            }
            run.words = AddedSummary(
                glyphs: screen().traits.glyphs, home: surroundings.environment("HOME"), local: surroundings.localTime)
            run.noteTaken = { buffer.say($0.warning) }
            try await run.execute(now: surroundings.now())
        default: throw refusal(of: command)
        }
    }

    /// The screen uses the terminal.
    static func withoutTerminal(
        _ surroundings: CommandEnvironment, warn: @escaping @Sendable (String) -> Void
    ) -> CommandEnvironment {
        var surroundings = surroundings
        surroundings.warn = warn
        surroundings.writesToTerminal = { false }
        surroundings.askPassword = { _ throws(TransferError) in
            throw TransferError(.usage, "no password prompt here; use --password-file or netrc")
        }
        return surroundings
    }

    private func refusal(of command: any ParsableCommand) -> TransferError {
        let name = type(of: command)._commandName
        switch name {
        case "get", "put": return TransferError(.usage, "'\(name)' runs in a shell; 'add \(name)' enqueues it here")
        case "watch", "logs":
            return TransferError(.usage, "'\(name)' runs in a shell; \(keyMap.logLabel) shows the log of this screen")
        case "fileq", "screen", "interface": return TransferError(.usage, "the interface is open already")
        default: return TransferError(.usage, "'\(name)' runs in a shell, not here")
        }
    }

    /// The commands and their options, for completions.
    static let vocabulary: CommandVocabulary = {
        let top = [
            "add", "pause", "resume", "cancel", "retry", "move", "set", "relocate", "clear", "undo", "open", "copy",
            "list", "info",
            "history", "keys",
        ]
        let commands = top.compactMap { name in CommandInventory.program.subcommands?.first { $0.commandName == name } }
        return CommandVocabulary(
            commands: commands.flatMap { command in
                let inner = (command.subcommands ?? []).filter { $0.commandName != "help" }
                return inner.isEmpty
                    ? [entry(command, [command.commandName])]
                    : inner.map { entry($0, [command.commandName, $0.commandName]) }
            },
            groups: Dictionary(
                commands.map { ($0.commandName, $0.abstract ?? "") }, uniquingKeysWith: { first, _ in first }),
            fields: [
                "state": TransferState.allCases.map(\.rawValue),
                "kind": [TransferKind.download, .upload].map(\.rawValue),
                "name": [], "host": [], "error": [],
            ])
    }()

    private static func entry(_ command: CommandInventory, _ path: [String]) -> CommandVocabulary.Command {
        let shown = (command.arguments ?? []).filter {
            $0.shouldDisplay && !CommandInventory.isRequest("--\($0.longName ?? "")")
        }
        let positional = shown.filter { $0.kind == .positional }
        // The queue is that of the screen.
        let options = shown.filter { $0.kind != .positional && $0.longName != "on" }.map { option in
            let names = (option.names ?? []).map { ($0.kind == .long ? "--" : "-") + $0.name }
            return CommandVocabulary.Option(
                names: names.sorted { $0.count > $1.count },
                value: option.kind == .option ? option.valueName ?? "value" : nil, help: option.abstract ?? "",
                choices: choices[option.longName ?? ""] ?? [])
        }
        let isMove = path == ["move"]
        return CommandVocabulary.Command(
            path: path,
            arguments: positional.map { "<\($0.valueName ?? "argument")>" }.joined(separator: " ")
                + (isMove ? " top|up|down|bottom" : ""), help: command.abstract ?? "", options: options,
            takesTransfers: positional.contains { ["which", "id"].contains($0.valueName) },
            words: isMove ? QueueMove.allCases.map(\.rawValue) : [])
    }

    /// Usual values.
    private static let choices: [String: [String]] = [
        "priority": ["low", "normal", "high"], "limit": ["none", "500k", "1M", "2M"],
        "download-limit": ["none", "1M", "4M"], "upload-limit": ["none", "500k", "1M"],
        "per-host": ["none", "1", "2", "4"], "if-exists": EditRequest.Existing.allCases.map(\.rawValue),
        "concurrent": ["2", "4", "8"], "at": ["now", "+1h", "23:00", "tomorrow"],
        "timetable": ["off"],
    ]

    /// Of lines for screen readers.
    static let words: @Sendable () -> QueueScreen = {
        var screen = CommandLineRunner.terminal()
        screen.traits.usesWords = true
        return screen
    }

    static let terminal: @Sendable () -> QueueScreen = {
        var screen =
            QueueScreen.ofStandardOutput()
            ?? QueueScreen(
                columns: 80, traits: TerminalTraits(isTerminal: false, environment: ProcessEnvironment.value))
        (screen.traits.wantsColours, screen.link) = (false, nil)
        return screen
    }
}

/// What a command writes and says.
private final class OutputBuffer: Sendable {
    private let text = Mutex("")
    private let said = Mutex<[String]>([])
    private let toCopy = Mutex<String?>(nil)

    func write(_ more: String) { text.withLock { $0 += more } }
    var say: @Sendable (String) -> Void { { [self] line in said.withLock { $0.append(line) } } }
    var notes: [String] { said.withLock { $0 } }
    var copied: String? {
        get { toCopy.withLock { $0 } }
        set { toCopy.withLock { $0 = newValue } }
    }

    var lines: [String] {
        var lines = text.withLock { $0 }.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
