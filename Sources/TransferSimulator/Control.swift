// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferService
import TransferTesting

/// The control server of the process under way, and its clients in other processes. Both are the program's own.
final class Control: @unchecked Sendable {  // Used on one thread.
    private struct Service: ControlHandler {
        let watched: WatchedQueue
        var queue: any QueueClient { watched }
        func shutDownRequested() {}
    }

    /// A client with its connection.
    final class Seat: @unchecked Sendable {  // Used on one thread.
        let pipe: ControlPipe
        let client: ControlClient

        init(_ pipe: ControlPipe, _ client: ControlClient) { (self.pipe, self.client) = (pipe, client) }
    }

    private let world: World
    private let watched: WatchedQueue
    private let server: ControlServer
    private let pace: ControlPipe.Pace
    private var pipes: [ControlPipe] = []
    /// Those that may break, and those that do not.
    private var seats: [Bool: [Seat]] = [:]

    private var machine: Machine { world.machine }
    private var origin: Origin { world.origin }

    init(_ world: World, _ queue: DurableQueue) {
        self.world = world
        world.trace.met(.controlClients)
        watched = WatchedQueue(queue, world.bug)
        var options = ControlServer.Options(version: Self.version)
        var pace = ControlPipe.Pace()
        if world.swarm.has(.slowClients) {
            world.trace.met(.slowClients)
            options.outgoingLimit = world.origin.draw(500...8000)
            pace = ControlPipe.Pace(
                capacity: world.origin.draw(200...8000), lateness: world.origin.draw(1...40),
                delay: [0.05, 1, 5][world.origin.draw(0...2)])
        }
        self.pace = pace
        server = ControlServer(handler: Service(watched: watched), options: options)
    }

    private static let version = "simulated"

    // MARK: Connections

    /// Another process connects.
    func connect() async throws(TransferError) -> Seat {
        let pipe = ControlPipe(machine, origin.isFaulty ? pace : .init())
        pipes.removeAll { $0.client.isEnded && $0.server.isEnded }
        pipes.append(pipe)
        server.admit(pipe.server)
        var options = ControlClient.Options(version: Self.version)
        options.clock = CallClock(
            now: { [machine] in machine.now },
            schedule: { [machine] in machine.schedule(at: machine.now + $0, "timer", $1) })
        if world.swarm.has(.slowClients) { options.updateLimit = origin.draw(500...8000) }
        do {
            return Seat(pipe, try await ControlClient.connect(over: pipe.client, options: options))
        } catch {
            throw (error as? TransferError) ?? TransferError(.other, "\(error)")
        }
    }

    /// A client of before, or another.
    private func seat(mayBreak: Bool) async throws(TransferError) -> Seat {
        let open = seats[mayBreak, default: []].filter { $0.client.failure == nil }
        if !open.isEmpty, !machine.random.once(in: 3) { return open[origin.draw(0...open.count - 1)] }
        let seat = try await connect()
        seats[mayBreak] = open + [seat]
        return seat
    }

    // MARK: Commands

    /// Carries out `command` for a client in another process. Its connection may break before the reply: then it is
    /// not known what came of the command, but nothing comes of it any more when this throws.
    func give<Value: Sendable>(
        mayBreak: Bool, _ command: @Sendable (any QueueClient) async throws -> Value
    ) async throws -> Value {
        let seat = try await seat(mayBreak: mayBreak)
        world.trace.sometimes("control: command")
        if mayBreak, origin.meets(.lostClients, odds: 4) {
            let delay = [0, 0, 0.5, 4][origin.draw(0...3)]
            dropSoon(
                seat.pipe, after: Double.random(in: 0...1, using: &machine.random) * delay, hops: origin.draw(0...12))
        }
        do {
            let value = try await command(seat.client)
            world.trace.sometimes("control: reply")
            return value
        } catch {
            guard seat.client.failure != nil else { throw error }
            world.trace.sometimes("control: reply lost")
            // What the server had received is carried out.
            while !seat.pipe.server.isEnded { await pause(0.5) }
            await watched.awaitCommands()
            throw error
        }
    }

    private func dropSoon(_ pipe: ControlPipe, after delay: Double, hops: Int) {
        machine.schedule(at: machine.now + delay, "lost client") { [self] in
            if hops > 0 { return dropSoon(pipe, after: 0, hops: hops - 1) }
            pipe.dropClient()
        }
    }

    private func pause(_ seconds: Double) async {
        await withCheckedContinuation { done in
            machine.schedule(at: machine.now + seconds, "timer") { done.resume() }
        }
    }

    // MARK: Updates

    /// A client that keeps listening: it connects again.
    func listener() async throws(TransferError) -> (any QueueClient, drop: () -> Void) {
        let first = try await connect()
        var options = ReconnectingQueueClient.Options()
        options.now = { [machine] in machine.now }
        options.sleep = { [weak self] in await self?.pause($0) }
        let latest = Latest(first)
        let client = ReconnectingQueueClient(first: first.client, options: options) {
            [weak self] _ throws(TransferError) in
            guard let self else { throw TransferError(.cannotConnect, "the process is gone") }
            let seat = try await connect()
            world.trace.sometimes("control: connected again")
            latest.seat = seat
            return seat.client
        }
        return (client, { latest.seat.pipe.dropClient() })
    }

    private final class Latest: @unchecked Sendable {  // Used on one thread.
        var seat: Seat
        init(_ seat: Seat) { self.seat = seat }
    }

    /// As the service does before its queue ends.
    func refuseConnections() { server.refuseNewConnections() }

    /// The process is gone, and its clients with it.
    func abandon() {
        for pipe in pipes { pipe.abandon() }
        (pipes, seats) = ([], [:])
    }
}

extension World {
    /// Whether commands go through the control server, and this one does.
    private var isRemote: Bool { control != nil && !isEnding && origin.draw(0...2) > 0 }

    /// Gives a command as some client does: in the process of the queue, or through the control server.
    /// - Parameter mayBreak: whether the reply may be lost; see ``Control/give(mayBreak:_:)``.
    func give<Value: Sendable>(
        to queue: DurableQueue, mayBreak: Bool = true, _ command: @Sendable (any QueueClient) async throws -> Value
    ) async throws -> Value {
        guard isRemote, let control else { return try await command(queue) }
        return try await control.give(mayBreak: mayBreak, command)
    }
}
