// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
public import TransferModel

/// Finds the background service of this user, and starts it where there is none.
public struct ServiceLauncher: Sendable {
    public var places: ServicePlaces
    public var options: ControlClient.Options
    /// The program to start, a whole path.
    public var program: String
    public var arguments = ["service", "run", "--on-demand"]
    /// What the service gets; see ``surroundings(_:places:)``.
    public var environment: [String: String]
    /// Seconds for one step: a service that starts, one that ends, another command that starts one.
    public var patience = 10.0
    /// Seconds for a service to come back whose socket is gone: its folder was removed, and the service makes both
    /// again.
    public var socketPatience = 5.0
    /// Called once, with a sentence, when a service that is there cannot be talked to for more than a second. On any
    /// thread; must not wait.
    public var report: @Sendable (String) -> Void = { _ in }
    /// Whether an older service is ended for this program's own to take its place.
    public var replacesOlder = true

    public init(places: ServicePlaces, options: ControlClient.Options, program: String, environment: [String: String]) {
        self.places = places
        self.options = options
        self.program = program
        self.environment = environment
    }

    /// Connects to the service, and starts it first where none is running. Any number of callers at once, in any number
    /// of processes, start exactly one.
    /// - Throws: code `other` where none is running and `startsService` is false; what the service itself says that it
    ///   cannot start for; `usage` for a service of another user or of a version that this one does not get on with;
    ///   `timedOut`.
    public func connect(startsService: Bool = true) async throws(TransferError) -> ControlClient {
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
                switch judge(client) {
                case .use: return client
                case .replace where startsService && !hasReplaced:
                    try await endService(client)
                    hasReplaced = true
                    end = CallClock.system.now() + 2 * patience
                    continue
                // Whoever starts services here has started the older one again.
                case .replace where client.serviceProtocol == ControlProtocol.version: return client
                case .replace, .refuse:
                    let error = ControlClient.incompatible(
                        version: client.service.version, protocol: client.serviceProtocol)
                    client.close()
                    throw error
                }
            case .notNow(let error): reason = error
            case .nobody:
                let holder = ServiceLock.holder(of: places.lock)
                if !startsService, holder == nil { throw Self.absent }
                if let holder {
                    // It is about to listen, or about to be gone; or its socket was taken away.
                    reason = Self.mute(holder)
                    if missing.isOver(holder, at: CallClock.system.now()) { throw Self.withoutSocket(holder) }
                } else if turn == nil {
                    try places.prepare()
                    turn = try StartLock(path: places.startLock)
                    // Somebody else may have had the turn in between.
                    if turn != nil { continue }
                } else if starts < 3 {
                    try checkCrashes()
                    starts += 1
                    try await start()
                    continue
                } else {
                    reason = TransferError(
                        .other, "the background service ends as soon as it is started; \(places.log) may say why")
                }
            }
            guard CallClock.system.now() < end else {
                throw reason
                    ?? TransferError(
                        .timedOut,
                        "another command is starting the background service and has not done so for "
                            + "\(Int(2 * patience)) s; try again")
            }
            if let reason, !hasReported {
                let since = hinderedSince ?? CallClock.system.now()
                hinderedSince = since
                if CallClock.system.now() - since > 1 {
                    hasReported = true
                    report("waiting: \(reason.message)")
                }
            }
            try await Self.pause()
        }
    }

    /// Connects to whatever service is running, of any version; `nil` where there is none.
    public func find() async throws(TransferError) -> ControlClient? {
        try places.checkSocket()
        let end = CallClock.system.now() + patience
        var missing = MissingSocket(patience: socketPatience)
        while true {
            switch try await meet() {
            case .service(let client): return client
            case .nobody where ServiceLock.holder(of: places.lock) == nil: return nil
            case .nobody:
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

    /// Asks a service to end, and returns when its process has let the queue go.
    /// - Throws: code `timedOut` where it has not in time.
    public func endService(_ client: ControlClient) async throws(TransferError) {
        let pid = client.service.pid
        // One that ends at this very moment may not answer any more.
        try? await client.shutDownService()
        let end = CallClock.system.now() + patience
        while let holder = ServiceLock.holder(of: places.lock), holder.pid ?? pid == pid {
            guard CallClock.system.now() < end else {
                client.close()
                throw TransferError(
                    .timedOut,
                    "the background service (process \(pid)) was asked to end and has not for "
                        + "\(Int(patience)) s; 'kill \(pid)' ends it")
            }
            try await Self.pause()
        }
        client.close()
    }

    /// Ends whatever service has the queue, of any version: by asking, and where it cannot be asked, because its socket
    /// is gone or it does not answer, by SIGTERM to the process that holds the lock. Returns when the queue is free.
    /// - Returns: false where none is running.
    /// - Throws: code `timedOut` where the process does not end, or the lock's holder cannot be told for certain.
    public func stopService() async throws(TransferError) -> Bool {
        var asking = self
        asking.patience = min(patience, 3)
        asking.socketPatience = min(socketPatience, 1)
        (asking.options.callTimeout, asking.options.usesReservedPlace) = (min(options.callTimeout, 3), true)
        do throws(TransferError) {
            guard let client = try await asking.find() else { return false }
            try await asking.endService(client)
            return true
        } catch {
            guard ![.interrupted, .usage].contains(error.code) else { throw error }
            guard let holder = ServiceLock.holder(of: places.lock) else {
                // It ended while it was asked to; any other error is not about a service.
                guard [.cannotConnect, .timedOut, .receiveFailed, .sendFailed].contains(error.code) else { throw error }
                return true
            }
            guard let pid = holder.pid, ServiceLock.isHeld(places.lock, by: pid) else { throw error }
            report("the background service (process \(pid)) cannot be asked; it gets SIGTERM")
            guard kill(pid, SIGTERM) == 0 || errno == ESRCH else { throw error }
            let end = CallClock.system.now() + patience
            while let now = ServiceLock.holder(of: places.lock), now.pid ?? pid == pid {
                guard CallClock.system.now() < end else {
                    throw TransferError(
                        .timedOut,
                        "the background service (process \(pid)) got SIGTERM and has not ended for "
                            + "\(Int(patience)) s; 'kill -9 \(pid)' ends it, and no byte is lost by that")
                }
                try await Self.pause()
            }
            return true
        }
    }

    // MARK: Steps

    /// How long nobody has listened where the lock's holder has said that it does. Pure.
    struct MissingSocket {
        let patience: Double
        private var since: Double?

        init(patience: Double) { self.patience = patience }

        /// - Returns: whether it is time to give up.
        mutating func isOver(_ holder: ServiceLock.Holder, at now: Double) -> Bool {
            // One that has not listened yet may have a long queue to read.
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
        case nobody
        /// Somebody is there who is busy, or about to end.
        case notNow(TransferError)
    }

    private func meet() async throws(TransferError) -> Meeting {
        // Who has the queue listens where its own environment says, which need not be this one's.
        let announced = ServiceLock.holder(of: places.lock)?.socket
        if let announced, announced != places.socket {
            let meeting = try await meet(at: announced)
            if case .nobody = meeting {} else { return meeting }
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
            case (.cannotConnect, ENOENT), (.cannotConnect, ECONNREFUSED): return .nobody
            // Too many at once; one that ends while it is greeted.
            case (.cannotConnect, EAGAIN), (_, EBUSY), (.receiveFailed, _): return .notNow(error)
            default: throw error
            }
        } catch {
            throw Self.cancelled
        }
    }

    private func judge(_ client: ControlClient) -> ServiceMatch {
        let match = ServiceMatch.judge(
            service: .init(version: client.service.version, protocol: client.serviceProtocol),
            program: .init(version: options.version, protocol: ControlProtocol.version))
        guard match == .replace, !replacesOlder else { return match }
        return client.serviceProtocol == ControlProtocol.version ? .use : .refuse
    }

    /// - Throws: where one service after the other has crashed at once: starting it again and again helps nobody.
    private func checkCrashes() throws(TransferError) {
        guard let (record, writtenAt) = CrashRecord.read(places.crashes) else { return }
        guard let left = record.pause(at: SystemClock.wall, endedAt: writtenAt) else { return }
        throw TransferError(
            .other,
            "the background service has crashed \(record.crashesInRow(endedAt: writtenAt)) times in a row, the last "
                + "time by signal \(record.signal), and is not started again within the next \(Int(left.rounded(.up))) "
                + "s; "
                + "\(places.log) may say why", fields: .init(path: places.log, variant: .serviceCrashing))
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

    private static let cancelled = TransferError(.interrupted, "interrupted while connecting to the background service")

    private static let absent = TransferError(
        .other, "no background service is running", fields: .init(variant: .serviceAbsent))

    private static func withoutSocket(_ holder: ServiceLock.Holder) -> TransferError {
        let name = holder.pid.map { "process \($0)" } ?? "another process"
        return TransferError(
            .timedOut, "the background service (\(name)) runs, but its socket \(holder.socket ?? "") is gone",
            fields: .init(path: holder.socket, variant: .socketGone))
    }

    private static func mute(_ holder: ServiceLock.Holder) -> TransferError {
        let name = holder.pid.map { "process \($0)" } ?? "another process"
        return TransferError(
            .timedOut, "\(name) holds the queue and does not answer; 'kill\(holder.pid.map { " \($0)" } ?? "")' ends it"
        )
    }
}
