// SPDX-License-Identifier: MIT

import HTTPTypes
import Platform
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// What the queue makes of a network that goes, comes back, or may not be used. The network is as the test says.
@Suite(.timeLimit(.minutes(10))) struct ConnectivityTests {
    private static let lte = FakePathMonitor.through(
        NetworkInterface(name: "wwan0", kind: .cellular, isExpensive: true, isCellular: true))
    /// Whether it costs money is being asked.
    private static let pending: NetworkPath = {
        var path = FakePathMonitor.through(NetworkInterface(name: "wlan0", kind: .wifi))
        path.isCostPending = true
        return path
    }()
    private static let unreachable = ExchangeFailure(.transport(.cannotConnect, errno: 101), detail: "Couldn't connect")
    private static let broken = ExchangeFailure(
        .transport(.receiveFailed, errno: 104), detail: "Connection reset by peer")
    private static let bytes = patternedBytes(1000)

    /// A queue whose exchanges fail as long as `isDown`.
    private final class Stage: Sendable {
        let folder: TemporaryFolder
        let monitor: FakePathMonitor
        let scheduler = ManualScheduler()
        let transport: FakeTransport
        let queue: LocalQueue

        init(
            path: NetworkPath = FakePathMonitor.wired, concurrent: Int = 4,
            _ respond: @escaping @Sendable (Exchange, Int) -> FakeTransport.Answer
        ) throws {
            folder = try TemporaryFolder()
            monitor = FakePathMonitor(path: path)
            transport = FakeTransport(respond)
            var session = TransferConfiguration()
            session.proxy = .none
            session.waitsForConnectivity = true
            session.pathMonitor = monitor
            var configuration = LocalQueue.Configuration()
            configuration.limits.concurrent = concurrent
            configuration.jitter = { 1 }
            queue = LocalQueue(
                transport: transport, configuration: configuration, session: session, scheduler: scheduler)
        }

        func add(_ names: String..., change: (inout TransferOptions) -> Void = { _ in }) async throws -> [TransferID] {
            try await queue.add(
                names.map { name in
                    var description = Spec(
                        url: try TransferURL("http://a.test/\(name)"),
                        operation: .download(Download(destination: .file(path: folder.file(name)))))
                    description.options.retries = 2
                    change(&description.options)
                    return description
                }, paused: false)
        }

        /// The first transfer as it is now.
        var first: Transfer {
            get async throws { try await queue.snapshot().transfers[0] }
        }

        func wait(for state: TransferState, of id: TransferID) async throws -> Transfer {
            var found: Transfer?
            for await update in queue.updates() {
                switch update {
                case .snapshot(let snapshot): found = snapshot.transfers.first { $0.id == id && $0.state == state }
                case .events(let events):
                    found = events.last { $0.transfer.id == id && $0.transfer.state == state }?.transfer
                default: break
                }
                if let found { return found }
            }
            throw CancellationError()
        }

        func passTime() { scheduler.advance(by: 0.5) }

        /// The network is there.
        func restore(_ path: NetworkPath = FakePathMonitor.wired) {
            monitor.set(path)
            monitor.fire(PathChange(available: ["eth0"]))
        }
    }

    private static func answer(_ exchange: Exchange) -> FakeTransport.Answer {
        var fields = HTTPFields()
        fields[.eTag] = "\"1\""
        return FakeTransport.Answer(200, fields, body: bytes)
    }

    /// The server has accepted it, and is only asked for its length.
    @Test func anAcceptedStreamDoesNotWait() async throws {
        let stage = try Stage(path: FakePathMonitor.none) { exchange, _ in
            if exchange.method == .head { return .init(failure: Self.unreachable) }
            var answer = FakeTransport.Answer(201)
            answer.sentOfStream = 3
            return answer
        }
        let (reading, _) = try Descriptor.pipe()
        let upload = Upload(source: .stream(descriptor: reading.number, name: "stdin"))
        let spec = Spec(url: try TransferURL("http://a.test/x"), operation: .upload(upload))
        let id = try await stage.queue.add([spec], paused: false)[0]
        #expect(await eventually(nudging: stage.passTime) { try await stage.first.state != .running })
        let end = try await stage.first
        #expect(end.id == id && end.state == .completed && end.httpStatus == 201)
        #expect(stage.transport.exchanges.map(\.method) == [.put, .head])
        withExtendedLifetime(reading) {}
    }

    @Test func waitsWithAReasonAndResumes() async throws {
        let isDown = Atomic<Bool>(true)
        let stage = try Stage(path: FakePathMonitor.none) { exchange, _ in
            isDown.load(ordering: .relaxed) ? .init(failure: Self.unreachable) : Self.answer(exchange)
        }
        let id = try await stage.add("a")[0]
        let waiting = try await stage.wait(for: .waiting, of: id)
        #expect(waiting.note == .network(.obstacle(.noInterface)))
        #expect(waiting.waitingSince == stage.scheduler.wallNow)
        #expect(waiting.unavailableReason == nil && !waiting.canBeLifted)
        #expect(
            try await stage.queue.rates(seconds: 1, of: nil).network
                == NetworkInUse(interface: nil, obstacle: "no network interface is up"))

        // Another reason; the wait is the same one.
        let down = NetworkInterface(name: "wlan0", kind: .wifi, isUp: false, hasLink: false)
        stage.monitor.set(
            NetworkPath(status: .unsatisfied(.noRoute(host: "a.test", down: "wlan0")), interfaces: [down]))
        #expect(
            await eventually(nudging: { stage.monitor.fire(PathChange(lost: ["wlan0"])) }) {
                try await stage.first.note == .network(.obstacle(.noRoute(host: "a.test", down: "wlan0")))
            })
        #expect(try await stage.first.waitingSince == waiting.waitingSince)

        isDown.store(false, ordering: .relaxed)
        #expect(
            await eventually(nudging: {
                stage.passTime()
                stage.restore()
            }) { try await stage.first.state == .completed })
        let done = try await stage.first
        #expect(done.attempt == 1)
        #expect(done.waitingSince == nil && done.note == nil)
        #expect(try await stage.queue.rates(seconds: 1, of: nil).network == nil)
        #expect(try stage.folder.read("a") == Self.bytes)
    }

    /// An interface that appears without reaching anything is no event; the next evaluation finds it.
    @Test func reportsAnotherReasonWithoutAnEvent() async throws {
        let stage = try Stage { _, _ in .init(failure: Self.unreachable) }
        let id = try await stage.add("a") { $0.interface = "eth7" }[0]
        #expect(
            try await stage.wait(for: .waiting, of: id).note == .network(.obstacle(.interfaceMissing("eth7"))))
        var path = FakePathMonitor.wired
        path.interfaces.append(NetworkInterface(name: "eth7", kind: .wired, isUp: false, hasLink: false))
        stage.monitor.set(path)
        #expect(
            await eventually(nudging: { stage.passTime() }) {
                try await stage.first.note == .network(.obstacle(.interfaceDown("eth7")))
            })
    }

    /// Each attempt during a wait fails as before: nothing is reported, no attempt is counted.
    @Test func probesAreNotReported() async throws {
        let stage = try Stage(path: FakePathMonitor.none) { _, _ in .init(failure: Self.unreachable) }
        let id = try await stage.add("a")[0]
        _ = try await stage.wait(for: .waiting, of: id)
        let seen = Mutex<[TransferEvent]>([])
        let updates = stage.queue.updates()
        let listening = Task {
            for await case .events(let events) in updates { seen.withLock { $0 += events } }
        }
        for count in 2...6 {
            #expect(
                await eventually(nudging: { stage.passTime() }) {
                    stage.transport.exchanges.count >= count && stage.transport.countUnderWay == 0
                })
        }
        let transfer = try await stage.first
        #expect(transfer.state == .waiting && transfer.attempt == 1)
        #expect(seen.withLock { $0.isEmpty })
        listening.cancel()
    }

    /// The way is back, yet the first try over it fails: what has arrived before the wait is not lost with it.
    @Test func failuresAfterAWaitKeepTheBytes() async throws {
        let stage = try Stage { _, number in
            var fields = HTTPFields()
            fields[.eTag] = "\"1\""
            switch number {
            case 1:
                fields[.contentLength] = "1000"
                var answer = FakeTransport.Answer(200, fields, body: Array(Self.bytes[..<400]))
                answer.failure = Self.broken
                return answer
            case 2: return .init(failure: Self.unreachable)
            default:
                fields[.contentRange] = "bytes 400-999/1000"
                return FakeTransport.Answer(206, fields, body: Array(Self.bytes[400...]))
            }
        }
        stage.monitor.set(FakePathMonitor.none)
        let id = try await stage.add("a")[0]
        #expect(try await stage.wait(for: .waiting, of: id).bytes == 400)
        stage.monitor.set(FakePathMonitor.wired)
        #expect(await eventually(nudging: { stage.passTime() }) { try await stage.first.state == .completed })
        let done = try await stage.first
        #expect(done.attempt == 2)
        #expect(done.metrics?.resumedFrom == 400)
        #expect(stage.transport.exchanges.count == 3)
        #expect(try stage.folder.read("a") == Self.bytes)
    }

    @Test func liftsNetworkRestrictions() async throws {
        let stage = try Stage(path: Self.lte) { exchange, _ in Self.answer(exchange) }
        let id = try await stage.add("a") { $0.allowsExpensive = false }[0]
        let waiting = try await stage.wait(for: .waiting, of: id)
        #expect(waiting.note == .network(.notAllowed(.expensive, interface: "wwan0")))
        #expect(
            try await stage.queue.rates(seconds: 1, of: nil).network
                == NetworkInUse(interface: "wwan0", expensive: true))
        #expect(waiting.unavailableReason == "expensive" && waiting.canBeLifted)
        #expect(stage.transport.exchanges.isEmpty)
        try await stage.queue.perform(.liftRestrictions, on: [id])
        #expect(try await stage.wait(for: .completed, of: id).unavailableReason == nil)
    }

    /// What comes up in the moment of an attempt may be a network that is excluded.
    @Test(arguments: [FakePathMonitor.none, pending])
    func restrictedTransfersMakeNoAttemptBeforeTheirNetworkIsKnown(_ path: NetworkPath) async throws {
        let stage = try Stage(path: path) { exchange, _ in Self.answer(exchange) }
        let id = try await stage.add("a") { $0.allowsExpensive = false }[0]
        _ = try await stage.wait(for: .waiting, of: id)
        stage.monitor.set(Self.lte)
        // Blind attempts of others are due long before.
        stage.scheduler.advance(by: 120)
        #expect(
            await eventually(nudging: { stage.passTime() }) {
                try await stage.first.note == .network(.notAllowed(.expensive, interface: "wwan0"))
            })
        #expect(stage.transport.exchanges.isEmpty)
        stage.restore()
        #expect(await eventually(nudging: { stage.passTime() }) { try await stage.first.state == .completed })
    }

    private static let noRoute = PathObstacle.noRoute(host: "a.test", down: nil)

    /// One download is completed; to the address that it came from there is no route any more.
    private func stageWithLostAddress() async throws -> Stage {
        let stage = try Stage { exchange, _ in
            var answer = Self.answer(exchange)
            answer.remoteAddress = "2001:db8::1"
            return answer
        }
        let first = try await stage.add("a")[0]
        _ = try await stage.wait(for: .completed, of: first)
        stage.monitor.setAddressed(NetworkPath(status: .unsatisfied(Self.noRoute)))
        return stage
    }

    /// The host was reached over IPv6; the network that is there by now has only IPv4. Without an attempt, the name
    /// would not be resolved again.
    @Test func aKnownAddressHidesNoPermittedNetwork() async throws {
        let stage = try await stageWithLostAddress()
        let id = try await stage.add("b") { $0.allowsExpensive = false }[0]
        _ = try await stage.wait(for: .completed, of: id)
        #expect(stage.monitor.asked.contains { !$0.addresses.isEmpty })
    }

    /// With neither network, the wait is for the one to the known address.
    @Test func aKnownAddressStaysWithoutAnyNetwork() async throws {
        let stage = try await stageWithLostAddress()
        stage.monitor.set(FakePathMonitor.none)
        let id = try await stage.add("b") { $0.allowsExpensive = false }[0]
        #expect(try await stage.wait(for: .waiting, of: id).note == .network(.obstacle(Self.noRoute)))
        #expect(stage.transport.exchanges.count == 1)
    }

    @Test func theCostIsAwaitedWithoutWaitingForNetworks() async throws {
        let stage = try Stage(path: Self.pending) { exchange, _ in Self.answer(exchange) }
        let id = try await stage.add("a") { ($0.allowsExpensive, $0.waitsForConnectivity) = (false, false) }[0]
        #expect(try await stage.wait(for: .waiting, of: id).note == .network(.costPending(interface: "wlan0")))
        #expect(stage.transport.exchanges.isEmpty)
        stage.restore()
        _ = try await stage.wait(for: .completed, of: id)
    }

    /// Once the cost is known, or the network has gone, it fails at once.
    @Test(arguments: [(lte, "expensive"), (FakePathMonitor.none, nil)] as [(NetworkPath, String?)])
    func failsWithTheCostWithoutWaitingForNetworks(_ path: NetworkPath, _ reason: String?) async throws {
        let stage = try Stage(path: Self.pending) { exchange, _ in Self.answer(exchange) }
        let id = try await stage.add("a") { ($0.allowsExpensive, $0.waitsForConnectivity) = (false, false) }[0]
        #expect(try await stage.wait(for: .waiting, of: id).note == .network(.costPending(interface: "wlan0")))
        // No time passes.
        stage.restore(path)
        let failed = try await stage.wait(for: .failed, of: id)
        #expect(failed.error?.code == .cannotConnect)
        #expect(failed.error?.fields.networkUnavailableReason == reason)
        #expect(stage.transport.exchanges.isEmpty)
    }

    @Test func liftedRestrictionsApplyToLaterAttempts() async throws {
        let stage = try Stage(path: Self.lte) { exchange, number in
            number == 1 ? .init(failure: Self.broken) : Self.answer(exchange)
        }
        let id = try await stage.add("a") { $0.allowsCellular = false }[0]
        _ = try await stage.wait(for: .waiting, of: id)
        try await stage.queue.perform(.liftRestrictions, on: [id])
        _ = try await stage.wait(for: .retrying, of: id)
        stage.scheduler.advance(by: 61)
        #expect(try await stage.wait(for: .completed, of: id).attempt == 2)
    }

    @Test(
        arguments: [
            (FakePathMonitor.none, true, "no network interface is up", nil),
            (lte, true, "only an expensive network (wwan0) is up", "expensive"),
        ] as [(NetworkPath, Bool, String, String?)])
    func failsImmediatelyWithoutWaiting(
        _ path: NetworkPath, _ isDown: Bool, _ obstacle: String, _ reason: String?
    ) async throws {
        let stage = try Stage(path: path) { _, _ in .init(failure: Self.unreachable) }
        let id = try await stage.add("a") {
            $0.waitsForConnectivity = false
            $0.allowsExpensive = false
        }[0]
        let failed = try await stage.wait(for: .failed, of: id)
        #expect(failed.attempt == 1)
        #expect(failed.error?.code == .cannotConnect)
        #expect(failed.error?.fields.networkObstacle == obstacle)
        #expect(failed.error?.fields.networkUnavailableReason == reason)
        #expect(failed.error?.message.contains(obstacle) == true)
    }

    /// The second attempt has less of it.
    @Test func theResourceTimeoutIsStatedAsItWasSet() async throws {
        let stage = try Stage { exchange, number in
            if number == 1 { return .init(failure: Self.broken) }
            var answer = Self.answer(exchange)
            answer.stalls = true
            return answer
        }
        _ = try await stage.add("a") { $0.resourceTimeout = 30 }
        #expect(await eventually(nudging: { stage.passTime() }) { try await stage.first.state == .failed })
        let failed = try await stage.first
        #expect(failed.attempt == 2 && failed.error?.fields.timer == .resource)
        #expect(failed.error?.message.contains("not done within 30 s") == true)
    }

    @Test func networkChangesStartScheduledAttempts() async throws {
        let stage = try Stage { exchange, number in
            number <= 4 ? .init(failure: Self.broken) : Self.answer(exchange)
        }
        let id = try await stage.add("a")[0]
        for count in 1...4 {
            #expect(
                await eventually(nudging: {}) {
                    let transfer = try await stage.first
                    return transfer.state == .retrying && stage.transport.exchanges.count == count
                })
            // The network that is there says nothing of the one that was: only what has been gained counts.
            stage.monitor.fire(PathChange(lost: ["eth1"]))
            stage.restore()
            #expect(
                await eventually(nudging: {}) {
                    try await stage.first.retryAt ?? .infinity <= stage.scheduler.wallNow + 1
                })
            stage.scheduler.advance(by: 1)
        }
        // Four failures in a row where two are allowed: what the network's changes cut short was not counted.
        #expect(try await stage.wait(for: .completed, of: id).attempt == 5)
    }

    @Test func waitsAgainAfterAPause() async throws {
        let stage = try Stage(path: FakePathMonitor.none) { _, _ in .init(failure: Self.unreachable) }
        let id = try await stage.add("a")[0]
        _ = try await stage.wait(for: .waiting, of: id)
        try await stage.queue.perform(.pause, on: [id])
        #expect(try await stage.first.waitingSince == nil)
        try await stage.queue.perform(.resume, on: [id])
        #expect(try await stage.wait(for: .waiting, of: id).note == .network(.obstacle(.noInterface)))
    }

    /// All wait, the network returns: no more of them run at once than may.
    @Test func resumedTransfersWaitForASlot() async throws {
        let isDown = Atomic<Bool>(true)
        let stage = try Stage(path: FakePathMonitor.none, concurrent: 1) { exchange, _ in
            guard !isDown.load(ordering: .relaxed) else { return .init(failure: Self.unreachable) }
            var answer = Self.answer(exchange)
            answer.stalls = true
            return answer
        }
        let ids = try await stage.add("a", "b", "c")
        for id in ids { _ = try await stage.wait(for: .waiting, of: id) }
        isDown.store(false, ordering: .relaxed)
        #expect(
            await eventually(nudging: {
                stage.passTime()
                stage.restore()
            }) {
                let states = try await stage.queue.snapshot().transfers.map(\.state)
                return states.count { $0 == .running } == 1 && states.count { $0 == .queued } == 2
            })
    }

    /// It waited for the network and has no slot when that is back; then its server asks for a pause.
    @Test func aRefusalWithoutASlotIsNotRepeatedAtOnce() async throws {
        let pause: HTTPFields = [try #require(HTTPField.Name("Retry-After")): "1000"]
        let isDown = Atomic<Bool>(true)
        let stage = try Stage(path: FakePathMonitor.none, concurrent: 1) { exchange, _ in
            guard !isDown.load(ordering: .relaxed) else { return .init(failure: Self.unreachable) }
            if exchange.url.path == "/b" { return FakeTransport.Answer(429, pause) }
            var answer = Self.answer(exchange)
            answer.stalls = true
            return answer
        }
        let ids = try await stage.add("a", "b")
        for id in ids { _ = try await stage.wait(for: .waiting, of: id) }
        isDown.store(false, ordering: .relaxed)
        #expect(
            await eventually(nudging: {
                stage.passTime()
                stage.restore()
            }) { try await stage.queue.snapshot().transfers.map(\.state) == [.running, .retrying] })
        let retryAt = try await stage.queue.snapshot().transfers[1].retryAt
        #expect(retryAt.map { $0 > stage.scheduler.wallNow + 900 } == true)
    }

    /// A task that lost its slot while it waited is suspended already when its transfer is paused.
    @Test func aPauseInLineForASlotIsNoSecondSuspension() async throws {
        let isDown = Atomic<Bool>(true)
        let answered = Atomic<Int>(0)
        let stage = try Stage(path: FakePathMonitor.none, concurrent: 1) { exchange, _ in
            guard !isDown.load(ordering: .relaxed) else { return .init(failure: Self.unreachable) }
            var answer = Self.answer(exchange)
            guard answered.add(1, ordering: .relaxed).newValue > 2 else {
                answer.head?.headerFields[.contentLength] = "1000"
                (answer.body, answer.stalls) = (Array(Self.bytes[..<400]), true)
                return answer
            }
            guard exchange.fields[.range] != nil else { return answer }
            var fields = answer.head?.headerFields ?? [:]
            fields[.contentRange] = "bytes 400-999/1000"
            return FakeTransport.Answer(206, fields, body: Array(Self.bytes[400...]))
        }
        let ids = try await stage.add("a", "b")
        for id in ids { _ = try await stage.wait(for: .waiting, of: id) }
        isDown.store(false, ordering: .relaxed)
        #expect(
            await eventually(nudging: {
                stage.passTime()
                stage.restore()
            }) {
                try await Set(stage.queue.snapshot().transfers.map(\.state)) == [.running, .queued]
            })
        let transfers = try await stage.queue.snapshot().transfers
        let running = try #require(transfers.first { $0.state == .running }?.id)
        let queued = try #require(transfers.first { $0.state == .queued }?.id)
        try await stage.queue.perform(.pause, on: [queued])
        try await stage.queue.perform(.resume, on: [queued])
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [running])
        _ = try await stage.wait(for: .running, of: queued)

        // Only a task that runs notices that its network goes, and comes back with it.
        stage.monitor.set(FakePathMonitor.none)
        #expect(
            await eventually(nudging: { stage.monitor.fire(PathChange(lost: ["eth0"])) }) {
                try await stage.queue.snapshot().transfers.first { $0.id == queued }?.state == .waiting
            })
        #expect(
            await eventually(nudging: {
                stage.passTime()
                stage.restore()
            }) { try await stage.queue.snapshot().transfers.first { $0.id == queued }?.state == .completed })
    }

    /// The server does not respond to the question for its protocols, which was asked while the transfer waited.
    @Test(arguments: [UploadResumption.auto, .ietf])
    func anUploadGoesOnAfterAnUnansweredQuestion(_ resumption: UploadResumption) async throws {
        let isDown = Atomic<Bool>(true)
        let silence = ExchangeFailure(.requestTimeout(seconds: 10), detail: "no response")
        let stage = try Stage(path: FakePathMonitor.none) { exchange, _ in
            guard exchange.method == .options else { return .init(201) }
            return .init(failure: isDown.load(ordering: .relaxed) ? Self.unreachable : silence)
        }
        let path = try stage.folder.write([UInt8](repeating: 1, count: 1 << 20), to: "source")
        var upload = Upload(source: .file(path: path), form: .put)
        upload.resumption = resumption
        let spec = Spec(url: try TransferURL("http://a.test/in/"), operation: .upload(upload))
        let id = try await stage.queue.add([spec], paused: false)[0]
        _ = try await stage.wait(for: .waiting, of: id)
        isDown.store(false, ordering: .relaxed)
        #expect(
            await eventually(nudging: {
                stage.passTime()
                stage.restore()
            }) { stage.transport.exchanges.map(\.method).suffix(2) == [.options, .put] })
    }

    /// Polls, with an action in between: the queue's progress is unknown.
    private func eventually(nudging nudge: () -> Void, _ condition: () async throws -> Bool) async -> Bool {
        for _ in 0..<5000 {
            if (try? await condition()) == true { return true }
            nudge()
            try? await Task.sleep(for: .milliseconds(2))
        }
        return false
    }
}

@Suite struct TransferQueueWaitTests {
    private func waiting(_ queue: inout TransferQueue) -> TransferID {
        let id = queue.add { Transfer(id: $0, kind: .download, url: "", file: "", state: .queued) }
        queue.update(id) { $0.status = .running() }
        queue.update(id) { $0.status = .waiting(NetworkWait(.silentResolver, since: 1)) }
        return id
    }

    @Test func clearsTheReasonAfterAWait() {
        var queue = TransferQueue()
        let id = waiting(&queue)
        #expect(queue[id]?.waitingSince == 1)
        queue.update(id) { $0.status = .paused(.by(.transfer)) }
        #expect(queue[id]?.waitingSince == nil && queue[id]?.note == nil)
    }

    @Test func limitsWaitingTransfers() {
        var queue = TransferQueue()
        let ids = (0..<TransferQueue.maximumWaiting).map { _ in waiting(&queue) }
        let next = queue.add { Transfer(id: $0, kind: .download, url: "", file: "", state: .queued) }
        #expect(queue.nextToStart(at: 0) == nil)
        queue.update(ids[0]) { $0.status = .running() }
        #expect(queue.nextToStart(at: 0) == next)
    }
}
