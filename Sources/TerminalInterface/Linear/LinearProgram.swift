// SPDX-License-Identifier: MIT

import Synchronization
package import TransferControl
import TransferModel

/// The interface without a screen: a line for each event, and commands typed at a prompt.
package struct LinearProgram: Sendable {
    let client: any QueueClient
    let options: TerminalProgram.Options
    private let words: Words
    private let hasPrompt: Bool
    let read: Reading
    private let write: @Sendable (String) -> Void
    private let now: @Sendable () -> Double

    /// - Parameter repeatingPrompt: of a line that a terminal does not show: shows its prompt again. `nil`: the line is
    ///   shown.
    package typealias Reading = @Sendable (_ repeatingPrompt: (@Sendable () -> Void)?) async -> String?

    /// The texts about the program's commands.
    package struct Words: Sendable {
        package var commands: InterfaceWords.Keys
        var help: [String]

        /// - Parameter commands: in place of keys, with `ID` where that is not the last word.
        package init(commands: InterfaceWords.Keys, help: [String]) { (self.commands, self.help) = (commands, help) }
    }

    /// - Parameters:
    ///   - hasPrompt: whether to write `> ` when a command may be typed.
    ///   - read: the next line; `nil` at the end of the input.
    ///   - write: writes text; calls are serial.
    ///   - now: seconds since 1970.
    package init(
        client: any QueueClient, options: TerminalProgram.Options, words: Words, hasPrompt: Bool,
        read: @escaping Reading, write: @escaping @Sendable (String) -> Void, now: @escaping @Sendable () -> Double
    ) {
        (self.client, self.options, self.words, self.hasPrompt) = (client, options, words, hasPrompt)
        (self.read, self.write, self.now) = (read, write, now)
    }

    /// Returns when the input or the queue has ended.
    package func run() async -> TerminalProgram.Ending {
        let output = LinearOutput(
            LinearReport(words: options.words, clock: options.clock, commands: words.commands), hasPrompt, write)
        let watching = Task { await watch(output) }
        defer { watching.cancel() }
        let first = await withTaskGroup(of: TerminalProgram.Ending.self) { group in
            group.addTask { await listen(output) }
            group.addTask { await type(output) }
            let first = await group.next() ?? .quit
            group.cancelAll()
            return first
        }
        output.end()
        return first
    }

    /// Reports a lost connection, and the one that takes its place.
    private func watch(_ output: LinearOutput) async {
        guard let losses = options.losses else { return }
        for await isLost in losses {
            let connection = "The connection to \(options.machine ?? "the service")"
            output.put(["\(connection) is \(isLost ? "lost; reconnecting" : "back")"])
        }
    }

    private func listen(_ output: LinearOutput) async -> TerminalProgram.Ending {
        for await update in client.updates() {
            let lines = output.report.withLock { $0.take(update, now: now()) }
            if !lines.isEmpty { output.put(lines) }
            output.loaded()
        }
        return .queueEnded
    }

    private func type(_ output: LinearOutput) async -> TerminalProgram.Ending {
        await output.waitUntilLoaded()
        while let line = await read(nil) {
            output.typed()
            let typed = line.split(separator: " ").map(String.init)
            switch typed.first {
            case nil: output.put([])
            case let word? where Self.leaving.contains(word): return .quit
            case "help" where typed.count == 1, "?": output.put(words.help)
            case "status": output.put(output.report.withLock { $0.status(now: now()) })
            case "totals": output.put([output.report.withLock { $0.totals }])
            case "why":
                guard let id = typed.last.flatMap({ TransferID($0) }), typed.count == 2 else {
                    output.put(["Name one transfer: why 3"])
                    continue
                }
                output.put(output.report.withLock { $0.why(id, now: now()) })
            case "login" where typed.count < 3:
                if await logIn(typed.last.flatMap { TransferID($0) }, output) { return .quit }
            case "trust" where typed.count == 2 && TransferID(typed[1]) != nil:
                if await decideOnTrust(typed.last.flatMap { TransferID($0) }, output) { return .quit }
            default: output.put(await reply(to: line))
            }
        }
        return .quit
    }

    private func reply(to line: String) async -> [String] {
        guard !options.isReadOnly else { return [Self.onlyWatches] }
        guard let run = options.run else { return ["No commands here."] }
        let outcome = await run(line)
        if let error = outcome.error { return ["Error: \(error)"] }
        let lines = outcome.lines + outcome.notes
        return lines.isEmpty ? ["done"] : lines
    }
}
