// SPDX-License-Identifier: MIT

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TerminalInterface
import TransferControl
import TransferModel
import TransferTesting

/// The interface on a queue that lives in memory and moves no bytes, for tests that need a real terminal.
///
/// `--live N`: that many transfers get on, ten times a second (default 2). `--rows N`: so many in the queue. `--ask`:
/// the third asks for trust, the fourth for a login. `--retry`: one counts down to its next try. `--silent`: the queue
/// answers no question. `--say`: writes to standard error while the screen is up. `--pid-file PATH`: where to write the
/// process's number. `--keys pause=F5,help=F12`: other keys. `--folder PATH`: where files are picked. `--watch`: no key
/// changes the queue. `--linear`: lines instead of a screen. `--long-name`: the first has 4,000 wide characters.
/// `--serve PATH`: no screen, but a socket with the queue; `--connect PATH`: the screen of that queue. `--notify WAY`:
/// notifies of ends.
@main
struct InterfaceProbe {
    static func main() {
        let arguments = CommandLine.arguments
        func value(_ name: String) -> Int? {
            arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? Int(arguments[$0 + 1]) : nil }
        }
        if let index = arguments.firstIndex(of: "--pid-file"), index + 1 < arguments.count,
            let file = fopen(arguments[index + 1], "w")
        {
            fputs("\(getpid())\n", file)
            fclose(file)
        }
        let queue = FakeQueue.scripted(
            rows: value("--rows") ?? 9, live: value("--live") ?? 2,
            retries: arguments.contains("--retry"), asks: arguments.contains("--ask"),
            isSilent: arguments.contains("--silent"), hasLongName: arguments.contains("--long-name"))
        var client: any QueueClient = queue
        do {
            if let index = arguments.firstIndex(of: "--serve") {
                try ProbeService.serve(queue, at: arguments[index + 1])
            }
            if let index = arguments.firstIndex(of: "--connect") {
                let path = arguments[index + 1]
                client = try blocking { try await ProbeService.connect(to: path) }
            }
        } catch {
            say("probe: \(error)")
            exit(1)
        }
        if arguments.contains("--say") {
            Task.detached {
                try? await Task.sleep(for: .milliseconds(300))
                say("said meanwhile")
            }
        }
        var options = TerminalProgram.Options()
        options.losses = (client as? ReconnectingQueueClient)?.losses
        options.title = "fileq probe"
        // Its rows keep their places.
        options.view = arguments.contains("--now") ? .now : .all
        options.words = .probe
        if let index = arguments.firstIndex(of: "--keys"), index + 1 < arguments.count {
            let pairs = arguments[index + 1].split(separator: ",").map { $0.split(separator: "=").map(String.init) }
            let changes = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], Array($0.dropFirst())) })
            let (map, mistakes) = KeyMap.changed(changes)
            options.keyMap = map
            options.warning = mistakes.first?.text
        }
        options.vocabulary = CommandVocabulary(commands: [
            .init(path: ["pause"], arguments: "<which>", help: "Pause transfers", options: [], takesTransfers: true)
        ])
        options.commandLine = { command in
            switch command {
            case .undo: "undo"
            case .perform(.cancel(deletingPartial: false), let ids):
                "cancel " + ids.map(\.description).joined(separator: ",")
            default: nil
            }
        }
        options.run = { [client] line in
            let words = line.split(separator: " ")
            guard words.first == "pause", let id = words.last.flatMap({ TransferID($0) }) else {
                return CommandOutcome(error: "unknown command")
            }
            do { try await client.perform(.pause, on: [id]) } catch { return CommandOutcome(error: "\(error)") }
            return CommandOutcome()
        }
        options.add = { await ProbeAdding.add($0, to: queue) }
        options.lookAhead = { ProbeAdding.lookAhead($0) }
        options.open = { $0.hasSuffix("/") ? nil : "no program opens \($0) here" }
        options.edit = { await ProbeAdding.edit($0, in: queue) }
        options.saveFolder = "~/Downloads/"
        if let index = arguments.firstIndex(of: "--folder"), index + 1 < arguments.count {
            options.workingFolder = arguments[index + 1]
        }
        if let index = arguments.firstIndex(of: "--notify"), index + 1 < arguments.count {
            var notify = NotifySettings()
            notify.way = NotifySettings.Way(rawValue: arguments[index + 1]) ?? .auto
            options.notify = notify
        }
        options.isReadOnly = arguments.contains("--watch")
        if arguments.contains("--linear") { return runLinear(queue, options) }
        let program = TerminalProgram(client: client, options: options)
        do {
            switch try program.run() {
            case .quit: print("probe ended: quit")
            case .terminated(let signal):
                print("probe ended: signal \(signal)")
                exit(128 + signal)
            case .terminalLost: exit(3)
            case .queueEnded: print("probe ended: queue")
            }
        } catch {
            say("probe: \(error)")
            exit(1)
        }
    }

    /// Blocks until the end of `body`.
    private static func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let found = Mutex<Result<Value, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            found.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = found.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }

    private static func runLinear(_ queue: FakeQueue, _ options: TerminalProgram.Options) {
        let commands = InterfaceWords.Keys(
            lift: "resume --now", retry: "retry", pause: "resume", cancel: "cancel", remove: "clear", trust: "trust",
            login: "login", top: "move top", start: "set ID --at now", limits: "'set'", edit: "relocate",
            rename: "relocate ID --output NAME",
            pauseAll: "'resume --all'")
        let (lines, typed) = AsyncStream.makeStream(of: String.self)
        _ = SideThreads().start {
            while let line = readLine() { typed.yield(line) }
            typed.finish()
        }
        let reader = LineReader(lines)
        let program = LinearProgram(
            client: queue, options: options, words: .init(commands: commands, help: []), hasPrompt: true,
            read: { _ in await reader.next() },
            write: { text in
                _ = text.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
            }, now: { Date().timeIntervalSince1970 })
        _ = try? blocking { await program.run() }
        print("probe ended: quit")
    }

    private actor LineReader {
        private var lines: AsyncStream<String>.Iterator

        init(_ lines: AsyncStream<String>) { self.lines = lines.makeAsyncIterator() }

        func next() async -> String? {
            var lines = lines
            defer { self.lines = lines }
            return await lines.next(isolation: self)
        }
    }

    private static func say(_ line: String) {
        let text = line + "\n"
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
