// SPDX-License-Identifier: MIT

import Dispatch
import Platform
package import SessionCore
import Synchronization
package import TransferControl
import TransferModel

/// Keeps the machine from suspending while transfers move bytes, by a program that does so until its standard input
/// ends: also if this process is killed. From any thread; no call waits for the program.
///
/// If the program fails, that is reported once, and it is started again only when transfers begin again.
package final class SleepInhibitor: Sendable {
    /// The program, from this process's point of view.
    private struct Running: Sendable {
        let process: Child
        /// Its output and errors.
        let output: Descriptor
        let watch: DescriptorWatch
        /// Ends the program when it is closed; `nil` after that.
        var input: Descriptor?
        var text: [UInt8] = []
    }

    private struct State {
        var hold: WakeHold
        /// `nil` after its end. Changed on ``SleepInhibitor/queue``.
        var program: Running?
        var problem: String?
        /// The latest problem that was reported.
        var reported: String?
    }

    /// Output that is stored; the rest is read and discarded.
    private static let maximumText = 1024

    private let words: [String]
    private let scheduler: any Scheduler
    private let report: @Sendable (String) -> Void
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "fileq.sleep", qos: .utility)

    /// - Parameters:
    ///   - words: the program, looked up in `PATH`, and its arguments.
    ///   - report: receives why the machine may suspend although transfers run.
    package init(
        _ words: [String], isEnabled: Bool = true, scheduler: any Scheduler = SystemScheduler(),
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.words, self.scheduler, self.report) = (words, scheduler, report)
        var hold = WakeHold()
        hold.isEnabled = isEnabled
        state = Mutex(State(hold: hold))
    }

    package var status: SleepStatus {
        state.withLock { state in
            SleepStatus(
                enabled: state.hold.isEnabled, prevented: state.program?.input != nil,
                problem: state.hold.isEnabled ? state.problem : nil)
        }
    }

    package func setEnabled(_ isEnabled: Bool) { change { $0.isEnabled = isEnabled } }

    /// - Parameter isBusy: whether any transfer moves bytes. One caller at a time, however often.
    func setBusy(_ isBusy: Bool) {
        guard state.withLock({ $0.hold.isBusy }) != isBusy else { return }
        change { $0.isBusy = isBusy }
    }

    /// - Parameter time: of the timer that calls this; it may be early by the precision of its clock.
    private func change(at time: Double = 0, _ body: (inout WakeHold) -> Void = { _ in }) {
        let now = max(scheduler.now, time)
        let step = state.withLock { state -> WakeHold.Step in
            body(&state.hold)
            return state.hold.evaluate(at: now)
        }
        switch step {
        case .none: break
        case .hold, .release: queue.async { [self] in startOrEnd() }
        case .wait(let end): scheduler.schedule(at: end) { [weak self] in self?.change(at: end) }
        }
    }

    // MARK: The program, on the queue

    private func startOrEnd() {
        let starts = state.withLock { state -> Bool in
            if !state.hold.isHeld { state.program?.input = nil }
            // One that is ending comes back here.
            return state.hold.isHeld && state.program == nil
        }
        if starts { start() }
    }

    private func start() {
        do throws(SystemError) {
            let (input, writing) = try Descriptor.pipe()
            let (reading, output) = try Descriptor.pipe()
            let watch = try DescriptorWatch(reading.number, on: queue) { [self] _ in outputChanged() }
            let streams: [Spawn.Stream] = [.descriptor(input), .descriptor(output), .descriptor(output)]
            let process: Child
            do throws(SystemError) {
                // In a session of its own: no Ctrl-C reaches it, and it cannot ask for a password.
                process = try Spawn(words, streams: streams, group: .session).start()
            } catch {
                watch.end()
                throw error
            }
            let program = Running(process: process, output: reading, watch: watch, input: writing)
            state.withLock { ($0.program, $0.problem) = (program, nil) }
            watch.notify(when: .reading)
        } catch {
            failed(SystemError.isMissing(error.errno) ? "is not there" : "cannot be started: \(error.text)")
        }
    }

    /// It has written something, or has ended.
    private func outputChanged() {
        guard let program = state.withLock({ $0.program }) else { return }
        let bytes = (try? program.output.read(upTo: Self.maximumText)) ?? []
        guard bytes.isEmpty else {
            if program.text.count < Self.maximumText { state.withLock { $0.program?.text += bytes } }
            program.watch.notify(when: .reading)
            return
        }
        program.watch.end()
        program.process.reap()
        state.withLock { $0.program = nil }
        guard program.input != nil else { return startOrEnd() }
        let line = TextLine.first(of: String(decoding: program.text, as: UTF8.self))
        failed(line.isEmpty ? "ended early" : "refuses: \(line)")
    }

    private func failed(_ what: String) {
        let problem = "\(words.first ?? "the program") \(what)"
        let isNew = state.withLock { state -> Bool in
            defer { state.reported = problem }
            state.problem = problem
            return state.reported != problem
        }
        if isNew { report(problem) }
    }
}
