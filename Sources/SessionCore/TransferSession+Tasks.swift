// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// The session's tasks: creation, slots, deadlines.
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
            return (guarded.isInvalidated, guarded.audience.task)
        }
        audience?.session(self, didCreate: task)
        let refusal =
            isRefused ? TransferError(.sessionInvalidated) : obstacle
        if let refusal { carrier.fail(refusal) }
        return task
    }

    /// Starts or stops the task's deadline.
    func suspensionChanged(of driver: TaskDriver, isSuspended: Bool) {
        let (identifier, now, limit) = (driver.identifier, scheduler.now, resourceTimeout(of: driver.originalRequest))
        let wakeUp = core.assumeIsolated { core -> Double? in
            if isSuspended { core.deadlines.stop(identifier, now: now) }
            return isSuspended ? nil : core.deadlines.start(identifier, limit: limit, now: now)
        }
        checkDeadlines(at: wakeUp)
    }

    func forgetDeadline(_ identifier: Int) { core.assumeIsolated { $0.deadlines.remove(identifier) } }

    private func resourceTimeout(of request: TransferRequest) -> Double {
        request.options.resourceTimeout ?? configuration.resourceTimeout
    }

    private func checkDeadlines(at time: Double?) {
        guard let time else { return }
        scheduler.schedule(at: time) { [weak self] in self?.post { [weak self] _ in self?.checkDeadlines() } }
    }

    private func checkDeadlines() {
        let now = scheduler.now
        let (late, wakeUp) = core.assumeIsolated { $0.deadlines.passed(at: now) }
        checkDeadlines(at: wakeUp)
        for driver in drivers(late) {
            let request = driver.originalRequest
            let moved = driver.progress
            let error = TransferError(
                .timedOut, .resourceTimeout, resourceTimeout(of: request), moved.received, moved.sent,
                host: request.url.authority, fields: .init(timer: .resource))
            driver.assumeIsolated { driver in driver.call { $0.fail(error) } }
        }
    }

    private func drivers(_ identifiers: [Int]) -> [TaskDriver] {
        if identifiers.isEmpty { return [] }
        return guarded.withLock { guarded in identifiers.compactMap { guarded.tasks[$0]?.driver } }
    }

    /// The task has delivered its end; on the delegate queue.
    func taskEnded(_ identifier: Int) {
        let (task, isLast) = guarded.withLock { guarded in
            let task = guarded.tasks.removeValue(forKey: identifier)
            return (task, guarded.isOver)
        }
        // Delegates often hold their tasks: this breaks the cycle.
        task?.carrier.forgetDelegate()
        if isLast { end() }
    }

    /// Replaces the task of this identifier by a download task.
    func becameDownload(_ driver: TaskDriver) {
        let download = DownloadTask(identifier: driver.identifier, carrier: driver)
        let former = guarded.withLock { guarded in
            // If it has ended meanwhile, it stays ended.
            let former = guarded.tasks[driver.identifier]
            if former != nil { guarded.tasks[driver.identifier] = download }
            return former
        }
        guard let former else { return }
        driver.observer.deliver([.becameDownload(former: former, download)], of: driver.identifier, session: self)
    }

    // MARK: Turns

    /// - Returns: whether the task has a slot; otherwise its driver's `launch()` is called when it has.
    func enterGate(_ identifier: Int, host: String, priority: Double) -> Bool {
        core.assumeIsolated { $0.gate.enter(identifier, host: host, priority: priority) }
    }

    /// - Returns: the tasks that have a slot now, to be launched.
    func leaveGate(_ identifier: Int) -> [TaskDriver] {
        drivers(core.assumeIsolated { $0.gate.leave(identifier) })
    }

    /// The exchange's connection exists already.
    func takeSlotAnyway(_ identifier: Int, host: String) {
        core.assumeIsolated { $0.gate.takeAnyway(identifier, host: host) }
    }

    func changePriority(of identifier: Int, to priority: Double) {
        core.assumeIsolated { $0.gate.setPriority(identifier, priority) }
    }

    /// The protocol of a host determines its limit of concurrent exchanges.
    func noteProtocol(_ name: String, host: String) {
        guard name == "h2" || name == "h3" else { return }
        for driver in drivers(core.assumeIsolated({ $0.gate.setLimit(forHost: host, 100) })) {
            driver.assumeIsolated { $0.launch() }
        }
    }
}
