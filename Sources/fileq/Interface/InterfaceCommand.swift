// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import Glibc
import Synchronization
import TerminalInterface
import TransferControl
import TransferModel

/// `fileq` without a command: the interface.
struct InterfaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interface",
        abstract: "Open the queue on the terminal, as 'fileq' alone does.",
        discussion: """
            Controls uploads and downloads by keyboard: 'a' adds a transfer, with the arguments and options of 'get' \
            or 'put'; '?' shows all keys.

            The queue is that of the background service, which is started if necessary. It keeps running when you \
            leave the screen; several screens show the same queue.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Colours, one of auto, dark, light, high-contrast, monochrome, gruvbox and nord.", valueName: "name"))
    var theme = "auto"

    mutating func run() async throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw TransferError(.usage, "the interface needs a terminal; in scripts use 'fileq get' and 'fileq put'")
        }
        guard let chosen = Theme(rawValue: theme) else {
            let names = Theme.allCases.map(\.rawValue).joined(separator: ", ")
            throw TransferError(.usage, "'\(theme)' is no theme; there are \(names)", fields: .init(option: "theme"))
        }
        let client = try await ServiceAccess.connectPersistently()
        defer { client.close() }
        let last = LastCheck()
        let ending = try await InterfaceScreen.show(client, theme: chosen) { snapshot in
            // Quitting stops nothing, so it needs no confirmation.
            last.take(snapshot)
            return nil
        }.get()
        if ending == .queueEnded {
            throw client.failure ?? TransferError(.other, "the background service was stopped; 'fileq' starts it again")
        }
        try InterfaceScreen.validate(ending)
        if let words = last.words { StandardError.say(words) }
    }

    /// The queue when the screen was left.
    private final class LastCheck: Sendable {
        private let active = Mutex(0)

        func take(_ snapshot: QueueSnapshot) {
            let count = snapshot.transfers.count { QueueActivity.keepsAlive($0.state) }
            active.withLock { $0 = count }
        }

        var words: String? { InterfaceCommand.farewell(active.withLock { $0 }) }
    }

    /// A note about transfers that continue; `nil` if there are none.
    static func farewell(_ count: Int) -> String? {
        switch count {
        case 0: nil
        case 1: "1 transfer continues in the background; 'fileq list' shows it"
        default: "\(count) transfers continue in the background; 'fileq list' shows them"
        }
    }
}

/// The interface on its own thread, since it blocks.
enum InterfaceScreen {
    /// - Parameter quitNotice: the confirmation to quit, given the current queue; `nil`: none.
    static func show(
        _ client: any QueueClient, title: String = "fileq", theme: Theme = .auto,
        quitNotice: @escaping @Sendable (QueueSnapshot) -> String?
    ) async -> Result<TerminalProgram.Ending, any Error> {
        var options = TerminalProgram.Options()
        options.title = title
        options.quitNotice = quitNotice
        options.words = MessageCatalog.interfaceWords
        options.theme = theme
        options.vocabulary = CommandLineRunner.vocabulary
        let runner = CommandLineRunner(queue: client)
        options.run = { await runner.run($0) }
        options.clock = LocalClock(offset: Self.secondsEast)
        // A closing window sends several signals: the first ends the screen, the others must not interrupt cleaning up.
        if !Interruption.isIgnored(SIGHUP) { signal(SIGHUP) { _ in } }
        let program = TerminalProgram(client: client, options: options) { text in
            let folder = FileManager.default.currentDirectoryPath
            return try TypedTransfer.parse(text).map { $0.withWholePaths(in: folder) }
        }
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
