// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
package import TransferModel

/// Finds the user's background service, and starts it if necessary.
package struct ServiceLauncher: Sendable {
    package var places: ServicePlaces
    package var options: ControlClient.Options
    /// The program to start, an absolute path.
    package var program: String
    package var arguments = ["service", "run", "--on-demand"]
    /// The service's environment; see ``surroundings(_:places:)``.
    package var environment: [String: String]
    /// Seconds for each step: a start, a stop, a start by another command.
    package var patience = 10.0
    /// Seconds to wait for a service without socket to recreate it.
    package var socketPatience = 5.0
    /// A report about the start of the service, passed to ``report``.
    package enum Report: Sendable {
        /// An existing service has not replied for more than a second. Once.
        case waiting(TransferError)
        /// A service that cannot be asked to end receives SIGTERM.
        case terminates(process: Int32)
    }

    /// Called on any thread; must not block.
    package var report: @Sendable (Report) -> Void = { _ in }
    /// Whether to replace an older service by this program's own.
    package var replacesOlder = true

    package init(places: ServicePlaces, options: ControlClient.Options, program: String, environment: [String: String])
    {
        self.places = places
        self.options = options
        self.program = program
        self.environment = environment
    }

    /// Connects to the service, and starts it if necessary. Concurrent callers, in any number of processes, start
    /// exactly one.
    /// - Throws: code `other` if none is running and `startsService` is false; the service's start-up error; `usage`
    ///   for a service of another user or of an incompatible version; `timedOut`.
    package func connect(startsService: Bool = true) async throws(TransferError) -> ControlClient {
        try places.checkSocket()
        var end = CallClock.system.now() + 2 * patience
        var missing = MissingSocket(patience: socketPatience)
        var hinderedSince: Double?
        var hasReported = false
        var hasReplaced = false
        var starts = 0
        var turn: StartLock?
        defer { withExtendedLifetime(turn) {} }
        while true {
            var reason: TransferError?
            switch try await meet() {
            case .service(let client):
                switch evaluate(client) {
                case .use: return client
                case .replace where startsService && !hasReplaced:
                    try await endService(client)
                    hasReplaced = true
                    end = CallClock.system.now() + 2 * patience
                    continue
                // Another starter has restarted the older one.
                case .replace where client.serviceProtocol == ControlProtocol.version: return client
                case .replace, .refuse:
                    let error = ControlClient.incompatible(
                        version: client.service.version, protocol: client.serviceProtocol)
                    client.close()
                    throw error
                }
            case .notNow(let error): reason = error
            case .noService:
                let holder = ServiceLock.holder(of: places.lock)
                if !startsService, holder == nil { throw Self.absent }
                if let holder {
                    // It is about to listen or to exit; or its socket was removed.
                    reason = Self.mute(holder)
                    if missing.isOver(holder, at: CallClock.system.now()) { throw Self.withoutSocket(holder) }
                } else if turn == nil {
                    try places.prepare()
                    turn = try StartLock(path: places.startLock)
                    // Another command may have started it meanwhile.
                    if turn != nil { continue }
                } else if starts < 3 {
                    try checkCrashes()
                    starts += 1
                    try await start()
                    continue
                } else {
                    reason = TransferError(.other, .serviceEndsAtOnce, places.log)
                }
            }
            guard CallClock.system.now() < end else {
                throw reason
                    ?? TransferError(.timedOut, .serviceStartedByOther, Int(2 * patience), variant: .serviceBusy)
            }
            if let reason, !hasReported {
                let since = hinderedSince ?? CallClock.system.now()
                hinderedSince = since
                if CallClock.system.now() - since > 1 {
                    hasReported = true
                    report(.waiting(reason))
                }
            }
            try await Self.pause()
        }
    }

    /// Connects to a running service of any version; `nil` if there is none.
    package func find() async throws(TransferError) -> ControlClient? {
        try places.checkSocket()
        let end = CallClock.system.now() + patience
        var missing = MissingSocket(patience: socketPatience)
        while true {
            switch try await meet() {
            case .service(let client): return client
            case .noService where ServiceLock.holder(of: places.lock) == nil: return nil
            case .noService:
                if let holder = ServiceLock.holder(of: places.lock), missing.isOver(holder, at: CallClock.system.now())
                {
                    throw Self.withoutSocket(holder)
                }
                guard CallClock.system.now() < end else {
                    throw ServiceLock.holder(of: places.lock).map(Self.mute) ?? Self.absent
                }
            case .notNow(let error): guard CallClock.system.now() < end else { throw error }
            }
            try await Self.pause()
        }
    }

    /// Stops a service, and returns when its process has released the queue.
    /// - Throws: code `timedOut` if it does not end in time.
    package func endService(_ client: ControlClient) async throws(TransferError) {
        let pid = client.service.pid
        // One that is just exiting may not reply.
        try? await client.shutDownService()
        let end = CallClock.system.now() + patience
        while let holder = ServiceLock.holder(of: places.lock), holder.pid ?? pid == pid {
            guard CallClock.system.now() < end else {
                client.close()
                throw TransferError(.timedOut, .serviceNotEnding, pid, Int(patience))
            }
            try await Self.pause()
        }
        client.close()
    }

    /// Stops the service that has the queue, of any version: by request, or, if its socket is missing or it does not
    /// reply, by SIGTERM to the process that holds the lock. Returns when the queue is free.
    /// - Returns: false if none is running.
    /// - Throws: code `timedOut` if the process does not end, or the lock's holder is not known for certain.
    package func stopService() async throws(TransferError) -> Bool {
        var asking = self
        asking.patience = min(patience, 3)
        asking.socketPatience = min(socketPatience, 1)
        (asking.options.callTimeout, asking.options.usesReservedConnection) = (min(options.callTimeout, 3), true)
        do throws(TransferError) {
            guard let client = try await asking.find() else { return false }
            try await asking.endService(client)
            return true
        } catch {
            guard ![.interrupted, .usage].contains(error.code) else { throw error }
            guard let holder = ServiceLock.holder(of: places.lock) else {
                // It ended during the request; other errors are not about a service.
                guard [.cannotConnect, .timedOut, .receiveFailed, .sendFailed].contains(error.code) else { throw error }
                return true
            }
            guard let pid = holder.pid, ServiceLock.isHeld(places.lock, by: pid) else { throw error }
            report(.terminates(process: pid))
            guard kill(pid, SIGTERM) == 0 || errno == ESRCH else { throw error }
            let end = CallClock.system.now() + patience
            while let now = ServiceLock.holder(of: places.lock), now.pid ?? pid == pid {
                guard CallClock.system.now() < end else {
                    throw TransferError(.timedOut, .serviceNotTerminating, pid, Int(patience))
                }
                try await Self.pause()
            }
            return true
        }
    }

    // MARK: Steps

    /// How long the lock's holder has not listened although it says so. No I/O.
    struct MissingSocket {
        let patience: Double
        private var since: Double?

        init(patience: Double) { self.patience = patience }

        /// - Returns: whether to give up.
        mutating func isOver(_ holder: ServiceLock.Holder, at now: Double) -> Bool {
            // One that has not listened yet may be loading a long queue.
            guard holder.socket != nil else {
                since = nil
                return false
            }
            since = since ?? now
            return now - (since ?? now) >= patience
        }
    }

    private enum Meeting {
        case service(ControlClient)
        case noService
        /// A service exists, but is busy or about to exit.
        case notNow(TransferError)
    }

    private func meet() async throws(TransferError) -> Meeting {
        // The holder listens where its own environment says, which may differ.
        let announced = ServiceLock.holder(of: places.lock)?.socket
        if let announced, announced != places.socket {
            let meeting = try await meet(at: announced)
            if case .noService = meeting {} else { return meeting }
        }
        return try await meet(at: places.socket)
    }

    private func meet(at path: String) async throws(TransferError) -> Meeting {
        var options = options
        options.acceptsOtherProtocols = true
        do {
            return .service(try await ControlClient.connect(path: path, options: options))
        } catch let error as TransferError {
            switch (error.code, error.systemErrno) {
            case (.cannotConnect, ENOENT), (.cannotConnect, ENOTDIR), (.cannotConnect, ECONNREFUSED): return .noService
            // Too many at once; one that exits during the greeting.
            case (.cannotConnect, EAGAIN), (_, EBUSY), (.receiveFailed, _): return .notNow(error)
            default: throw error
            }
        } catch {
            throw Self.cancelled
        }
    }

    private func evaluate(_ client: ControlClient) -> ServiceMatch {
        let match = ServiceMatch.evaluate(
            service: .init(version: client.service.version, protocol: client.serviceProtocol),
            program: .init(version: options.version, protocol: ControlProtocol.version))
        guard match == .replace, !replacesOlder else { return match }
        return client.serviceProtocol == ControlProtocol.version ? .use : .refuse
    }

    /// - Throws: if services keep crashing at start.
    private func checkCrashes() throws(TransferError) {
        guard let (record, writtenAt) = CrashRecord.read(places.crashes) else { return }
        guard let left = record.pause(at: SystemClock.wall, endedAt: writtenAt) else { return }
        throw TransferError(
            .other,
            .serviceCrashing, record.crashesInRow(endedAt: writtenAt), record.signal, Int(left.rounded(.up)),
            places.log,
            path: places.log, variant: .serviceCrashing)
    }

    private func start() async throws(TransferError) {
        let starter = ServiceStarter(program: program, arguments: arguments, environment: environment, log: places.log)
        let result: Result<Void, TransferError> = await withCheckedContinuation { done in
            DispatchQueue.global().async { [patience] in
                do throws(TransferError) {
                    try starter.start(within: patience)
                    done.resume(returning: .success(()))
                } catch {
                    done.resume(returning: .failure(error))
                }
            }
        }
        try result.get()
    }

    private static func pause() async throws(TransferError) {
        do { try await Task.sleep(for: .milliseconds(20)) } catch { throw cancelled }
    }

    private static let cancelled = TransferError(.interrupted, .serviceInterrupted)

    private static let absent = TransferError(.other, .serviceAbsent, variant: .serviceAbsent)

    private static func withoutSocket(_ holder: ServiceLock.Holder) -> TransferError {
        TransferError(
            .timedOut, .serviceWithoutSocket, holder.pid, holder.socket ?? "", path: holder.socket,
            variant: .socketGone)
    }

    private static func mute(_ holder: ServiceLock.Holder) -> TransferError {
        TransferError(.timedOut, .serviceUnresponsive, holder.pid)
    }
}
