// SPDX-License-Identifier: MIT

import CSimulation
import Glibc
import TransferTesting

/// One thread, one clock: what code under simulation enqueues anywhere runs here, in an order that the seed decides.
///
/// Each dispatch queue is a line; its jobs keep their order unless the queue is concurrent. Of all lines with a job
/// that is due, the seed picks one. Time passes only when no job is due.
final class Machine: @unchecked Sendable {  // Used on one thread.
    private struct Job {
        var block: UnsafeMutableRawPointer
        var due: Double
    }

    /// What all queues of one label have in common.
    private final class Kind {
        let label: String
        /// Of the label, for the trace.
        let key: UInt64
        let isConcurrent: Bool
        /// The thread that enqueues a job waits for it.
        let isAwaited: Bool

        init(_ label: String) {
            self.label = label
            isAwaited = label == "fileq.user-files"
            key = Machine.key(label.utf8)
            isConcurrent = Self.concurrent.contains(label) || label.hasPrefix("com.apple.root")
        }

        private static let concurrent = ["fileq.queue.background", "fileq.session.files"]
    }

    /// Queues come and go with each job.
    private func kind(of queue: UnsafeMutableRawPointer) -> Kind {
        guard let label = csimulation_label(queue) else { return Kind("") }
        let key = Self.key(UnsafeRawBufferPointer(start: label, count: strlen(label)))
        if let known = kinds[key] { return known }
        let kind = Kind(String(cString: label))
        kinds[key] = kind
        return kind
    }

    private final class Line {
        let queue: UnsafeMutableRawPointer
        let kind: Kind
        var label: String { kind.label }
        var key: UInt64 { kind.key }
        var isConcurrent: Bool { kind.isConcurrent }
        var jobs: [Job] = []
        var isRunning = false

        init(_ queue: UnsafeMutableRawPointer, _ kind: Kind) { (self.queue, self.kind) = (queue, kind) }

        /// Whether a job could begin.
        func isReady(at now: Double) -> Bool {
            if isConcurrent { return jobs.contains { $0.due <= now } }
            guard !isRunning, let first = jobs.first else { return false }
            return first.due <= now
        }
    }

    private static func key(_ label: some Sequence<UInt8>) -> UInt64 {
        label.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static let taskKey = key("task".utf8)
    private static let timerKey = key("timer".utf8)

    private struct Timer {
        var time: Double
        var number: Int
        var label: String
        var work: () -> Void

        func isBefore(_ other: Timer) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// Seconds on the virtual monotonic clock.
    private(set) var now = 1000.0
    /// Since 1970; may be set.
    var wallOffset = 1_800_000_000.0
    var random: SeededRandom
    let trace: Trace
    /// Of a hundred jobs, how many wait, and for how long at most.
    var slowness = (percent: 0, seconds: 0.0)
    private(set) var steps = 0
    private var lines: [Line] = []
    private var kinds: [UInt64: Kind] = [:]
    private var swiftJobs: [UnsafeMutableRawPointer] = []
    private var timers: [Timer] = []
    private var nextTimer = 0
    private var isDropping = false
    /// Tasks end that were waiting for updates.
    private var isEndingTasks = false
    private var hanging = 0
    /// Lines whose jobs are being run, innermost last.
    private var running: [Line] = []
    /// Called between two jobs of the engine; changes nothing.
    var watch: (() -> Void)?, isWatching = false

    init(seed: UInt64, trace: Trace) {
        random = SeededRandom(seed)
        self.trace = trace
    }

    var wallNow: Double { now + wallOffset }

    // MARK: Enqueuing

    func enqueue(_ queue: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer) {
        guard !isDropping else { return csimulation_drop(queue, block) }
        guard !kind(of: queue).isAwaited else { return csimulation_run(queue, block) }
        let line = line(queue)
        var due = now
        if slowness.percent > 0, Int.random(in: 0..<100, using: &random) < slowness.percent {
            due += Double.random(in: 0...slowness.seconds, using: &random)
        }
        if !line.isConcurrent, let last = line.jobs.last { due = max(due, last.due) }
        line.jobs.append(Job(block: block, due: due))
    }

    func enqueue(at time: Double, _ queue: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer) {
        guard !isDropping else { return csimulation_drop(queue, block) }
        let held = Held(queue, block)
        schedule(at: time, "after") { [self] in
            guard let (queue, block) = held.take() else { return }
            enqueue(queue, block)
        }
    }

    /// A block whose time has not come; dropped with the timer.
    private final class Held {
        private var content: (UnsafeMutableRawPointer, UnsafeMutableRawPointer)?

        init(_ queue: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer) { content = (queue, block) }

        func take() -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer)? {
            defer { content = nil }
            return content
        }

        deinit { if let (queue, block) = content { csimulation_drop(queue, block) } }
    }

    func enqueue(job: UnsafeMutableRawPointer) {
        if !isDropping || isEndingTasks { swiftJobs.append(job) }
    }

    /// - Parameter label: of the trace.
    func schedule(at time: Double, _ label: String, _ work: @escaping () -> Void) {
        guard !isDropping else { return }
        nextTimer += 1
        timers.append(Timer(time: max(time, now), number: nextTimer, label: label, work: work))
        var child = timers.count - 1
        while child > 0, case let parent = (child - 1) / 2, timers[child].isBefore(timers[parent]) {
            timers.swapAt(child, parent)
            child = parent
        }
    }

    private func popTimer() -> Timer {
        timers.swapAt(0, timers.count - 1)
        let first = timers.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < timers.count && timers[child].isBefore(timers[least]) { least = child }
            if least == parent { return first }
            timers.swapAt(parent, least)
            parent = least
        }
    }

    private func line(_ queue: UnsafeMutableRawPointer) -> Line {
        if let index = lines.firstIndex(where: { $0.queue == queue }) {
            let found = lines[index]
            // Without jobs, its queue may be gone, and another have its address.
            if !found.jobs.isEmpty || found.isRunning { return found }
            lines.remove(at: index)
        }
        let line = Line(queue, kind(of: queue))
        lines.append(line)
        return line
    }

    // MARK: Running

    /// Runs the next step.
    /// - Returns: false if nothing is left, or nothing before `end`.
    func step(until end: Double) -> Bool {
        lines.removeAll { $0.jobs.isEmpty && !$0.isRunning }
        let ready = lines.reduce(0) { $0 + ($1.isReady(at: now) ? 1 : 0) }
        let choices = ready + swiftJobs.count + (timers.first.map { $0.time <= now } == true ? 1 : 0)
        guard choices > 0 else { return skip(until: end) }
        steps += 1
        let choice = choices == 1 ? 0 : Int.random(in: 0..<choices, using: &random)
        if choice < ready {
            var left = choice
            for line in lines where line.isReady(at: now) {
                if left == 0 {
                    run(line)
                    break
                }
                left -= 1
            }
        } else if choice < ready + swiftJobs.count {
            let job = swiftJobs.remove(at: choice - ready)
            trace.step(now, "task", Self.taskKey)
            csimulation_run_job(job)
        } else {
            let timer = popTimer()
            trace.step(now, timer.label, Self.timerKey)
            timer.work()
        }
        return true
    }

    /// Nothing is due now: time passes.
    private func skip(until end: Double) -> Bool {
        var next = timers.first?.time ?? .infinity
        for line in lines where line.isConcurrent || !line.isRunning {
            for job in line.isConcurrent ? line.jobs[...] : line.jobs.prefix(1) { next = min(next, job.due) }
        }
        guard next <= end else { return false }
        now = max(now, next)
        return true
    }

    /// A call of the job under way does not return for so long, while everything else proceeds.
    func hang(_ seconds: Double) {
        let end = now + seconds
        hanging += 1
        while trace.violation == nil, step(until: end) {}
        hanging -= 1
        advance(to: end)
    }

    var pendingTimers: Int { timers.count }

    /// Whether such a call is under way, below on this stack.
    var isHanging: Bool { hanging > 0 }

    /// The label of the line whose job is under way, if any.
    var current: String? { running.last?.label }

    /// Nothing is due before.
    func advance(to time: Double) { now = max(now, time) }

    private func run(_ line: Line) {
        var index = 0
        if line.isConcurrent {
            let ready = line.jobs.indices.filter { line.jobs[$0].due <= now }
            index = ready[Int.random(in: 0..<ready.count, using: &random)]
        }
        let job = line.jobs.remove(at: index)
        trace.step(now, line.label, line.key)
        run(job, of: line)
    }

    private func run(_ job: Job, of line: Line) {
        let wasRunning = line.isRunning
        line.isRunning = true
        running.append(line)
        csimulation_run(line.queue, job.block)
        running.removeLast()
        line.isRunning = wasRunning
        guard !wasRunning, line.label == "fileq.engine", let watch else { return }
        isWatching = true
        watch()
        isWatching = false
    }

    /// dispatch_sync: everything that was enqueued before runs first.
    func drain(_ queue: UnsafeMutableRawPointer) {
        guard !isWatching, let line = lines.first(where: { $0.queue == queue }), !line.isConcurrent else { return }
        guard !line.isRunning else {
            trace.violate("deadlock", "a job of \(line.label) waits for its own queue")
            return
        }
        while !line.jobs.isEmpty {
            let job = line.jobs.removeFirst()
            trace.step(now, line.label, line.key)
            run(job, of: line)
        }
    }

    /// Drops everything that is enqueued or scheduled, as the end of a process does.
    func drop() {
        isDropping = true
        while !lines.isEmpty || !timers.isEmpty {
            let (oldLines, oldTimers) = (lines, timers)
            (lines, timers) = ([], [])
            for line in oldLines { for job in line.jobs { csimulation_drop(line.queue, job.block) } }
            _ = oldTimers
        }
        // Their tasks are never freed.
        swiftJobs = []
        isDropping = false
    }

    /// Lets tasks of a process that has ended come to their end, as far as they react to being cancelled: what they
    /// own is freed. Nothing that they or `body` enqueue runs.
    func end(_ tasks: [Task<Void, Never>], _ body: () -> Void) {
        (isDropping, isEndingTasks) = (true, true)
        body()
        for task in tasks { task.cancel() }
        while !swiftJobs.isEmpty { csimulation_run_job(swiftJobs.removeFirst()) }
        (isDropping, isEndingTasks) = (false, false)
    }
}
