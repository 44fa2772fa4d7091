// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import SessionCore
import TransferControl
import TransferModel

/// The life of the background service's process, from its lock to its end.
struct ServiceProcess: Sendable {
    /// Why it ends.
    enum Ending: Sendable, Equatable {
        /// Nobody has been there and nothing was to be done.
        case idle
        /// A command asked for it.
        case asked
        case signal(Int32)

        var exitCode: Int32 {
            switch self {
            case .idle, .asked: 0
            case .signal(let number): Interruption.exitCode(for: number)
            }
        }
    }

    /// Seconds in which an end is an end, whatever hangs.
    private static let endPatience = 1.8

    var settings: ServiceSettings
    let configuration: ConfigurationWatch
    let version: String
    /// Seconds without anybody and anything; `nil`: for ever.
    let idleTimeout: Double?
    /// A command started it, and waits to hear that it is ready.
    let isOnDemand: Bool

    private var places: ServicePlaces { settings.places }

    /// - Returns: the exit code, once there is nothing more to say.
    /// - Throws: why it could not begin, where nobody waits to be told.
    func run() async throws(TransferError) -> Int32 {
        // It outlives its terminal, and readers that go away.
        signal(SIGHUP, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        let isAwaited = isOnDemand && ServiceReadiness.isAwaited()
        do throws(TransferError) {
            return try await serve { if isAwaited { ServiceReadiness.ready.tell() } }
        } catch {
            guard isAwaited else { throw error }
            ServiceReadiness.failed(MessageCatalog.worded(error)).tell()
            return ExitStatus.of(error)
        }
    }

    private func serve(_ ready: () -> Void) async throws(TransferError) -> Int32 {
        let inherited = try SocketActivation.take()
        try places.prepare()
        let lock = try ServiceLock(path: places.lock)
        defer { withExtendedLifetime(lock) {} }
        let log = try ServiceLog(path: places.log, takesStandardError: isOnDemand, echoes: !isOnDemand)
        // No file system is held by a process that somebody else has forgotten.
        if isOnDemand { chdir("/") }

        let (endings, ending) = AsyncStream<Ending>.makeStream()
        let interruption = Interruption()
        interruption.arm {
            ending.yield(.signal($0))
        } onSecond: {
            log.write("ended at once, by a second signal")
        }
        interruption.listen()

        var settings = settings
        settings.report = { log.write($0) }
        let queue: ServiceQueue
        do throws(TransferError) {
            queue = try makeServiceQueue(settings)
        } catch {
            log.write("cannot start: \(MessageCatalog.text(error))")
            throw error
        }
        let idle = IdleWatch(after: idleTimeout) { ending.yield(.idle) }
        let watching = Task { await Self.watch(queue.client, idle, log) }
        let listener = Listener(
            place: inherited, path: places.socket, version: version, idle: idle,
            handler: Handler(queue: queue, watch: configuration) { ending.yield(.asked) })
        let upkeep = ServiceUpkeep(configuration: configuration, report: { log.write($0) }, apply: queue.reconfigure)
        let reason: Ending
        do throws(TransferError) {
            var server = try listener.listen()
            lock.announce(socket: places.socket)
            log.write("started: fileq \(version), process \(getpid()), \(server.path ?? "a socket of systemd's")")
            server.start()
            ready()
            upkeep.serve(server)
            upkeep.begin()
            reason = try await attend(endings, queue, listener, &server, upkeep)
            await end(reason, queue, server, log)
        } catch {
            log.write("ended: \(MessageCatalog.text(error))")
            watching.cancel()
            await queue.stop()
            throw error
        }
        watching.cancel()
        return reason.exitCode
    }

    /// Waits for a reason to end that holds.
    private func attend(
        _ endings: AsyncStream<Ending>, _ queue: ServiceQueue, _ listener: Listener,
        _ server: inout ControlServer, _ upkeep: ServiceUpkeep
    ) async throws(TransferError) -> Ending {
        for await ending in endings {
            guard ending == .idle else { return ending }
            guard await server.shutDownIfUnused() else { continue }
            // Nobody can come any more. Somebody may have come and gone just before, and left something to do.
            let transfers = (try? await queue.client.snapshot().transfers) ?? []
            guard transfers.contains(where: { QueueActivity.keepsAlive($0.state) }) else { return ending }
            server = try listener.listen()
            server.start()
            upkeep.serve(server)
        }
        return .asked
    }

    private func end(_ reason: Ending, _ queue: ServiceQueue, _ server: ControlServer, _ log: ServiceLog) async {
        let words =
            switch reason {
            case .idle: "ending: nobody was there, and nothing was left to do"
            case .asked: "ending: a command asked for it"
            case .signal(let number): "ending: signal \(number)"
            }
        log.write(words)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.endPatience) {
            log.write("ended: something hung and was left as it was")
            _exit(reason.exitCode)
        }
        server.refuseNewConnections()
        await queue.stop()
        await server.shutDown()
        log.write("ended")
    }

    /// Keeps the watch up to date and the log, until the queue ends.
    private static func watch(_ client: any QueueClient, _ idle: IdleWatch, _ log: ServiceLog) async {
        var activity = QueueActivity()
        for await update in client.updates() {
            if Task.isCancelled { return }
            activity.receive(update)
            idle.activityChanged(activity.isActive)
            guard case .events(let events) = update else { continue }
            for event in events { entry(of: event).map(log.write) }
        }
    }

    /// What the log says of an event; addresses may hold secrets and are left out.
    static func entry(of event: TransferEvent) -> String? {
        let transfer = event.transfer
        let subject = "\(transfer.id) \(transfer.kind.rawValue) \(transfer.file)"
        // Added so, perhaps with very many others.
        if event.name == .paused, transfer.bytes == 0, transfer.reason == nil { return nil }
        return switch event.name {
        case .completed, .cancelled, .paused: "\(event.name.rawValue) \(subject)"
        case .failed: "failed \(subject): \(transfer.error.map(MessageCatalog.text) ?? "for no known reason")"
        case .waiting, .retrying, .restarted: "\(event.name.rawValue) \(subject): \(transfer.reason ?? "")"
        // A line for each of very many would push out what matters.
        case .queued, .started, .progress, .resumed, .verifying, .changed: nil
        }
    }

    private struct Handler: ControlHandler {
        let queue: any QueueClient
        let limits: @Sendable () async -> QueueLimits
        let watch: ConfigurationWatch
        let asked: @Sendable () -> Void

        init(queue: ServiceQueue, watch: ConfigurationWatch, asked: @escaping @Sendable () -> Void) {
            (self.queue, limits) = (queue.client, queue.limitsInForce)
            self.watch = watch
            self.asked = asked
        }

        func limitsInForce() async -> QueueLimits? { await limits() }

        var configuration: ServiceConfiguration? { watch.summary }

        func shutDownRequested() { asked() }
    }

    /// Makes servers for the socket, one after the other.
    private struct Listener: Sendable {
        /// A socket that was handed over; each server gets a descriptor of its own.
        let place: Int32?
        let path: String
        let version: String
        let idle: IdleWatch
        let handler: Handler

        func listen() throws(TransferError) -> ControlServer {
            var options = ControlServer.Options(version: version)
            options.shutDownGrace = 0.5
            options.connectionsChanged = { [idle] in idle.connectionsChanged($0) }
            guard let place else { return try ControlServer(path: path, handler: handler, options: options) }
            let copy = fcntl(place, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else {
                throw TransferError(.other, "the socket that was handed over cannot be used", systemErrno: errno)
            }
            return try ControlServer(place: .inherited(descriptor: copy), handler: handler, options: options)
        }
    }
}
