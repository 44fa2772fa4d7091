// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TerminalInterface
import TransferControl
import TransferModel

/// `fileq` without a command: the queue on the screen.
struct InterfaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interface",
        abstract: "Show the queue on the terminal; what 'fileq' alone does.",
        discussion: """
            Uploads and downloads in one queue, run by keyboard: 'a' adds what would follow 'get' or 'put' on a command \
            line, with its options; '?' shows all keys.

            The queue lives as long as the screen does. After 'q' the partial files of downloads are kept, and adding the same \
            address again goes on from them.
            """
    )

    @Option(name: [.customShort("j"), .customLong("concurrent")],
            help: ArgumentHelp("How many transfers run at once.", valueName: "n"))
    var concurrent = 4

    mutating func run() async throws {
        guard (1...256).contains(concurrent) else {
            throw TransferError(.usage, "--concurrent: write a number from 1 to 256")
        }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw TransferError(.usage, "the interface needs a terminal; in scripts use 'fileq get' and 'fileq put'")
        }
        var settings = QueueSettings(concurrent: concurrent)
        settings.pathOverrides = try Surroundings.process.pathOverrides()
        let queue = try makeInterfaceQueue(settings)
        let ending = await InterfaceScreen.show(queue.client, leaving: "what has arrived is kept, the list is not")
        await queue.stop()
        try InterfaceScreen.judge(try ending.get())
    }
}

/// The terminal interface on a thread of its own: it blocks until the user is done.
enum InterfaceScreen {
    /// - Parameter leaving: what quitting does to the queue, for whoever quits while something runs.
    static func show(_ client: any QueueClient, title: String = "fileq",
                     leaving: String) async -> Result<TerminalProgram.Ending, any Error> {
        var options = TerminalProgram.Options()
        options.title = title
        options.quitNotice = { snapshot in
            let count = snapshot.transfers.count { !$0.state.isEnded }
            return count == 0 ? nil : "\(count) not done; \(leaving). Quit? y/n"
        }
        // A window that closes says so more than once: the screen ends by the first, and the others must not cut off what
        // is put in order afterwards.
        if !Interruption.isIgnored(SIGHUP) { signal(SIGHUP) { _ in } }
        let program = TerminalProgram(client: client, options: options) { text in try TypedTransfer.parse(text) }
        return await withCheckedContinuation { done in
            let box = ProgramBox(program) { done.resume(returning: $0) }
            var thread = pthread_t()
            let started = pthread_create(&thread, nil, { argument in
                if let argument { Unmanaged<ProgramBox>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(box).toOpaque())
            guard started == 0 else {
                return done.resume(returning: .failure(TransferError(.other, "no thread for the screen could be started")))
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

        init(_ program: TerminalProgram, _ done: @escaping @Sendable (Result<TerminalProgram.Ending, any Error>) -> Void) {
            self.program = program
            self.done = done
        }

        func run() { done(Result { try program.run() }) }
    }
}
