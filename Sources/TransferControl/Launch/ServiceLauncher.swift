// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
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
    /// Whether an older service is ended for this program's own to take its place.
    public var replacesOlder = true

    public init(places: ServicePlaces, options: ControlClient.Options, program: String, environment: [String: String]) {
        self.places = places
        self.options = options
        self.program = program
        self.environment = environment
    }

    /// Connects to the service, and starts it first where none is running. Any number of callers at once, in any number of processes,
    /// start exactly one.
    /// - Throws: code `other` where none is running and `startsService` is false; what the service itself says that it cannot start
    ///   for; `usage` for a service of another user or of a version that this one does not get on with; `timedOut`.
    public func connect(startsService: Bool = true) async throws(TransferError) -> ControlClient {
        try places.checkSocket()
        var end = CallClock.system.now() + 2 * patience
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
                    let error = ControlClient.incompatible(version: client.service.version, protocol: client.serviceProtocol)
                    client.close()
                    throw error
                }
            case .notNow(let error): reason = error
            case .nobody:
                let holder = ServiceLock.holder(of: places.lock)
                if !startsService, holder == nil { throw Self.absent }
                if let holder {
                    // It is about to listen, or about to be gone.
                    reason = Self.mute(holder)
                } else if turn == nil {
                    try places.prepare()
                    turn = try StartLock(path: places.startLock)
                    // Somebody else may have had the turn in between.
                    if turn != nil { continue }
                } else if starts < 3 {
                    starts += 1
                    try await start()
                    continue
                } else {
                    reason = TransferError(.other, "the background service ends as soon as it is started; \(places.log) may say why")
                }
            }
            guard CallClock.system.now() < end else {
                throw reason ?? TransferError(.timedOut, "another command is starting the background service and has not done so for "
                    + "\(Int(2 * patience)) s; try again")
            }
            try await Self.pause()
        }
    }

    /// Connects to whatever service is running, of any version; `nil` where there is none.
    public func find() async throws(TransferError) -> ControlClient? {
        try places.checkSocket()
        let end = CallClock.system.now() + patience
        while true {
            switch try await meet() {
            case .service(let client): return client
            case .nobody where ServiceLock.holder(of: places.lock) == nil: return nil
            case .nobody:
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
                throw TransferError(.timedOut, "the background service (process \(pid)) was asked to end and has not for "
                    + "\(Int(patience)) s; 'kill \(pid)' ends it")
            }
            try await Self.pause()
        }
        client.close()
    }

    // MARK: Steps

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

    private static let absent = TransferError(.other, "no background service is running; any command that needs one starts it, and so does "
        + "'fileq service run'")

    private static func mute(_ holder: ServiceLock.Holder) -> TransferError {
        let name = holder.pid.map { "process \($0)" } ?? "another process"
        return TransferError(.timedOut, "\(name) holds the queue and does not answer; 'kill\(holder.pid.map { " \($0)" } ?? "")' ends it")
    }
}
