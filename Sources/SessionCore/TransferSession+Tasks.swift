// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// Keeping tasks: their names, their turns, their deadlines.
extension TransferSession {
    func add<Task: TransferTask>(
        _ request: TransferRequest, _ payload: TaskDriver.Payload,
        _ events: (@Sendable (TaskEvent) -> Void)?, _ make: (Int, any TaskCarrier) -> Task
    ) -> Task {
        let listener: TaskObserver.Listener = events.map { .closure($0) } ?? .delegate
        let observer = TaskObserver(listener: listener, outbox: outbox)
        let identifier = guarded.withLock { guarded in
            defer { guarded.nextIdentifier += 1 }
            return guarded.nextIdentifier
        }
        let (carrier, obstacle) = carrier(identifier, request, payload, observer)
        let task = make(identifier, carrier)
        let (isRefused, audience) = guarded.withLock { guarded in
            guarded.tasks[identifier] = task
            // What another process carries out is timed there.
            if carrier is TaskDriver {
                guarded.deadlines.add(
                    identifier, limit: request.options.resourceTimeout ?? configuration.resourceTimeout)
            }
            return (guarded.isInvalidated, guarded.audience.task)
        }
        audience?.session(self, didCreate: task)
        let refusal =
            isRefused ? TransferError(.usage, "the session has been invalidated and takes no more tasks") : obstacle
        if let refusal { carrier.fail(refusal) }
        return task
    }

    /// The task has been suspended, or resumed.
    /// - Parameter turn: rises with each change of the task.
    func suspensionChanged(of identifier: Int, isSuspended: Bool, turn: Int) {
        let now = scheduler.now
        let wakeUp = guarded.withLock { guarded -> Double? in
            if isSuspended { guarded.deadlines.stop(identifier, turn: turn, now: now) }
            return isSuspended ? nil : guarded.deadlines.start(identifier, turn: turn, now: now)
        }
        checkDeadlines(at: wakeUp)
    }

    private func checkDeadlines(at time: Double?) {
        if let time { scheduler.schedule(at: time) { [weak self] in self?.checkDeadlines() } }
    }

    private func checkDeadlines() {
        let now = scheduler.now
        let (late, wakeUp) = guarded.withLock { guarded in
            let (passed, next) = guarded.deadlines.passed(at: now)
            return (passed.compactMap { guarded.tasks[$0] }, next)
        }
        checkDeadlines(at: wakeUp)
        for task in late {
            let limit = task.originalRequest.options.resourceTimeout ?? configuration.resourceTimeout
            let moved = task.progress
            task.carrier.fail(
                TransferError(
                    .timedOut,
                    "\(task.originalRequest.url.authority): resource timeout: not done within "
                        + "\(TransferError.seconds(limit)) (\(moved.received) bytes received, \(moved.sent) sent)",
                    fields: .init(host: task.originalRequest.url.authority, timer: .resource)))
        }
    }

    /// The task has told its end; on the delegate queue.
    func taskEnded(_ identifier: Int) {
        let (task, isLast) = guarded.withLock { guarded in
            guarded.deadlines.remove(identifier)
            let task = guarded.tasks.removeValue(forKey: identifier)
            return (task, guarded.isOver)
        }
        // Delegates often hold their tasks.
        task?.carrier.forgetDelegate()
        if isLast { end() }
    }

    /// From now on the task of this identifier is a download.
    func becameDownload(_ driver: TaskDriver) {
        let download = DownloadTask(identifier: driver.identifier, carrier: driver)
        let former = guarded.withLock { guarded in
            // One that has ended meanwhile stays ended.
            let former = guarded.tasks[driver.identifier]
            if former != nil { guarded.tasks[driver.identifier] = download }
            return former
        }
        guard let former else { return }
        driver.announce([.becameDownload(former: former, download)])
    }

    // MARK: Turns

    /// - Returns: whether the task has its slot; otherwise its driver's `launch()` is called when it has.
    func enterGate(_ identifier: Int, host: String, priority: Double) -> Bool {
        guarded.withLock { $0.gate.enter(identifier, host: host, priority: priority) }
    }

    /// - Returns: who has a slot now: to be launched without any lock.
    func leaveGate(_ identifier: Int) -> [TaskDriver] {
        guarded.withLock { guarded in guarded.gate.leave(identifier).compactMap { guarded.tasks[$0]?.driver } }
    }

    /// The exchange's connection is there already.
    func takePlaceAnyway(_ identifier: Int, host: String) {
        guarded.withLock { $0.gate.takeAnyway(identifier, host: host) }
    }

    func changePriority(of identifier: Int, to priority: Double) {
        guarded.withLock { $0.gate.setPriority(identifier, priority) }
    }

    /// What a host speaks says how many exchanges it bears at once.
    func noteProtocol(_ name: String, host: String) {
        guard name == "h2" || name == "h3" else { return }
        let next = guarded.withLock { guarded in
            guarded.gate.setLimit(forHost: host, 100).compactMap { guarded.tasks[$0]?.driver }
        }
        for driver in next { driver.launch() }
    }

    func afterGrace(_ work: @escaping @Sendable () -> Void) {
        scheduler.schedule(at: scheduler.now + configuration.suspensionGrace, work)
    }
}
