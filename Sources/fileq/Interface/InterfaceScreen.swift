// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import Glibc
import Platform
import TerminalInterface
import TransferControl
import TransferModel

/// The interface on its own thread, since it blocks.
enum InterfaceScreen {
    struct Settings: Sendable {
        var title = "fileq"
        var theme = Theme.auto
        /// Of what is added; see ``CommandEnvironment/machine``.
        var surroundings = CommandEnvironment.process
        var isReadOnly = false
        /// Whether the output of commands has words in place of glyphs.
        var usesWords = false
        var hasMouse = true
        var keyMap = KeyMap.standard
        var listColumns: ListColumns?
        var grouping: Grouping?
        var ownViews: [OwnView] = []
        var panePlace = PanePlace.auto
        var view = QueueView.now
        var order: ListOrder?
        var notify: NotifySettings?
        /// See ``TerminalProgram/Options/reconnections``.
        var reconnections: (@Sendable () -> Int)?
        /// See ``TerminalProgram/Options/losses``.
        var losses: AsyncStream<Bool>?
        /// See ``TerminalProgram/Options/attend``.
        var attend: (@Sendable (Bool) async -> Void)?
        /// See ``TerminalProgram/Options/on``.
        var on: TerminalProgram.MachineSwitch?
        /// See ``TerminalProgram/Options/close``.
        var close: (@Sendable () -> Void)?
        /// Shown when the screen opens.
        var warning: String?
        /// All that is wrong with the configuration: the log has it as long as the screen is open.
        var mistakes: [String] = []

        /// The user's keys and look. Reports mistakes in them on standard error, where they stay when the screen has
        /// gone.
        mutating func read(_ look: InterfaceLook = InterfaceLook()) throws(TransferError) {
            (theme, listColumns, grouping) = (look.theme, look.columns, look.grouping)
            (panePlace, view, order) = (look.pane, look.view, look.order)
            let configuration = try ConfigurationFile.read(Places(environment: ProcessEnvironment.value).configuration)
            let (map, ofKeys) = configuration?.keyMap() ?? (.standard, [])
            let (views, wrong) = configuration?.ownViews(now: SystemClock.wall) ?? ([], [])
            ownViews = views
            notify = try configuration?.notifySettings() ?? NotifySettings()
            keyMap = map
            let ofLook = look.mistakes + wrong
            for mistake in ofLook { StandardError.say(mistake.sentence) }
            for mistake in ofKeys { StandardError.say("\(mistake.sentence); all other keys are as configured") }
            mistakes = (ofLook + ofKeys).map(\.brief)
            guard let first = mistakes.first else { return }
            let more = mistakes.count - 1
            warning = first + (more > 0 ? ", and \(more) more, which the log has (\(map.logLabel))" : "")
        }
    }

    static func options(_ client: any QueueClient, _ settings: Settings) -> TerminalProgram.Options {
        var options = TerminalProgram.Options()
        options.title = settings.title
        options.homeFolder = settings.surroundings.environment("HOME")
        options.isReadOnly = settings.isReadOnly
        options.hasMouse = settings.hasMouse
        options.words = MessageCatalog.interfaceWords(home: options.homeFolder)
        options.theme = settings.theme
        options.keyMap = settings.keyMap
        options.listColumns = settings.listColumns
        options.grouping = settings.grouping
        options.ownViews = settings.ownViews
        options.panePlace = settings.panePlace
        (options.view, options.order) = (settings.view, settings.order)
        options.notify = settings.notify
        options.attend = settings.attend
        (options.reconnections, options.losses) = (settings.reconnections, settings.losses)
        options.machine = settings.surroundings.machine
        (options.on, options.close) = (settings.on, settings.close)
        options.commandLine = CommandText.line
        options.vocabulary = CommandLineRunner.vocabulary
        let screen = settings.usesWords ? CommandLineRunner.words : CommandLineRunner.terminal
        let runner = CommandLineRunner(
            queue: client, surroundings: settings.surroundings, keyMap: settings.keyMap, screen: screen)
        options.run = { await runner.run($0) }
        options.add = { await runner.add($0) }
        options.lookAhead = { runner.lookAhead($0) }
        options.open = FileOpener.problem(opening:)
        if let machine = settings.surroundings.machine { options.open = { "the file is \(machine):\($0)" } }
        options.edit = { await runner.edit($0) }
        options.lookAheadOfEdit = { runner.lookAhead($0) }
        options.workingFolder = FileManager.default.currentDirectoryPath
        options.saveFolder = settings.surroundings.machine == nil ? saveFolder(home: options.homeFolder) : "~/"
        options.clock = LocalClock(offset: Self.secondsEast)
        return options
    }

    /// - Parameter quitNotice: the confirmation to quit, given the current queue; `nil`: none.
    static func program(
        _ client: any QueueClient, _ settings: Settings = Settings(),
        quitNotice: @escaping @Sendable (QueueSnapshot) -> String?
    ) -> TerminalProgram {
        var options = options(client, settings)
        options.quitNotice = quitNotice
        (options.warning, options.mistakes) = (settings.warning, settings.mistakes)
        return TerminalProgram(client: client, options: options)
    }

    static func show(_ program: TerminalProgram) async -> Result<TerminalProgram.Ending, any Error> {
        // A closing window sends several signals: the first ends the screen, the others must not interrupt cleaning up.
        if !Interruption.isIgnored(SIGHUP) { signal(SIGHUP) { _ in } }
        return await withCheckedContinuation { done in
            let box = ProgramBox(program) { done.resume(returning: $0) }
            var thread = pthread_t()
            let started = pthread_create(
                &thread, nil,
                { argument in
                    if let argument { Unmanaged<ProgramBox>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                }, Unmanaged.passRetained(box).toOpaque())
            guard started == 0 else {
                return done.resume(
                    returning: .failure(TransferError(.other, "cannot start a thread for the screen")))
            }
            pthread_detach(thread)
        }
    }

    /// That of the configuration, else the working folder, as a person writes it.
    private static func saveFolder(home: String?) -> String {
        let working = FileManager.default.currentDirectoryPath
        let configured = (try? AddCurlCommand.mergedDefaults())?.destination.directory
        var folder = AbsolutePaths(workingFolder: working).path(configured ?? working)
        if let home, home.count > 1, folder == home || folder.hasPrefix(home + "/") {
            folder = "~" + folder.dropFirst(home.count)
        }
        return folder.endsWithSlash ? folder : folder + "/"
    }

    /// Of UTC, at a time.
    @Sendable private static func secondsEast(_ time: Double) -> Int {
        var seconds = time_t(time)
        var parts = tm()
        return localtime_r(&seconds, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
    }

    /// - Throws: the exit code of a signal, or an error if the terminal was closed.
    static func validate(_ ending: TerminalProgram.Ending) throws {
        switch ending {
        case .quit, .queueEnded: break
        case .terminated(let number): throw ExitCode(Interruption.exitCode(for: number))
        case .terminalLost: throw TransferError(.terminated, "the terminal was closed; partial files are kept")
        }
    }

    private final class ProgramBox: Sendable {
        private let program: TerminalProgram
        private let done: @Sendable (Result<TerminalProgram.Ending, any Error>) -> Void

        init(
            _ program: TerminalProgram, _ done: @escaping @Sendable (Result<TerminalProgram.Ending, any Error>) -> Void
        ) {
            self.program = program
            self.done = done
        }

        func run() { done(Result { try program.run() }) }
    }
}
