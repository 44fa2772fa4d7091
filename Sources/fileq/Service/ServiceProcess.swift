// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
import SessionCore
import TransferControl
import TransferModel
import TransferService

/// The life of the service's process, from taking the lock to exit.
struct ServiceProcess: Sendable {
    /// Why the service ends.
    enum Ending: Sendable, Equatable {
        /// It was idle.
        case idle
        /// A command requested it.
        case asked
        case signal(Int32)

        var exitCode: Int32 {
            switch self {
            case .idle, .asked: 0
            case .signal(let number): Interruption.exitCode(for: number)
            }
        }
    }

    /// Seconds until exit, whatever hangs.
    private static let endPatience = 1.8

    var settings: ServiceSettings
    let configuration: ConfigurationWatch
    let version: String
    /// Idle seconds until exit; `nil`: never.
    let idleTimeout: Double?
    /// A command started it, and waits for readiness.
    let isOnDemand: Bool

    private var places: ServicePlaces { settings.places.service }

    /// - Returns: the exit code, after all output.
    /// - Throws: the start-up error, if no process waits for it.
    func run() async throws(TransferError) -> Int32 {
        // It outlives its terminal and closed pipes.
        signal(SIGHUP, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        ProcessMemory.returnLargeBlocks()
        let isAwaited = isOnDemand && ServiceReadiness.isAwaited()
        do throws(TransferError) {
            return try await serve { if isAwaited { ServiceReadiness.ready.report() } }
        } catch {
            guard isAwaited else { throw error }
            ServiceReadiness.failed(error).report(words: MessageCatalog.text(error))
            return ExitStatus.of(error)
        }
    }

    private func serve(_ ready: () -> Void) async throws(TransferError) -> Int32 {
        let inherited = try SocketActivation.take()
        try places.prepare()
        let lock = try ServiceLock(path: places.lock)
        defer { withExtendedLifetime(lock) {} }
        let log = try ServiceLog(path: places.log, takesStandardError: isOnDemand, echoes: !isOnDemand)
        // Files wait in large groups for a sync of their disk.
        DescriptorLimit.raise(to: 32_768)
        // A forgotten process must not keep a file system busy.
        if isOnDemand { chdir("/") }

        let (endings, ending) = AsyncStream<Ending>.makeStream()
        let interruption = Interruption()
        interruption.arm {
            ending.yield(.signal($0))
        } onSecond: {
            log.write("ended immediately by a second signal")
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
        let remote = ServiceRemote(
            queue: queue.client, report: { log.write($0) }, servingChanged: { idle.servingChanged($0) },
            shutDown: { ending.yield(.asked) })
        let listener = Listener(
            place: inherited, path: places.socket, version: version, idle: idle,
            handler: Handler(queue: queue, watch: configuration, remote: remote) { ending.yield(.asked) })
        let (upkeep, notices) = makeUpkeep(queue, remote, log)
        let watching = Task { await Self.watch(queue.client, idle, log, notices) }
        let reason: Ending
        do throws(TransferError) {
            var server = try listener.listen()
            lock.announce(socket: places.socket)
            log.write("started: fileq \(version), process \(getpid()), \(server.path ?? "a socket of systemd's")")
            server.start()
            ready()
            remote.apply(settings.configured.remote)
            upkeep.serve(server)
            notices.setAttended { [server] in server.isAttended }
            upkeep.begin()
            reason = try await attend(endings, queue, listener, &server, upkeep, notices)
            await end(reason, queue, server, remote, log)
        } catch {
            log.write("ended: \(MessageCatalog.text(error))")
            watching.cancel()
            await remote.stop()
            await queue.stop()
            throw error
        }
        watching.cancel()
        return reason.exitCode
    }

    private func makeUpkeep(
        _ queue: ServiceQueue, _ remote: ServiceRemote, _ log: ServiceLog
    ) -> (ServiceUpkeep, ServiceNotices) {
        let desktop = DesktopNotifier()
        let notices = ServiceNotices(
            settings.configured.notify, now: { SystemClock.wall }, show: { desktop.show($0) })
        let upkeep = ServiceUpkeep(configuration: configuration, report: { log.write($0) }) {
            queue.reconfigure($0)
            notices.setSettings($0.notify)
            remote.apply($0.remote)
        }
        return (upkeep, notices)
    }

    /// Waits for a final reason to end.
    private func attend(
        _ endings: AsyncStream<Ending>, _ queue: ServiceQueue, _ listener: Listener,
        _ server: inout ControlServer, _ upkeep: ServiceUpkeep, _ notices: ServiceNotices
    ) async throws(TransferError) -> Ending {
        for await ending in endings {
            guard ending == .idle else { return ending }
            guard await server.shutDownIfUnused() else { continue }
            // New connections are refused now. An earlier client may have left something to do.
            let transfers = (try? await queue.client.snapshot().transfers) ?? []
            guard transfers.contains(where: { QueueActivity.keepsAlive($0.state) }) else { return ending }
            server = try listener.listen()
            server.start()
            upkeep.serve(server)
            notices.setAttended { [server] in server.isAttended }
        }
        return .asked
    }

    private func end(
        _ reason: Ending, _ queue: ServiceQueue, _ server: ControlServer, _ remote: ServiceRemote, _ log: ServiceLog
    ) async {
        let words =
            switch reason {
            case .idle: "ending: idle"
            case .asked: "ending: requested by a command"
            case .signal(let number): "ending: signal \(number)"
            }
        log.write(words)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.endPatience) {
            log.write("ended without waiting for what hung")
            _exit(reason.exitCode)
        }
        server.refuseNewConnections()
        await remote.stop()
        await queue.stop()
        await server.shutDown()
        log.write("ended")
    }

    /// Feeds the idle watch, the notices and the log until the queue ends.
    private static func watch(
        _ client: any QueueClient, _ idle: IdleWatch, _ log: ServiceLog, _ notices: ServiceNotices
    ) async {
        var activity = QueueActivity()
        for await update in client.updates() {
            if Task.isCancelled { return }
            activity.receive(update)
            notices.receive(update)
            idle.activityChanged(activity.isActive)
            guard case .events(let events) = update else { continue }
            for event in events { entry(of: event).map(log.write) }
        }
    }

    /// The log text of an event; omits URLs, which may contain secrets.
    static func entry(of event: TransferEvent) -> String? {
        let transfer = event.transfer
        let subject = "\(transfer.id) \(transfer.kind.rawValue) \(transfer.file)"
        // Added paused, perhaps among very many.
        if event.name == .paused, transfer.bytes == 0, transfer.note == nil { return nil }
        return switch event.name {
        case .completed, .cancelled, .paused: "\(event.name.rawValue) \(subject)"
        case .failed: "failed \(subject): \(MessageCatalog.queuedFailure(of: transfer) ?? "for no known reason")"
        case .waiting, .retrying, .restarted:
            "\(event.name.rawValue) \(subject): \(MessageCatalog.reason(of: transfer) ?? "")"
        // A line per transfer would displace more important entries.
        case .queued, .started, .progress, .resumed, .verifying, .changed: nil
        }
    }

    private struct Handler: ControlHandler {
        let queue: any QueueClient
        let limits: @Sendable () async -> QueueLimits
        let sleepStatus: @Sendable () -> SleepStatus
        let watch: ConfigurationWatch
        let remote: ServiceRemote
        let asked: @Sendable () -> Void

        init(
            queue: ServiceQueue, watch: ConfigurationWatch, remote: ServiceRemote,
            asked: @escaping @Sendable () -> Void
        ) {
            (self.queue, limits, sleepStatus) = (queue.client, queue.limitsInForce, queue.sleepStatus)
            (self.watch, self.remote) = (watch, remote)
            self.asked = asked
        }

        func limitsInForce() async -> QueueLimits? { await limits() }

        var configuration: ServiceConfiguration? {
            var summary = watch.summary
            (summary.remoteURL, summary.remoteProblem) = remote.summary
            summary.sleep = sleepStatus()
            return summary
        }

        func shutDownRequested() { asked() }
    }

    /// Creates servers for the socket, one after the other.
    private struct Listener: Sendable {
        /// An inherited socket; each server gets a duplicate.
        let place: Int32?
        let path: String
        let version: String
        let idle: IdleWatch
        let handler: Handler

        func listen() throws(TransferError) -> ControlServer {
            var options = ControlServer.Options(version: version)
            options.home = ProcessEnvironment.value("HOME")
            options.shutDownGrace = 0.5
            options.words = MessageCatalog.transferWords
            options.connectionsChanged = { [idle] in idle.connectionsChanged($0) }
            guard let place else { return try ControlServer(path: path, handler: handler, options: options) }
            let copy = fcntl(place, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else {
                throw TransferError(.other, "cannot use the inherited socket", systemErrno: errno)
            }
            return try ControlServer(place: .inherited(descriptor: copy), handler: handler, options: options)
        }
    }
}
