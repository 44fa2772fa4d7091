// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import TransferModel

/// Shows a run on standard error. Calls may come from any thread.
protocol ProgressDisplay: Sendable {
    /// Events in order. The last event of a transfer is its end.
    func show(_ events: [TransferEvent])
    /// A message without a transfer.
    func say(_ line: String)
    /// The user is being asked: write nothing until ``comeBack()``.
    func withdraw()
    func comeBack()
    /// The end: writes the summary and restores the terminal.
    func end()
}

extension ProgressDisplay {
    func withdraw() {}
    func comeBack() {}
}

/// Shows only failures.
struct QuietDisplay: ProgressDisplay {
    let count: Int

    func show(_ events: [TransferEvent]) {
        for event in events where event.name == .failed {
            StandardError.say(Self.line(of: event.transfer, among: count))
        }
    }

    /// Names uploads by their paths: no other line does, and files of several folders often have equal names.
    static func line(of transfer: Transfer, among count: Int) -> String {
        guard count > 1 else { return transfer.error.map(MessageCatalog.text) ?? "no reason given" }
        let isUploadedFile = transfer.kind == .upload && transfer.file != "-"
        let name = isUploadedFile ? transfer.file : TransferName.short(transfer)
        return "\(name): \(MessageCatalog.failure(of: transfer) ?? "no reason given")"
    }

    func say(_ line: String) { StandardError.say(line) }
    func end() {}
}

/// One line per event, or per file.
final class PlainDisplay: ProgressDisplay {
    private struct State {
        var lines: PlainLines
        var board: ProgressBoard
        /// Output held back during a question; `nil` without a question.
        var withheld: String?
    }

    private let state: Mutex<State>
    private let glyphs: TerminalGlyphs
    private let isVerbose: Bool
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - isBrief: one line for each file.
    ///   - isWatching: as for ``ProgressBoard``.
    init(
        count: Int, glyphs: TerminalGlyphs, isVerbose: Bool, isBrief: Bool = false, isWatching: Bool = false,
        write: @escaping @Sendable (String) -> Void = { FileOutput(descriptor: STDERR_FILENO).write($0) }
    ) {
        state = Mutex(
            State(
                lines: PlainLines(signs: isBrief ? glyphs : nil),
                board: ProgressBoard(count: count, isWatching: isWatching)))
        self.glyphs = glyphs
        self.isVerbose = isVerbose
        self.write = write
    }

    func show(_ events: [TransferEvent]) {
        state.withLock { state in
            var text = ""
            for event in events {
                let ended = state.board.take(event)
                if let line = state.lines.line(for: event, ended: ended) { text += glyphs.shown(line) + "\n" }
                if isVerbose, ended != nil, let metrics = event.transfer.metrics {
                    let waterfall = Waterfall(glyphs: glyphs, columns: TerminalTraits.windowSize().columns)
                    let lines = [glyphs.shown("  " + ResultText.metrics(metrics))] + waterfall.lines(of: metrics)
                    text += lines.joined(separator: "\n") + "\n"
                }
            }
            put(text, &state)
        }
    }

    private func put(_ text: String, _ state: inout State) {
        if state.withheld != nil { state.withheld? += text } else if !text.isEmpty { write(text) }
    }

    func withdraw() { state.withLock { $0.withheld = $0.withheld ?? "" } }

    func comeBack() {
        state.withLock { state in
            let text = state.withheld ?? ""
            state.withheld = nil
            put(text, &state)
        }
    }

    func say(_ line: String) {
        state.withLock { put("fileq: \(glyphs.shown(line))\n", &$0) }
    }

    func end() {
        comeBack()
        state.withLock { state in
            for line in ResultText.failures(state.board, glyphs) { write(glyphs.shown(line) + "\n") }
            guard state.board.hasSummary else { return }
            write(glyphs.shown(ResultText.summary(state.board)) + "\n")
        }
    }
}
