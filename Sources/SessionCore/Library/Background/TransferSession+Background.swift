// SPDX-License-Identifier: MIT

public import Dispatch
import Synchronization
public import TransferModel

/// Sessions whose transfers another process carries.
extension TransferSession {
    /// A background session. Its tasks are those that earlier runs left, and the ends that nobody heard are told first.
    ///
    /// It takes downloads without a target, and uploads of files, told to a delegate; every other task completes at
    /// once with an error that says what to do instead. A task is the service's from its first
    /// ``TransferTask/resume()`` on. Redirects are followed, and no delegate is asked anything. A status of 400 and
    /// above is an error here, as there is no body to look at.
    /// - Parameter configuration: with an ``TransferConfiguration/identifier``, the one that `connector` was made for.
    public convenience init(
        configuration: TransferConfiguration, connector: any BackgroundConnector,
        delegate: (any TransferSessionDelegate)? = nil, delegateQueue: DispatchQueue? = nil,
        sessionDescription: String? = nil
    ) {
        // Tasks that are not handed over have failed before they could ask for it.
        let transport = FailingTransport(TransferError(.usage, "a background session makes no connections of its own"))
        self.init(configuration, transport, connector, delegate, delegateQueue, sessionDescription, SystemScheduler())
        let recovered = connector.recovered.map { adopted($0, as: $0.identifier, connector) }
        guarded.withLock { guarded in
            guarded.nextIdentifier = connector.nextIdentifier
            for task in recovered { guarded.tasks[task.identifier] = task }
        }
        connector.start { [weak self] in self?.hear($0) }
    }

    /// Returns when the service knows all that was said to this session so far: which tasks have been resumed, and
    /// which ends its delegate has been told. A program that ends before may find a task missing, or be told an end
    /// again. At once where the session is none in the background.
    /// - Throws: why the service cannot be reached now; `cancelled` where the caller is, or the session has ended.
    public func settle() async throws(TransferError) { try await connector?.settle() }

    /// Who does the work of a new task, and why it cannot be done.
    func carrier(
        _ identifier: Int, _ request: TransferRequest, _ payload: TaskDriver.Payload, _ observer: TaskObserver
    )
        -> (any TaskCarrier, obstacle: TransferError?)
    {
        func driver() -> TaskDriver {
            TaskDriver(identifier: identifier, request: request, payload: payload, observer: observer, session: self)
        }
        guard let connector else {
            // Such a session would lose its transfers with the program, against what its configuration says.
            let obstacle =
                configuration.identifier == nil
                ? nil
                : TransferError(
                    .usage, "a background session needs somebody who carries its transfers; make it with a connector")
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

    // MARK: What the connector tells

    private func hear(_ event: BackgroundEvent) {
        switch event {
        case .changed(let task, let snapshot): backgroundDriver(task)?.changed(snapshot)
        case .ended(let end): hear(end)
        case .refused(let task, let error): backgroundDriver(task)?.fail(error)
        case .caughtUp: outbox.post(CatchingUp(session: self))
        }
    }

    private func hear(_ end: BackgroundEnd) {
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

/// Tells, in its turn behind the ends that nobody had heard, that these were all.
private struct CatchingUp: Errand {
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
