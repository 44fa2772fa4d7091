// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import Platform
import TerminalInterface
import TransferControl
import TransferModel

/// `fileq` without a command: the interface.
struct InterfaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interface",
        abstract: "Open the queue on the terminal, as 'fileq' alone does.",
        discussion: """
            Controls uploads and downloads by keyboard: 'a' opens a form that takes what 'fileq add' takes; '?' shows \
            all keys, and 'fileq keys' how to change them.

            The queue is that of the background service, which is started if necessary. It keeps running when you \
            leave the screen; several screens show the same queue.

            With --linear, which TERM=dumb implies, there is no screen: each event is a line of words, and commands \
            are typed as after 'fileq', with status, why ID, login ID, trust ID, totals, help and quit besides. \
            --once prints the screen as it is now and ends; 'fileq screen' is the same command.

            Examples:
              fileq --watch
              fileq screen --once --columns 100 --rows 30
              fileq screen --once --svg --theme light > queue.svg
              fileq --linear
            """,
        aliases: ["screen"]
    )

    @Option(
        help: ArgumentHelp(
            "Colours, one of auto, dark, light, high-contrast, monochrome, gruvbox and nord.", valueName: "name"),
        completion: .list(Theme.allCases.map(\.rawValue)))
    var theme = "auto"

    @Option(
        help: ArgumentHelp(
            "Columns of the list in their order, with widths if wanted, such as id,name:40,size,rate.",
            valueName: "names"))
    var listColumns: String?

    @Option(
        help: ArgumentHelp("Group the list by server, folder, place at the server, batch, or none.", valueName: "what"),
        completion: .list(["none"] + Grouping.allCases.map(\.rawValue)))
    var group: String?

    @Option(
        help: ArgumentHelp(
            "Details right of the list or at the bottom; or auto.", valueName: "place"),
        completion: .list(PanePlace.allCases.map(\.rawValue)))
    var pane = "auto"

    @Option(
        help: ArgumentHelp(
            "The view to open on: now, all, problems, held, done, history, log, or one of your own.",
            valueName: "name"))
    var view = "now"

    @Option(
        help: ArgumentHelp(
            "Sort the list by name, server, size, done, rate, left, added or state; -size reverses size.",
            valueName: "column"))
    var sort = "queue"

    @OptionGroup var machine: MachineOptions

    @Flag(help: "Only watch: no key changes the queue.")
    var watch = false

    @Flag(help: "Leave the mouse to the terminal.")
    var noMouse = false

    @Flag(help: "Lines of words instead of a screen, for screen readers and slow lines.")
    var linear = false

    @Flag(help: "Print the screen once, as text, and end.")
    var once = false

    @Flag(help: "With --once, print an SVG picture.")
    var svg = false

    @Option(help: ArgumentHelp("With --once, the width; default: the terminal's, or 80.", valueName: "n"))
    var columns: Int?

    @Option(help: ArgumentHelp("With --once, the height; default: the terminal's, or 24.", valueName: "n"))
    var rows: Int?

    @Option(help: ArgumentHelp("With --once, keys to press before, such as 3 or a<Down><Tab>.", visibility: .hidden))
    var keys = ""

    mutating func run() async throws {
        let file = try ConfigurationFile.read(Places(environment: ProcessEnvironment.value).configuration)
        let look = try InterfaceLook(
            theme: theme, columns: listColumns, grouping: group, pane: pane, view: view, sort: sort, file: file)
        guard once || (!svg && columns == nil && rows == nil && keys.isEmpty) else {
            throw TransferError(.usage, "--svg, --columns and --rows belong to --once")
        }
        if once { return try await printOnce(look) }
        if linear || ProcessEnvironment.value("TERM") == "dumb" { return try await runLinear() }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw TransferError(
                .usage,
                "the interface needs a terminal; in scripts use 'fileq get' and 'fileq put', or --linear or --once")
        }
        TerminalStanding.stopInBackground(STDIN_FILENO)
        var settings = InterfaceScreen.Settings()
        (settings.isReadOnly, settings.hasMouse) = (watch, !noMouse)
        try settings.read(look)
        let queue = ShownQueue(settings)
        let ending = try await InterfaceScreen.show(try await queue.program(on: machine)).get()
        if ending == .queueEnded { throw Self.ended(queue.failure) }
        try InterfaceScreen.validate(ending)
        if let words = queue.farewell { StandardError.say(words) }
    }

    private static func ended(_ failure: TransferError?) -> TransferError {
        failure ?? TransferError(.other, "the background service was stopped; 'fileq' starts it again")
    }

    private func printOnce(_ look: InterfaceLook) async throws {
        signal(SIGPIPE, SIG_IGN)
        let window = isatty(STDOUT_FILENO) == 1 ? TerminalTraits.windowSize() : (columns: 80, rows: 24)
        let (width, height) = (columns ?? window.columns, rows ?? window.rows)
        guard (1...1000).contains(width), (1...1000).contains(height) else {
            throw TransferError(.usage, "--columns and --rows are numbers from 1 to 1000")
        }
        let client = try await ServiceAccess.connect(on: try machine.machine())
        defer { client.close() }
        var settings = try machine.settings(home: client.home)
        try settings.read(look)
        let traits = TerminalTraits(isTerminal: true, environment: ProcessEnvironment.value)
        let picture = try await ScreenPicture.take(
            of: client, options: InterfaceScreen.options(client, settings), columns: width, rows: height, keys: keys,
            isUnicode: svg || traits.isUnicode, now: SystemClock.wall)
        let text = svg ? picture.svg : picture.lines.map { $0 + "\n" }.joined()
        guard FileOutput(descriptor: STDOUT_FILENO).write(text) else {
            throw FileOutput.ending(FileOutput.failure())
        }
    }

    private func runLinear() async throws {
        signal(SIGPIPE, SIG_IGN)
        let client = try await ServiceAccess.connectPersistently(on: try machine.machine())
        defer { client.close() }
        var settings = try machine.settings(home: client.home)
        (settings.isReadOnly, settings.usesWords, settings.losses) = (watch, true, client.losses)
        let lines = InputLines()
        let program = LinearProgram(
            client: client, options: InterfaceScreen.options(client, settings), words: Self.linearWords,
            hasPrompt: isatty(STDIN_FILENO) == 1,
            read: { await lines.next(hidden: $0) }, write: { FileOutput(descriptor: STDOUT_FILENO).write($0) },
            now: { SystemClock.wall })
        if await program.run() == .queueEnded { throw Self.ended(client.failure) }
    }

    static let linearWords = LinearProgram.Words(
        commands: .init(
            lift: "resume --now", retry: "retry", pause: "resume", cancel: "cancel", remove: "clear",
            trust: "trust", login: "login", top: "move top", start: "set ID --at now", limits: "'set'",
            edit: "relocate ID --if-exists replace", rename: "relocate ID --output NAME",
            pauseAll: "'resume --all'"),
        help: [
            "status: what runs, waits or has failed. totals: how many there are.",
            "why 3: the reason of transfer 3.",
            "add URL, pause 3, resume 3, cancel 3, retry 3, clear 3, move 3 top,",
            "set 3 --limit 1M, undo: as after 'fileq' in a shell.",
            "login 3: asks for the user name and password of transfer 3.",
            "trust 3: shows its certificate, and asks.",
            "help COMMAND: the options of a command. quit: leaves; the queue continues.",
        ])

    /// A note about transfers that continue; `nil` if there are none.
    /// - Parameter machine: another one, on which they are.
    static func farewell(_ count: Int, on machine: String? = nil) -> String? {
        let place = machine.map { "on \($0)" } ?? "in the background"
        let command = "fileq list" + (machine.map { " --on \($0)" } ?? "")
        return switch count {
        case 0: nil
        case 1: "1 transfer continues \(place); '\(command)' shows it"
        default: "\(count) transfers continue \(place); '\(command)' shows them"
        }
    }
}
