// SPDX-License-Identifier: MIT

import Synchronization

/// The reports of ``LinearProgram``, and the prompt below them.
final class LinearOutput: Sendable {
    private static let usual = "> "

    private struct State {
        /// The prompt of the next input.
        var prompt = LinearOutput.usual
        /// Whether the prompt stands at the end of the output.
        var isOpen = false
    }

    let report: Mutex<LinearReport>
    private let (firstUpdate, signal) = AsyncStream.makeStream(of: Void.self)
    private let state = Mutex(State())
    private let hasPrompt: Bool
    private let write: @Sendable (String) -> Void

    init(_ report: LinearReport, _ hasPrompt: Bool, _ write: @escaping @Sendable (String) -> Void) {
        self.report = Mutex(report)
        (self.hasPrompt, self.write) = (hasPrompt, write)
    }

    /// Events, or the reply to a command.
    func put(_ lines: [String]) { state.withLock { put(lines, &$0) } }

    /// - Parameter prompt: stands before the next input instead of the usual one.
    func ask(_ prompt: String, after lines: [String] = []) {
        state.withLock { state in
            state.prompt = prompt
            put(hasPrompt ? lines : lines + [prompt], &state)
        }
    }

    private func put(_ lines: [String], _ state: inout State) {
        // Over the prompt that waits; below a question, which is longer than a line may be.
        var text = !state.isOpen ? "" : state.prompt == Self.usual ? "\r" : lines.isEmpty ? "\r" : "\n"
        for line in lines { text += line + "\n" }
        if hasPrompt { text += state.prompt }
        state.isOpen = hasPrompt
        write(text)
    }

    func loaded() { signal.finish() }

    /// A command means the queue, not what is shown before the first update.
    func waitUntilLoaded() async { for await _ in firstUpdate {} }

    /// The line break was echoed.
    func typed() { state.withLock { $0 = State() } }

    func end() { if state.withLock(\.isOpen) { write("\n") } }
}
