// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
import Synchronization
import TransferModel

/// Bars at the bottom of the terminal, finished transfers above them.
///
/// Draws at most ten times a second, and only after a change. Clears the bars on Ctrl-Z; draws nothing in the
/// background.
final class BarDisplay: ProgressDisplay {
    private struct State {
        var board: ProgressBoard
        var notes = RunNotes()
        var region = LiveRegion()
        /// Permanent lines not written yet.
        var pending: [String] = []
        var isScheduled = false
        /// A frame is due when its interval has passed.
        var isTicking = false
        var isOver = false
        var isAway = false
        var isArmed = false
        var lastDrawn = 0.0
    }

    private static let interval = 0.1

    private let state: Mutex<State>
    private let layout: ProgressLayout
    private let traits: TerminalTraits
    private let isVerbose: Bool
    private let queue = DispatchQueue(label: "fileq.bars")
    private let signals: Mutex<[any DispatchSourceSignal]> = Mutex([])
    private let terminal = FileOutput(descriptor: STDERR_FILENO)

    /// - Parameter isWatching: as for ``ProgressBoard``.
    init(count: Int, traits: TerminalTraits, isVerbose: Bool, isWatching: Bool = false) {
        state = Mutex(State(board: ProgressBoard(count: count, isWatching: isWatching)))
        layout = ProgressLayout(glyphs: traits.glyphs, hasColours: traits.wantsColours)
        self.traits = traits
        self.isVerbose = isVerbose
        observe(SIGWINCH) { $0.draw() }
        observe(SIGTSTP) { $0.stop() }
    }

    func show(_ events: [TransferEvent]) {
        state.withLock { state in
            for event in events {
                if let note = state.notes.take(event) {
                    state.pending.append("  " + traits.glyphs.shown("\(TransferName.short(event.transfer))  \(note)"))
                }
                guard let ended = state.board.take(event) else { continue }
                state.pending += lines(for: ended)
            }
        }
        schedule()
    }

    func say(_ line: String) {
        state.withLock { $0.pending.append("fileq: \(traits.glyphs.shown(line))") }
        draw()
    }

    func withdraw() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isAway = true
            takeAway(&state)
        }
    }

    func comeBack() {
        state.withLock { state in
            state.isAway = false
            state.region.forget()
        }
        schedule()
    }

    /// Leaves the cursor at the start of an empty line.
    private func takeAway(_ state: inout State) {
        let columns = TerminalTraits.windowSize().columns
        terminal.write(state.region.frame(permanent: state.pending, live: [], columns: columns) + LiveRegion.restore)
        state.pending = []
        state.isArmed = false
        TerminalRestoration.disarm()
    }

    func end() {
        for source in signals.withLock({ $0 }) { source.cancel() }
        state.withLock { state in
            state.isOver = true
            state.pending += ResultText.failures(state.board, traits.glyphs).map(traits.glyphs.shown)
            if state.board.hasSummary {
                state.pending.append(traits.glyphs.shown(ResultText.summary(state.board)))
            }
            let text = state.region.frame(
                permanent: state.pending, live: [], columns: TerminalTraits.windowSize().columns)
            terminal.write(text + LiveRegion.restore)
        }
        TerminalRestoration.disarm()
        signal(SIGTSTP, SIG_DFL)
    }

    private func lines(for ended: ProgressBoard.Ended) -> [String] {
        let transfer = ended.transfer
        let glyphs = traits.glyphs
        let isDone = transfer.state == .completed
        let sign = coloured(isDone ? glyphs.done : glyphs.failed, isDone ? "32" : "31")
        let link = FileLink(traits, environment: ProcessEnvironment.value)
        let name = glyphs.shown(TransferName.short(transfer))
        let words = isDone ? ResultText.success(ended) : ResultText.failure(transfer)
        var lines = ["\(sign) \(link?.text(name, for: transfer) ?? name)  \(glyphs.shown(words))"]
        if isVerbose, let metrics = transfer.metrics {
            lines.append("  " + glyphs.shown(ResultText.metrics(metrics)))
            lines += Waterfall(glyphs: glyphs, columns: TerminalTraits.windowSize().columns).lines(of: metrics)
        }
        return lines
    }

    private func coloured(_ text: String, _ colour: String) -> String {
        traits.wantsColours ? "\u{1b}[\(colour)m\(text)\u{1b}[0m" : text
    }

    /// Draws now, or when the interval since the last frame has passed.
    private func schedule() {
        let delay: Double? = state.withLock { state in
            guard !state.isScheduled, !state.isOver else { return nil }
            state.isScheduled = true
            return max(0, state.lastDrawn + Self.interval - SystemClock.monotonic)
        }
        guard let delay else { return }
        queue.asyncAfter(deadline: .now() + delay) { self.draw() }
    }

    private func draw() {
        let ticks = state.withLock { state in
            state.isScheduled = false
            guard !state.isOver, !state.isAway, isInForeground else {
                return startsTicking(&state, state.board.liveCount > 0)
            }
            let (columns, rows) = TerminalTraits.windowSize()
            let live = layout.lines(of: state.board, columns: columns, rows: rows, now: SystemClock.wall)
            let text = state.region.frame(permanent: state.pending, live: live, columns: columns)
            if !state.isArmed { TerminalRestoration.arm() }
            state.isArmed = true
            state.pending = []
            state.lastDrawn = SystemClock.monotonic
            terminal.write(text)
            return startsTicking(&state, state.board.showsTime)
        }
        guard ticks else { return }
        queue.asyncAfter(deadline: .now() + 1) {
            self.state.withLock { $0.isTicking = false }
            self.schedule()
        }
    }

    /// At most one tick is scheduled.
    private func startsTicking(_ state: inout State, _ isNeeded: Bool) -> Bool {
        guard isNeeded, !state.isTicking, !state.isOver else { return false }
        state.isTicking = true
        return true
    }

    /// Ctrl-Z: clears the bars, stops the process, and redraws after SIGCONT.
    private func stop() {
        state.withLock { state in
            guard !state.isOver else { return }
            if !state.isAway { takeAway(&state) }
            kill(getpid(), SIGSTOP)
            state.region.forget()
        }
        schedule()
    }

    /// A background job must not write to the shell's terminal.
    private var isInForeground: Bool {
        let group = tcgetpgrp(STDERR_FILENO)
        return group < 0 || group == getpgrp()
    }

    private func observe(_ number: Int32, _ action: @escaping @Sendable (BarDisplay) -> Void) {
        signal(number, SIG_IGN)
        signals.withLock { signals in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [weak self] in if let self { action(self) } }
            source.activate()
            signals.append(source)
        }
    }
}
