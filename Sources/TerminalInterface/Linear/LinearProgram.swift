// SPDX-License-Identifier: MIT

import Synchronization
package import TransferControl
import TransferModel

/// The interface without a screen: a line for each event, and commands typed at a prompt.
package struct LinearProgram: Sendable {
    private let client: any QueueClient
    private let options: TerminalProgram.Options
    private let words: Words
    private let hasPrompt: Bool
    private let read: @Sendable () async -> String?
    private let write: @Sendable (String) -> Void
    private let now: @Sendable () -> Double

    /// What the program says of its commands.
    package struct Words: Sendable {
        var commands: InterfaceWords.Keys
        var help: [String]

        /// - Parameter commands: in place of keys.
        package init(commands: InterfaceWords.Keys, help: [String]) { (self.commands, self.help) = (commands, help) }
    }

    /// - Parameters:
    ///   - hasPrompt: whether to write `> ` when a command may be typed.
    ///   - read: the next line; `nil` at the end of the input.
    ///   - write: writes text; calls are serial.
    ///   - now: seconds since 1970.
    package init(
        client: any QueueClient, options: TerminalProgram.Options, words: Words, hasPrompt: Bool,
        read: @escaping @Sendable () async -> String?, write: @escaping @Sendable (String) -> Void,
        now: @escaping @Sendable () -> Double
    ) {
        (self.client, self.options, self.words, self.hasPrompt) = (client, options, words, hasPrompt)
        (self.read, self.write, self.now) = (read, write, now)
    }

    /// Returns when the input or the queue has ended.
    package func run() async -> TerminalProgram.Ending {
        let output = Output(
            LinearReport(words: options.words, clock: options.clock, commands: words.commands), hasPrompt, write)
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

    private func listen(_ output: Output) async -> TerminalProgram.Ending {
        for await update in client.updates() {
            let lines = output.report.withLock { $0.take(update, now: now()) }
            if !lines.isEmpty { output.put(lines) }
            output.loaded()
        }
        return .queueEnded
    }

    private func type(_ output: Output) async -> TerminalProgram.Ending {
        await output.waitUntilLoaded()
        while let line = await read() {
            output.typed()
            let typed = line.split(separator: " ").map(String.init)
            switch typed.first {
            case nil: output.put([])
            case "quit", "q", "exit": return .quit
            case "help" where typed.count == 1, "?": output.put(words.help)
            case "status": output.put(output.report.withLock { $0.status(now: now()) })
            case "totals": output.put([output.report.withLock { $0.totals }])
            case "why":
                guard let id = typed.last.flatMap({ TransferID($0) }), typed.count == 2 else {
                    output.put(["Name one transfer: why 3"])
                    continue
                }
                output.put(output.report.withLock { $0.why(id, now: now()) })
            default: output.put(await reply(to: line))
            }
        }
        return .quit
    }

    /// What was reported, and whether a prompt waits at the end of it.
    private final class Output: Sendable {
        let report: Mutex<LinearReport>
        private let (firstUpdate, signal) = AsyncStream.makeStream(of: Void.self)
        private let hasOpenPrompt = Mutex(false)
        private let hasPrompt: Bool
        private let write: @Sendable (String) -> Void

        init(_ report: LinearReport, _ hasPrompt: Bool, _ write: @escaping @Sendable (String) -> Void) {
            self.report = Mutex(report)
            (self.hasPrompt, self.write) = (hasPrompt, write)
        }

        func put(_ lines: [String]) {
            hasOpenPrompt.withLock { isOpen in
                // Over the prompt that waits.
                var text = isOpen ? "\r" : ""
                for line in lines { text += line + "\n" }
                if hasPrompt { text += "> " }
                isOpen = hasPrompt
                write(text)
            }
        }

        func loaded() { signal.finish() }

        /// A command means the queue, not what is shown before the first update.
        func waitUntilLoaded() async { for await _ in firstUpdate {} }

        /// The line break was echoed.
        func typed() { hasOpenPrompt.withLock { $0 = false } }

        func end() { if hasOpenPrompt.withLock({ $0 }) { write("\n") } }
    }

    private func reply(to line: String) async -> [String] {
        guard !options.isReadOnly else { return ["This only watches: status, why, totals, help, quit."] }
        guard let run = options.run else { return ["No commands here."] }
        let outcome = await run(line)
        if let error = outcome.error { return ["Error: \(error)"] }
        let lines = outcome.lines + outcome.notes
        return lines.isEmpty ? ["done"] : lines
    }
}
