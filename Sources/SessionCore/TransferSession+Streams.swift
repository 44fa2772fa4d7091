// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
public import TransferModel

/// Stream tasks of a session.
extension TransferSession {
    /// A task that reads and writes bytes on a dedicated connection to `host`, created suspended.
    ///
    /// The session's timeouts, proxies, interface and TLS limits apply to it. It ends with the session's invalidation.
    /// - Throws: code `malformedURL` for an invalid host or port, `usage` if the session has been invalidated or its
    ///   transport has no streams.
    public func streamTask(host: String, port: Int, isSecure: Bool = false) throws(TransferError) -> StreamTask {
        guard let streams = transport as? any StreamTransport else {
            throw TransferError(.sessionNoStreams)
        }
        var route = try StreamTask.route(host: host, port: port, isSecure: isSecure)
        route.connectTimeout = configuration.connectTimeout
        route.requestTimeout = configuration.requestTimeout
        route.proxy = try proxies.server(for: route.url)
        route.interface = configuration.interface
        route.minimumTLS = configuration.minimumTLSVersion
        route.maximumTLS = configuration.maximumTLSVersion
        if guarded.withLock({ $0.isInvalidated }) {
            throw TransferError(.sessionInvalidated)
        }
        return addStream(route, over: streams)
    }

    /// The stream tasks that have not completed; ``tasks`` has all others.
    public var streamTasks: [StreamTask] {
        guarded.withLock { $0.streams.values.sorted { $0.identifier < $1.identifier } }
    }

    /// A stream that provides the response of `driver` has no other direction. After the task has become it.
    func closeWriting(of stream: StreamTask, _ driver: TaskDriver) {
        outbox.post(
            Inquiry(identifier: driver.identifier, session: self) { [self] _ in
                streamReported(.writeClosed, stream.identifier)
            })
    }

    func addStream(_ route: Exchange, over streams: any StreamTransport) -> StreamTask {
        let identifier = guarded.withLock { guarded in
            defer { guarded.nextIdentifier += 1 }
            return guarded.nextIdentifier
        }
        let task = StreamTask(
            identifier: identifier, route: route, transport: streams, queue: delegateQueue, scheduler: scheduler
        ) {
            [weak self] event in self?.streamReported(event, identifier)
        }
        guarded.withLock { $0.streams[identifier] = task }
        post { [weak self] _ in
            self?.noteStreamSources()
            self?.observeSoon()
        }
        return task
    }

    /// Records the local address of each stream's connection, once changes are observed. On the executor.
    func noteStreamSources() {
        let known = core.assumeIsolated { $0.streamSources }
        for (identifier, task) in guarded.withLock({ $0.streams }) where known[identifier] == nil {
            guard let source = sourceAddress(to: task.peer) else { continue }
            core.assumeIsolated { $0.streamSources[identifier] = source }
        }
    }

    /// The system prefers another route: announced to each running stream whose peer it leads to. On the executor.
    func announceBetterRoutes() {
        let known = core.assumeIsolated { $0.streamSources }
        for (identifier, task) in guarded.withLock({ $0.streams }) where task.state == .running {
            guard let before = known[identifier], let source = sourceAddress(to: task.peer), source != before else {
                continue
            }
            core.assumeIsolated { $0.streamSources[identifier] = source }
            delegateQueue.async { [self] in
                let (isThere, audience) = guarded.withLock { ($0.streams[identifier] != nil, $0.audience.session) }
                if isThere { (audience as? any TransferStreamDelegate)?.session(self, betterRouteDiscoveredFor: task) }
            }
        }
    }

    /// On the delegate queue.
    private func streamReported(_ event: StreamEvent, _ identifier: Int) {
        let (task, audience) = guarded.withLock { ($0.streams[identifier], $0.audience.session) }
        guard let task else { return }
        let delegate = audience as? any TransferStreamDelegate
        switch event {
        case .readClosed: delegate?.session(self, readClosedFor: task)
        case .writeClosed: delegate?.session(self, writeClosedFor: task)
        case .completed(let error):
            delegate?.session(self, streamTask: task, didComplete: error)
            let isLast = guarded.withLock { guarded in
                guarded.streams[identifier] = nil
                return guarded.isOver
            }
            post { $0.streamSources[identifier] = nil }
            if isLast { end() }
        }
    }
}
