// SPDX-License-Identifier: MIT

import CTerminal
import Platform
import TransferControl
import TransferModel

/// Sleeps until there is a key, a message, a signal or a countdown; then draws once. Otherwise it neither wakes nor
/// writes.
struct ProgramLoop {
    private let screen: Screen
    private let mailbox: Mailbox
    private let pump: EffectPump
    private let options: TerminalProgram.Options
    private var state: InterfaceState
    private var taskbar: TaskbarProgress?
    private var title: WindowTitle?
    private var notifier: Notifier?
    private var ending: TerminalProgram.Ending?
    /// The program that gets the screen after the end.
    private(set) var next: TerminalProgram?
    /// Monotonic time of the last byte from the keyboard.
    private var lastInput = 0.0
    private var burst = PasteBurst()
    private var poll = RatePoll()
    /// The transfer whose rates are asked for, too.
    private var graphed: TransferID?
    /// The number of reconnections of the queue's client that the log has.
    private var reconnections = 0
    private var watch = ServiceWatch(now: SystemClock.monotonic)
    private var notices = NoticeWatch()
    /// Behind the open dialog.
    private var backdrop: Grid?

    /// At most ten frames per second for messages; keys are drawn immediately.
    private static let frameInterval = 0.1
    /// The bytes of an unbracketed paste arrive without a longer pause.
    private static let burstPatience = 0.1

    /// - Parameter lines: earlier ones of the command line.
    init(
        screen: Screen, mailbox: Mailbox, pump: EffectPump, options: TerminalProgram.Options, _ lines: LineHistory
    ) {
        self.screen = screen
        self.mailbox = mailbox
        self.pump = pump
        self.options = options
        state = InterfaceState(options)
        state.earlierLines = lines
        taskbar = TaskbarProgress(environment: options.environment)
        title = WindowTitle(options.title, environment: options.environment)
        ct_set_farewell((taskbar != nil ? TaskbarProgress.cleared : "") + (title != nil ? WindowTitle.restored : ""))
        if title != nil { Self.write(WindowTitle.saved) }
        notifier = options.notify.flatMap {
            Notifier($0, environment: options.environment, failure: options.words.reason)
        }
        guard let notifier else { return }
        if notifier.needsFocus { screen.reportFocus() }
        pump.attend(notifier.attends)
    }

    /// The lines that were run, for the command line of the next program.
    var lines: LineHistory { state.earlierLines }

    mutating func run() -> TerminalProgram.Ending {
        takeSize()
        var nextFrame = 0.0
        var mustDraw = true
        while true {
            let now = SystemClock.monotonic
            // Checks the box, not the wake-up: messages from before the screen opened caused none.
            var hasNews = !mailbox.isEmpty
            if hasNews, now >= nextFrame {
                drainMailbox()
                hasNews = false
                mustDraw = true
                nextFrame = now + Self.frameInterval
            }
            if let ending { return ending }
            let isIdle = isIdle
            if let report = notifier?.report(at: SystemClock.wall, isIdle: isIdle) {
                ct_write(report, report.utf8.count)
            }
            if state.graphed != graphed {
                graphed = state.graphed
                if graphed != nil { poll.wantedSoon(at: now) }
            }
            if state.list.isLoaded, poll.asks(at: now, isActive: isMoving, step: state.graphStep) {
                pump.askRates(of: graphed)
            }
            if watch.asks(at: now, isActive: isActive) { pump.ask() }
            let silence = watch.silence(at: now)
            if silence != state.silence {
                state.now = SystemClock.wall
                state.setSilence(silence)
                mustDraw = true
            }
            if notices.isOver(state.fleetingNotice, at: now) {
                state.notice = nil
                notices.startAgain()
                mustDraw = true
            }
            if mustDraw { draw() }

            let found = Int(ct_wait(patience(frame: hasNews ? nextFrame - now : nil)))
            mustDraw = handleSignals()
            if found & CT_INPUT != 0 {
                lastInput = SystemClock.monotonic
                if readKeys(untilHangup: found & CT_HANGUP != 0) { mustDraw = true }
            } else if found & CT_HANGUP != 0 {
                ending = .terminalLost
            } else if found == 0 {
                state.now = SystemClock.wall
                act(on: state.dueEffects())
                mustDraw = true
            }
            // Measured from the last byte: other events also wake this loop.
            if burst.isCollecting, SystemClock.monotonic - lastInput >= Self.burstPatience {
                press(burst.end())
                mustDraw = true
            }
            if let ending { return ending }
        }
    }

    /// Milliseconds to sleep; -1 to wait for events only.
    private func patience(frame: Double?) -> Int32 {
        var shortest = frame
        if state.isCounting {
            let wall = SystemClock.wall
            shortest = min(shortest ?? 1, wall.rounded(.down) + 1 - wall)
        }
        if state.list.hasAges {
            let due = state.list.agesCountFrom + ListState.agePeriod - SystemClock.wall
            shortest = min(shortest ?? due, min(max(0.001, due), ListState.agePeriod))
        }
        let now = SystemClock.monotonic
        if burst.isCollecting { shortest = min(shortest ?? 1, max(0.001, lastInput + Self.burstPatience - now)) }
        if state.list.isLoaded, let next = poll.nextRequest(at: now, isActive: isMoving, step: state.graphStep) {
            shortest = min(shortest ?? next, max(0.001, next))
        }
        if let due = notifier?.dueIn(SystemClock.wall, isIdle: isIdle) {
            shortest = min(shortest ?? due, max(0.001, due))
        }
        if let due = notices.dueIn(now) { shortest = min(shortest ?? due, max(0.001, due)) }
        if let due = taskbar?.repeatsIn(now) { shortest = min(shortest ?? due, max(0.001, due)) }
        if let look = watch.nextCheck(at: now, isActive: isActive) {
            shortest = min(shortest ?? look, max(0.001, look))
        }
        return shortest.map { Int32(max(0, ($0 * 1000).rounded(.up))) } ?? -1
    }

    private var isMoving: Bool { state.list.tally[.running] > 0 }

    /// Whether updates are expected.
    private var isActive: Bool { state.list.tally.active > 0 }

    /// Whether nothing is left to do.
    private var isIdle: Bool { state.list.tally.active == 0 && state.list.tally[.queued] == 0 }

    private mutating func draw() {
        state.now = SystemClock.wall
        let (columns, rows, capabilities) = (screen.columns, screen.rows, screen.capabilities)
        if !state.hasDialog {
            backdrop = nil
        } else if backdrop.map({ $0.columns != columns || $0.rows != rows }) ?? true {
            backdrop = TerminalInterface.backdrop(state, columns: columns, rows: rows, capabilities: capabilities)
        }
        screen.show(render(state, columns: columns, rows: rows, capabilities: capabilities, over: backdrop))
        if let report = taskbar?.report(state.list.tally, at: SystemClock.monotonic) { Self.write(report) }
        if state.list.isLoaded, let report = title?.report(state.list.tally) { Self.write(report) }
    }

    /// Between frames.
    private static func write(_ sequence: String) { ct_write(sequence, sequence.utf8.count) }

    private mutating func suspend() {
        if title != nil { Self.write(WindowTitle.restored) }
        screen.suspend()
        guard title != nil else { return }
        Self.write(WindowTitle.saved)
        title?.forget()
    }

    private mutating func drainMailbox() {
        for message in mailbox.take() {
            if message.isFromQueue { watch.messageReceived(at: SystemClock.monotonic) }
            switch message {
            case .replied: break
            case .update(let update):
                state.now = SystemClock.wall
                state.receive(update)
                notifier?.receive(update, at: state.now)
                if case .snapshot = update, let count = options.reconnections?(), count > reconnections {
                    reconnections = count
                    state.reconnected()
                }
                if Self.concernsReport(update) { poll.wanted() }
            case .firstPage(let page):
                state.now = SystemClock.wall
                state.receive(firstPage: page)
            case .rates(let report): state.rates = RateFacts(report)
            case .refused(let text): state.notice = .init(text: text, isError: true)
            case .added(let outcome): state.receive(outcome)
            case .outlook(let outlook, let serial): act(on: state.receive(outlook, serial: serial))
            case .edited(let outcome): state.receive(outcome)
            case .editOutlook(let outlook, let serial): act(on: state.receive(outlook, serial: serial))
            case .listed(let listing, let serial): state.receive(listing, serial: serial)
            case .details(let info): state.receive(info)
            case .noDetails(let id): state.detailsRefused(id)
            case .undone(let undone): state.receive(undone)
            case .nothingToUndo(let text): state.receive(nothingToUndo: text)
            case .ran(let line, let outcome):
                if let copy = outcome.copied.map(ClipboardReport.sequence) { ct_write(copy, copy.utf8.count) }
                state.receive(outcome, of: line)
            case .history(let entries, let place, let limit): state.receive(entries, before: place, limit: limit)
            case .noHistory(let text): state.list.history.refused(text)
            case .log(let page, let query): state.receive(page, of: query)
            case .noLog(let isFinal): state.log.feed.failed(isFinal: isFinal)
            case .found(let transfers): state.receive(found: transfers)
            case .lost(let isLost): state.setLost(isLost)
            // Unless the command line was closed meanwhile, or runs another line: the connection then ends unused.
            case .switched(let program, let line): if state.awaits(line) { leave(for: program) }
            case .queueEnded: ending = .queueEnded
            }
        }
        act(on: state.dueEffects())
    }

    /// The terminal gets its title back before the next program saves it.
    private mutating func leave(for program: TerminalProgram) {
        if taskbar != nil { Self.write(TaskbarProgress.cleared) }
        if title != nil { Self.write(WindowTitle.restored) }
        next = program
        ending = .quit
    }

    /// Whether a report of rates has something new after it: limits, or the network.
    private static func concernsReport(_ update: QueueUpdate) -> Bool {
        switch update {
        case .limits: true
        case .events(let events): events.contains { $0.name == .waiting || $0.name == .retrying }
        case .snapshot, .order, .removed: false
        }
    }

    /// - Returns: whether to draw.
    private mutating func readKeys(untilHangup: Bool) -> Bool {
        let (keys, reports, hasInput) = screen.keys()
        if !hasInput, untilHangup { ending = .terminalLost }
        var looksDifferent = false
        for report in reports where take(report) { looksDifferent = true }
        // In a prompt, letters are text.
        press(state.takesBursts || burst.isCollecting ? burst.take(keys, onList: state.mode.addForm == nil) : keys)
        return !keys.isEmpty || looksDifferent
    }

    /// - Returns: whether to draw.
    private mutating func take(_ report: Screen.Report) -> Bool {
        switch report {
        case .focus(let hasFocus):
            notifier?.hasFocus = hasFocus
            if let notifier { pump.attend(notifier.attends) }
            return false
        case .scheme(let isDark):
            screen.recolour(isDark ? .dark : .light)
            return true
        case .reply(let reply): return screen.receive(reply)
        }
    }

    private mutating func press(_ keys: [Key]) {
        if !keys.isEmpty {
            watch.wanted()
            notices.startAgain()
        }
        for key in keys where ending == nil {
            state.now = SystemClock.wall
            act(on: state.press(key))
            act(on: state.dueEffects())
        }
    }

    private mutating func act(on effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .redraw: screen.redraw()
            case .suspend:
                suspend()
                takeSize()
            case .quit(isConfirmed: false):
                if let question = options.quitNotice(state.snapshot) {
                    state.ask(.quit, text: question + " ")
                } else {
                    ending = .quit
                }
            case .quit(isConfirmed: true): ending = .quit
            case .perform, .add, .edit, .setLimits, .hold, .undo, .run, .history, .log, .find, .inform,
                .lookAhead, .lookAheadOfEdit, .list, .open, .on:
                pump.send(effect)
            case .copy(let text):
                Self.write(ClipboardReport.sequence(text))
            }
        }
    }

    private mutating func handleSignals() -> Bool {
        let number = ct_ending_signal()
        if number != 0 { ending = .terminated(signal: number) }
        let signals = Int(ct_take_signals())
        guard signals != 0 else { return false }
        if signals & CT_SIGNAL_SUSPEND != 0 {
            suspend()
        } else if signals & CT_SIGNAL_CONTINUE != 0 {
            screen.resume()
        } else {
            screen.resize()
        }
        takeSize()
        return true
    }

    private mutating func takeSize() { state.resize(columns: screen.columns, rows: screen.rows) }
}

extension InterfaceState {
    /// Where a view of the configuration has no key.
    private var keysOfViews: Notice? {
        let own = list.views.filter { $0.ownPlace != nil }
        guard own.contains(where: { setup.keyMap.key($0.action) == nil }) else { return nil }
        let texts = own.map { view in
            let title = list.title(view)
            let line = "\(setup.keyMap.label(.command)) view \(title)"
            return setup.keyMap.key(view.action).map { "\($0) shows \(title)" } ?? "\(line) shows the other"
        }
        return Notice(text: texts.joined(separator: ", "))
    }

    init(_ options: TerminalProgram.Options) {
        self.init()
        setup = InterfaceSetup(
            title: options.title, isReadOnly: options.isReadOnly, commandLine: options.commandLine,
            canEdit: options.edit != nil, canOpen: options.open != nil,
            vocabulary: options.run == nil ? CommandVocabulary() : options.vocabulary,
            changesMachine: options.on != nil, words: options.words,
            homeFolder: options.homeFolder, workingFolder: options.workingFolder, saveFolder: options.saveFolder,
            clock: options.clock, keyMap: options.keyMap, machine: options.machine)
        (list.grouping, list.ownViews) = (options.grouping, options.ownViews)
        (listColumns, panePlace) = (options.listColumns, options.panePlace)
        (list.view, list.listOrder) = (list.views.contains(options.view) ? options.view : .now, options.order)
        if list.view == .history { list.history.opened() }
        notice = options.warning.map { Notice(text: $0, isError: true) } ?? keysOfViews
        for mistake in options.mistakes { log.add(.error, mistake, at: SystemClock.wall) }
    }
}
