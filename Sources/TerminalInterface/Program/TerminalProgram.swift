// SPDX-License-Identifier: MIT

import FoundationEssentials
package import TransferControl
import TransferModel

/// The full-screen interface on one queue.
package struct TerminalProgram: Sendable {
    package struct Options: Sendable {
        /// Shown at the top left.
        package var title = "fileq"
        /// The confirmation to quit, given the current queue; `nil`: none. The reply is one key, y or n, so the text
        /// should end in "y/n".
        package var quitNotice: @Sendable (QueueSnapshot) -> String? = TerminalProgram.askWhileActive
        /// Shown as `~` in paths; `nil`: paths are shown in full.
        package var homeFolder: String?
        /// `TERM`, `NO_COLOR` and related variables. The locale is always that of the process.
        package var environment = ProcessInfo.processInfo.environment

        package var theme = Theme.auto
        package var keyMap = KeyMap.standard
        /// The columns of the list; `nil`: as many as the window has room for.
        package var listColumns: ListColumns?
        package var grouping: Grouping?
        /// The view that the screen opens on.
        package var view = QueueView.now
        /// `nil`: the order of the view.
        package var order: ListOrder?
        package var panePlace = PanePlace.auto
        /// Views of the configuration, at most ``OwnView/most``.
        package var ownViews: [OwnView] = []
        /// Shown when the screen opens: what is wrong with the configuration.
        package var warning: String?
        /// All of that, for the log.
        package var mistakes: [String] = []
        /// When and how the user is notified of ends; `nil`: never.
        package var notify: NotifySettings?
        /// Receives whether the screen notifies its user of ends, or has the focus, so that nothing else has to. One
        /// call at a time.
        package var attend: (@Sendable (Bool) async -> Void)?
        /// How many connections of the client have taken the place of one that ended; `nil`: it has none.
        package var reconnections: (@Sendable () -> Int)?
        /// Whether the connection is lost and the next one is sought; `nil`: the client has none.
        package var losses: AsyncStream<Bool>?
        /// The machine of the queue; `nil`: this one.
        package var machine: String?
        /// Connects to the queue of another machine, for `:on`; `nil`: the screen stays on this one.
        package var on: MachineSwitch?
        /// Closes the connection when the screen has left the queue. Called once.
        package var close: (@Sendable () -> Void)?
        /// Whether the queue is only watched: keys that change it do nothing.
        package var isReadOnly = false
        /// The command line that equals a key, for the log.
        package var commandLine: @Sendable (KeyedCommand) -> String? = { _ in nil }
        /// The vocabulary of the command line.
        package var vocabulary = CommandVocabulary()
        /// Adds what the form of `a` holds. Called on another thread than the screen's, one call at a time; it must
        /// write to no terminal.
        package var add: @Sendable (AddRequest) async -> AddOutcome = { _ in
            .failed("this queue takes no transfers from here", nil)
        }
        /// Finds out what a request would add, from files alone; `nil`: that is not known. Each call has a thread of
        /// its own, since a folder may never respond.
        package var lookAhead: (@Sendable (AddRequest) -> AddOutlook)?
        /// Changes what the form of `e` holds; `nil`: this queue cannot. Called on another thread than the screen's; it
        /// must write to no terminal.
        package var edit: (@Sendable (EditRequest) async -> EditOutcome)?
        /// Finds out whether that can be changed, from files alone. Each call has a thread of its own, since a folder
        /// may never respond.
        package var lookAheadOfEdit: (@Sendable (EditRequest) -> EditOutlook)?
        /// Opens a file or folder with the program for its kind and returns the problem, if any; `nil`: there is none.
        /// Called on a thread of its own, which may hang.
        package var open: (@Sendable (String) -> String?)?
        /// The base of relative paths; absolute.
        package var workingFolder: String?
        /// Where downloads go unless another folder is typed.
        package var saveFolder = ""
        /// Executes a command line; `nil`: there is none.
        package var run: CommandRunner?
        /// Whether the terminal sends clicks and the wheel here; its own selection of text then needs Shift.
        package var hasMouse = true
        /// Local times.
        package var clock = LocalClock.utc

        /// Sentences about transfers and errors.
        package var words = InterfaceWords.plain

        package init() {
            homeFolder = environment["HOME"]
        }
    }

    /// Executes a command line without `fileq`, as typed. Called on another thread than the screen's, one call at a
    /// time; it must write to no terminal.
    package typealias CommandRunner = @Sendable (String) async -> CommandOutcome

    /// The program on the queue of a machine, which is named as typed; empty: this machine. Writes to no terminal.
    package typealias MachineSwitch = @Sendable (_ machine: String) async throws -> TerminalProgram

    /// Why ``run()`` returned.
    package enum Ending: Sendable, Hashable {
        /// The user quit.
        case quit
        /// This signal requested the end: SIGTERM, SIGHUP, SIGINT. It has not been raised again.
        case terminated(signal: Int32)
        /// The terminal was closed.
        case terminalLost
        /// The queue has shut down.
        case queueEnded
    }

    let client: any QueueClient
    let options: Options

    package init(client: any QueueClient, options: Options = .init()) {
        self.client = client
        self.options = options
    }

    /// Shows the queue until the user quits. Blocks the calling thread, which is the only one to use the screen: the
    /// main thread or a dedicated one, never one of the concurrency pool.
    ///
    /// Until it returns, it handles SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT and crash signals, and buffers
    /// standard error; it restores everything before it returns, on `exit` and on a crash. It waits up to 2 s for
    /// pending commands.
    /// - Throws: a ``TransferError`` with code `other` without a suitable terminal, which is unchanged.
    package func run() throws -> Ending {
        let screen = try Screen(options.environment, theme: options.theme, hasMouse: options.hasMouse)
        var (program, lines) = (self, LineHistory())
        while true {
            let (ending, next) = program.run(on: screen, &lines)
            guard let next else { return ending }
            program = next
        }
    }

    /// Shows one queue; closes the screen unless another queue follows.
    /// - Parameter lines: those that were run, which the next queue's command line recalls, too.
    private func run(on screen: Screen, _ lines: inout LineHistory) -> (Ending, next: TerminalProgram?) {
        let mailbox = Mailbox()
        let pump = EffectPump(client: client, mailbox: mailbox, options: options)
        let listening = Task { [client] in
            await Self.firstPage(of: client, mailbox)
            for await update in client.updates() { mailbox.post(.update(update)) }
            mailbox.post(.queueEnded)
        }
        let watching = Task { [losses = options.losses] in
            guard let losses else { return }
            for await isLost in losses { mailbox.post(.lost(isLost)) }
        }
        var loop = ProgramLoop(screen: screen, mailbox: mailbox, pump: pump, options: options, lines)
        let ending = loop.run()
        lines = loop.lines
        if loop.next == nil { screen.close() }
        listening.cancel()
        watching.cancel()
        pump.finish()
        options.close?()
        return (ending, loop.next)
    }

    /// Rows of the first page: more than any window has.
    private static let pageRows = 256

    /// Asks for the first rows, so that they need not wait for a long queue; returns when they are here, at the latest
    /// after a tenth of a second.
    private static func firstPage(of client: any QueueClient, _ mailbox: Mailbox) async {
        let (over, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            if let page = try? await client.transfers(matching: QueueFilter(limit: pageRows)) {
                mailbox.post(.firstPage(page))
            }
            end.finish()
        }
        Task {
            try? await Task.sleep(for: .milliseconds(100))
            end.finish()
        }
        for await _ in over {}
    }

    /// The default confirmation: asks if a transfer is running, waiting for the network or retrying.
    package static let askWhileActive: @Sendable (QueueSnapshot) -> String? = { snapshot in
        let active = snapshot.transfers.filter {
            $0.state.occupiesSlot || $0.state == .waiting || $0.state == .retrying
        }
        switch active.count {
        case 0: return nil
        case 1: return "1 transfer is running; quit and keep it for the next run? y/n"
        case let count: return "\(count) transfers are running; quit and keep them for the next run? y/n"
        }
    }
}
