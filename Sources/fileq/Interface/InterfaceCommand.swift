// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import Glibc
import Synchronization
import TerminalInterface
import TransferControl
import TransferModel

/// `fileq` without a command: the queue on the screen.
struct InterfaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interface",
        abstract: "Show the queue on the terminal; what 'fileq' alone does.",
        discussion: """
            Uploads and downloads in one queue, run by keyboard: 'a' adds what would follow 'get' or 'put' on a \
            command line, with its options; '?' shows all keys.

            The queue is that of the background service, which is started if need be. What is queued goes on when the \
            screen is left, however it is left; several screens show the same queue.
            """
    )

    mutating func run() async throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw TransferError(.usage, "the interface needs a terminal; in scripts use 'fileq get' and 'fileq put'")
        }
        let client = try await ServiceAccess.connectLastingly()
        defer { client.close() }
        let last = LastLook()
        let ending = try await InterfaceScreen.show(client) { snapshot in
            // Quitting stops nothing, so nothing is asked.
            last.take(snapshot)
            return nil
        }.get()
        if ending == .queueEnded {
            throw client.failure ?? TransferError(.other, "the background service was stopped; 'fileq' starts it again")
        }
        try InterfaceScreen.judge(ending)
        if let words = last.words { StandardError.say(words) }
    }

    /// The queue as it was when the screen was left.
    private final class LastLook: Sendable {
        private let active = Mutex(0)

        func take(_ snapshot: QueueSnapshot) {
            let count = snapshot.transfers.count { QueueActivity.keepsAlive($0.state) }
            active.withLock { $0 = count }
        }

        var words: String? { InterfaceCommand.farewell(active.withLock { $0 }) }
    }

    /// What goes on without the screen; `nil` where nothing does.
    static func farewell(_ count: Int) -> String? {
        switch count {
        case 0: nil
        case 1: "1 transfer goes on in the background; 'fileq list' shows it"
        default: "\(count) transfers go on in the background; 'fileq list' shows them"
        }
    }
}

/// The terminal interface on a thread of its own: it blocks until the user is done.
enum InterfaceScreen {
    /// - Parameter quitNotice: what to ask whoever quits, given the queue as it is then; `nil`: nothing.
    static func show(
        _ client: any QueueClient, title: String = "fileq",
        quitNotice: @escaping @Sendable (QueueSnapshot) -> String?
    ) async -> Result<TerminalProgram.Ending, any Error> {
        var options = TerminalProgram.Options()
        options.title = title
        options.quitNotice = quitNotice
        options.words = MessageCatalog.text
        // A window that closes says so more than once: the screen ends by the first, and the others must not cut off
        // what is put in order afterwards.
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
                    returning: .failure(TransferError(.other, "no thread for the screen could be started")))
            }
            pthread_detach(thread)
        }
    }

    /// - Throws: the exit code that a signal asks for, an error where the terminal went away.
    static func judge(_ ending: TerminalProgram.Ending) throws {
        switch ending {
        case .quit, .queueEnded: break
        case .terminated(let number): throw ExitCode(Interruption.exitCode(for: number))
        case .terminalLost: throw TransferError(.terminated, "the terminal went away; what had arrived is kept")
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
