// SPDX-License-Identifier: MIT

package import Dispatch
import Synchronization
public import TransferModel

/// Sessions whose transfers run in another process.
extension TransferSession {
    /// A background session, with the unfinished tasks of earlier runs. Undelivered ends come first.
    ///
    /// Supports downloads without a target, and uploads of files, with a delegate; every other task completes
    /// immediately with an error that names the alternative. A task belongs to the service from its first
    /// ``TransferTask/resume()`` on. Redirects are followed, and no delegate is asked. A status of 400 and above is an
    /// error, since there is no body to inspect.
    /// - Parameter configuration: with the ``TransferConfiguration/identifier`` of `connector`.
    package convenience init(
        configuration: TransferConfiguration, connector: any BackgroundConnector,
        delegate: (any TransferSessionDelegate)? = nil, delegateQueue: DispatchQueue? = nil,
        sessionDescription: String? = nil
    ) {
        // Tasks that were not added fail first.
        let transport = FailingTransport(TransferError(.backgroundConnections))
        self.init(
            configuration, transport, connector, Audience(delegate), delegateQueue, sessionDescription,
            SystemScheduler())
        let recovered = connector.recovered.map { adopted($0, as: $0.identifier, connector) }
        guarded.withLock { guarded in
            guarded.nextIdentifier = connector.nextIdentifier
            for task in recovered { guarded.tasks[task.identifier] = task }
        }
        connector.start { [weak self] in self?.handle($0) }
    }

    /// Returns when the service has all calls of this session so far: resumed tasks, and acknowledged ends. A program
    /// that exits earlier may lose a task, or receive an end again. Immediately for other sessions.
    /// - Throws: why the service is unreachable; `cancelled` if the caller was cancelled, or the session has ended.
    public func waitUntilStored() async throws(TransferError) { try await connector?.waitUntilStored() }

    /// The driver of a new task, or why it cannot run.
    func carrier(
        _ identifier: Int, _ request: TransferRequest, _ payload: TaskDriver.Payload, _ observer: TaskObserver
    )
        -> (any TaskCarrier, obstacle: TransferError?)
    {
        func driver() -> TaskDriver {
            TaskDriver(identifier: identifier, request: request, payload: payload, observer: observer, session: self)
        }
        guard let connector else {
            // Such a session would lose its transfers with the program, contrary to its configuration.
            let obstacle =
                configuration.identifier == nil
                ? nil
                : TransferError(.backgroundNoConnector)
            return (driver(), obstacle)
        }
        var hasClosure = false
        if case .closure = observer.listener { hasClosure = true }
        do throws(TransferError) {
            let work = try BackgroundRules.work(payload, hasClosure: hasClosure)
            return (
                BackgroundDriver(
                    identifier: identifier, request: request, work: work, connector: connector, observer: observer,
                    session: self), nil
            )
        } catch {
            return (driver(), error)
        }
    }

    private func adopted(
        _ task: BackgroundTask, as identifier: Int, _ connector: any BackgroundConnector
    ) -> TransferTask {
        let observer = TaskObserver(listener: .delegate, outbox: outbox)
        let driver = BackgroundDriver(
            task, identifier: identifier, connector: connector, observer: observer, session: self)
        return switch task.snapshot.kind {
        case .download: DownloadTask(identifier: identifier, carrier: driver)
        case .upload: UploadTask(identifier: identifier, carrier: driver)
        }
    }

    // MARK: Events of the connector

    private func handle(_ event: BackgroundEvent) {
        switch event {
        case .changed(let task, let snapshot): backgroundDriver(task)?.changed(snapshot)
        case .ended(let end): handle(end)
        case .refused(let task, let error): backgroundDriver(task)?.fail(error)
        case .caughtUp: outbox.post(CatchingUp(session: self))
        }
    }

    private func handle(_ end: BackgroundEnd) {
        guard let connector else { return }
        if let known = end.task {
            guard let driver = backgroundDriver(known) else { return connector.delivered(end) }
            return driver.ended(end)
        }
        let own = end.origin.identifier
        let identifier = guarded.withLock { guarded in
            let identifier = guarded.tasks[own] == nil ? own : guarded.nextIdentifier
            guarded.nextIdentifier = max(guarded.nextIdentifier, identifier + 1)
            return identifier
        }
        let task = adopted(end.origin, as: identifier, connector)
        guarded.withLock { $0.tasks[identifier] = task }
        (task.carrier as? BackgroundDriver)?.ended(end)
    }

    private func backgroundDriver(_ task: Int) -> BackgroundDriver? {
        guarded.withLock { $0.tasks[task]?.carrier } as? BackgroundDriver
    }
}

/// Reports, after all undelivered ends, that they are complete.
private struct CatchingUp: DelegateJob {
    var session: TransferSession

    func carryOut() {
        session.delegate?.sessionDidFinishEvents(forBackgroundSession: session)
        let isOver = session.guarded.withLock { guarded in
            guarded.isCaughtUp = true
            return guarded.isOver
        }
        if isOver { session.end() }
    }
}
