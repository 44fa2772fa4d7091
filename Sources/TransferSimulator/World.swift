// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import TransferControl
import TransferModel
import TransferService
import TransferStore
import TransferTesting

/// One run of one seed: the client's processes, one after the other, and everything around them.
final class World: @unchecked Sendable {  // Used on one thread.
    let seed: UInt64
    let bug: PlantedBug?
    let course: Course
    let machine: Machine
    let trace: Trace
    let swarm: Swarm
    let origin: Origin
    let network: Network
    let disk: Disk
    let ledger: Ledger
    let scheduler: VirtualScheduler
    let folder: String
    private(set) var queue: DurableQueue?
    /// `nil` where all clients are in the queue's process.
    private(set) var control: Control?
    /// The process is ending in order: its queue may have come to rest, and the next one carries out what was
    /// confirmed.
    private(set) var isEnding = false
    private var boot = 1
    /// What further clients have been shown by this process.
    var views: [View] = []
    /// Clients of the process under way.
    private var tasks: [Task<Void, Never>] = []
    private var store: TransferStore?
    /// Whether the limits are checked after each event.
    var checksLimits = true
    /// Whether a session limits the connections to a host, as a library's does. The program leaves that to its queue.
    var limitsConnections = true
    /// What is to happen, earliest first; survives processes.
    private var plan: [(time: Double, action: () -> Void)] = []

    /// Seconds of virtual time with faults.
    static let faultyTime = 150.0
    /// Seconds in which everything must end without them.
    static let calmTime = 6 * 3600.0
    /// Of these, the first without answers to what transfers ask.
    static let silentTime = 3000.0
    /// Of a seed; no seed that ends well needs a tenth of them.
    var maximumSteps = 400_000

    /// - Parameter swarm: `nil`: the seed draws it.
    init(seed: UInt64, folder: String, bug: PlantedBug?, course: Course, swarm: Swarm? = nil, trace: Trace) {
        (self.seed, self.folder, self.bug, self.course, self.trace) = (seed, folder, bug, course, trace)
        let machine = Machine(seed: seed, trace: trace)
        let swarm = swarm ?? Swarm(&machine.random, only: course.faults)
        (self.machine, self.swarm) = (machine, swarm)
        origin = Origin(machine, swarm)
        network = Network(machine, origin)
        disk = Disk(folder, machine, swarm, bug)
        ledger = Ledger(machine, origin)
        scheduler = VirtualScheduler(machine, bug)
        if swarm.has(.slowJobs) {
            trace.met(.slowJobs)
            machine.slowness = (Int.random(in: 1...30, using: &machine.random), [0.01, 0.3, 3][origin.draw(0...2)])
        }
        machine.watch = { [unowned self] in queue?.compareLives() }
        network.moved = { [ledger] in ledger.moved($0) }
        network.movedBelow = { [ledger] in ledger.moved($0, below: $1) }
        network.wanted = { [ledger] in ledger.answers.learn(from: $0) }
        network.sending = { [ledger] in
            ledger.answers.check($0)
            ledger.sending($0)
        }
        network.fetching = { [ledger] in
            ledger.fetches.began($0, isRequested: $1)
            ledger.moved($0)
        }
        network.accepted = { [ledger] in ledger.fetches.accepted($0) }
        disk.renamed = { [ledger] in ledger.named($1, wasNameless: $0 == nil) }
        disk.syncFails = { [unowned self] in
            guard swarm.has(.kill), machine.random.once(in: 4) else { return }
            trace.sometimes("kill: before a failed sync is noted")
            killSoon(after: 0)
        }
        trace.note(0, "seed \(seed): \(swarm.faults.map(\.rawValue).sorted().joined(separator: " "))")
    }

    var files: String { "\(folder)/files" }
    var state: String { "\(folder)/state-\(network.life)" }

    // MARK: A run

    func run() {
        prepare()
        defer { Simulation.shared.world = nil }
        open()
        let user = User(self)
        network.ending = { [weak user] in user?.mayInterrupt($0, "at an end", odds: 20) }
        ledger.placing = { [weak user] in user?.mayInterrupt($0, "at a name", odds: 6) }
        ledger.answers.asked = { [weak user] in user?.asked($0, $1) }
        user.plan()
        planSurroundings()
        proceed(until: machine.now + Self.faultyTime)
        guard trace.violation == nil else { return finish() }
        calmDown()
        user.wantEverything(answers: false)
        let end = machine.now + Self.calmTime
        let silenceEnds = machine.now + Self.silentTime
        while trace.violation == nil, machine.now < end, !user.isSatisfied {
            // Failures that a fault has caused are retried.
            proceed(until: machine.now + 600)
            let isSilent = machine.now < silenceEnds && !user.hasOnlyQuestions
            if !isSilent, machine.now < silenceEnds + 600, !user.hasOnlyQuestions {
                let invariant = ledger.answers.open.isEmpty ? "liveness" : "what asks holds up nothing else"
                trace.violate(invariant, user.whatIsLeft)
            }
            if !user.isSatisfied { user.wantEverything(answers: !isSilent) }
        }
        if trace.violation == nil, !user.isSatisfied { trace.violate("liveness", user.whatIsLeft) }
        if trace.violation == nil { compareViews() }
        finish()
    }

    /// An empty folder, where the functions of the process are the run's from now on.
    func prepare() {
        Files.remove(folder)
        mkdir(folder, 0o700)
        mkdir(files, 0o755)
        let first = "\(folder)/state-1"
        mkdir(first, 0o700)
        // Some courses begin with the making of the store.
        if !machine.random.once(in: 8) { StoreTemplate.shared.lay(in: first) }
        if isRemote {
            trace.met(.remoteFolder)
            let table = """
                1 0 0:1 / / rw - ext4 /dev/root rw
                2 1 0:2 / \(files) rw - nfs server:/files rw

                """
            Files.write(Array(table.utf8), to: "\(folder)/mounts")
        }
        if isInMemory { trace.met(.memoryFolder) }
        disk.syncAll()
        Simulation.shared.world = self
    }

    /// Whether calls on the users' files may hang, as far as the client knows.
    private var isRemote: Bool { swarm.has(.remoteFolder) || swarm.has(.hangingFolder) }

    func finish() {
        leave()
        checkSecrets()
        Files.remove(folder)
        free()
        // What is left of a process in memory refers to its servers.
        plan = []
        origin.end()
        ledger.end()
    }

    /// Whether nothing below the users' files needs a sync. A power cut would take all of them.
    private var isInMemory: Bool { swarm.has(.memoryFolder) && !swarm.has(.powerCut) }

    /// A client of the process under way, which listens until that ends.
    func listen(_ body: @escaping @Sendable () async -> Void) { tasks.append(Task(operation: body)) }

    func at(_ time: Double, _ action: @escaping () -> Void) {
        let index = plan.firstIndex { $0.time > time } ?? plan.count
        plan.insert((time, action), at: index)
    }

    /// Runs steps and what is planned.
    func proceed(until end: Double) {
        while trace.violation == nil {
            let next = plan.first.map { min($0.time, end) } ?? end
            if machine.step(until: next) {
                if machine.steps > maximumSteps {
                    trace.violate("liveness", "no end after \(machine.steps) steps")
                }
                continue
            }
            machine.advance(to: next)
            guard let first = plan.first, first.time <= machine.now else { return }
            plan.removeFirst()
            first.action()
        }
    }

    /// Runs at most so many steps, and no longer than a second.
    func proceed(steps: Int) {
        let end = machine.now + 1
        for _ in 0..<steps where trace.violation == nil { guard machine.step(until: end) else { return } }
    }

    func calmDown() {
        trace.note(machine.now, "faults stop")
        (origin.isFaulty, disk.isFaulty, disk.isFull, disk.isReadOnly) = (false, false, false, false)
        origin.allowAllRequests()
        machine.slowness = (0, 0)
        network.set(isUp: true, isExpensive: false)
        plan = []
        if queue == nil { open() }
    }

    // MARK: Processes

    /// Starts the client's process.
    func open() {
        guard queue == nil else { return }
        isEnding = false
        network.begin()
        let life = network.life
        let transport =
            swarm.has(.fetches) ? FetchingTransport(network, bug) : SimulatedTransport(network, bug)
        var session = TransferConfiguration()
        session.proxy = .none
        session.waitsForConnectivity = true
        if !limitsConnections { (session.maximumConnectionsPerHost, session.maximumConcurrentExchanges) = (.max, .max) }
        session.pathMonitor = network.monitor
        var configuration = LocalQueue.Configuration()
        configuration.asksUser = true
        configuration.jitter = { [machine] in Double.random(in: 0...1, using: &machine.random) }
        let comparesLives = getenv("FILEQ_SIMULATE_LIVES") != nil
        if comparesLives { configuration.comparesLives = { [trace] in trace.violate("one life", $0) } }
        let isInMemory = isInMemory
        configuration.disk.isInMemory = { _ in isInMemory }
        if isRemote { configuration.mountTable = "\(folder)/mounts" }
        // In UTC.
        let began = machine.wallNow
        configuration.localTime = { [bug] in TimetableLedger.time(of: bug == .hourForgotten ? began : $0) }
        if bug == .renameBeforeSync { configuration.disk.syncBytes = { _ in .init() } }
        if bug == .recordBeforeData {
            let (disk, sync) = (disk, configuration.disk.syncBytes)
            configuration.disk.syncBytes = { files in
                disk.isPlacing = true
                defer { disk.isPlacing = false }
                return sync(files)
            }
        }
        if bug == .nameNotSynced { configuration.disk.syncNames = { _ in [:] } }
        let boot = bug == .bootForgotten ? "boot-1" : "boot-\(boot)"
        BootID.simulate(boot)
        do {
            Simulation.watchFiles(true)
            try takeAnswers(&session)
            let store = try TransferStore(folder: state, time: machine.wallNow)
            self.store = store
            if bug == .holdLeftUnfinished { try finishHold(of: store) }
            queue = try DurableQueue(
                store: store, transport: transport, configuration: configuration, session: session,
                scheduler: scheduler, bootID: boot)
            if swarm.has(.controlClients), let queue { control = Control(self, queue) }
        } catch {
            trace.sometimes("opening failed")
            trace.note(machine.now, "opening failed: \(error.code.name)")
            network.life -= 1
            at(machine.now + 5) { [self] in open() }
            return
        }
        trace.note(machine.now, "process \(life)")
        views = []
        listen(life)
    }

    private func listen(_ life: Int) {
        guard let queue else { return }
        let expected = ledger.expectation
        listen { [self] in
            if life > 1, let snapshot = try? await queue.snapshot(), life == network.life {
                var history: Set<TransferID>?
                if ledger.needsHistory, let entries = try? await queue.history(HistoryQuery(limit: 1000)) {
                    history = Set(entries.map(\.transfer.id))
                }
                guard let timetable = try? await queue.timetable(), life == network.life else { return }
                ledger.check(snapshot, timetable, history, expected)
            }
            for await update in queue.updates() where life == network.life {
                ledger.take(update)
                let known = ledger.answers.known
                if checksLimits, case .events = update, let snapshot = try? await queue.snapshot(), life == network.life
                {
                    ledger.checkLimits(snapshot.transfers)
                    ledger.answers.check(snapshot.transfers, known)
                }
            }
        }
    }

    /// The process is gone; its files are as they are.
    private func leave() {
        Simulation.watchFiles(false)
        Simulation.releaseDescriptors(below: folder)
        network.end()
        Simulation.quietly { machine.drop() }
    }

    /// Frees what the process left in memory, once no file is left that this could change.
    private func free() {
        let life = network.life
        network.life = -1
        Simulation.quietly {
            queue = nil
            machine.end(tasks) {
                control?.abandon()
                store?.close()
            }
            control = nil
            (tasks, store) = ([], nil)
        }
        network.life = life
    }

    /// - Returns: whether there was a process.
    @discardableResult
    func kill(_ end: Ledger.End) -> Bool {
        guard queue != nil else { return false }
        trace.met(end == .clean ? .cleanEnd : end == .kill ? .kill : .powerCut)
        trace.note(machine.now, end.rawValue)
        trace.sometimes("process: \(end.rawValue)")
        let old = state
        leave()
        checkSecrets()
        if end == .powerCut {
            disk.cut()
            boot += 1
            origin.uploads.forgetAll()
        }
        let next = "\(folder)/state-\(network.life + 1)"
        disk.replace(old, by: next)
        free()
        if bug == .journalLosesWrite { loseLastWrite(next) }
        ledger.restarted(after: end)
        // Another process queues again what waited for its time.
        origin.allowAllRequests()
        at(machine.now + Double(origin.draw(0...50)) / 10) { [self] in open() }
        return true
    }

    /// Logins and keys that users gave for ever.
    private func takeAnswers(_ session: inout TransferConfiguration) throws(TransferError) {
        guard swarm.has(.logins) || swarm.has(.untrustedServers) else { return }
        let keys = try TrustStore(file: "\(state)/keys")
        ledger.answers.check(keys.all)
        (session.trustStore, session.credentialStorage) = (keys, try CredentialStorage(file: "\(state)/logins"))
    }

    /// As if a hold had reached all transfers when the process ended.
    private func finishHold(of store: TransferStore) throws(TransferError) {
        guard var settings = try store.settings(), settings.isHoldUnfinished == true else { return }
        settings.isHoldUnfinished = nil
        try store.keep(settings)
    }

    private func loseLastWrite(_ folder: String) {
        let path = "\(folder)/queue.sqlite-wal"
        // A frame of SQLite's log has a header and a page.
        guard let bytes = Files.read(path), bytes.count > 24 + 4096 else { return }
        Files.write(Array(bytes.dropLast(24 + 4096)), to: path)
    }

    /// An orderly end.
    func endCleanly() {
        guard let queue else { return }
        trace.note(machine.now, "shut down")
        isEnding = true
        control?.refuseConnections()
        let life = network.life
        Task { [self] in
            await queue.shutDown()
            guard life == network.life else { return }
            if machine.isHanging { at(machine.now) { [self] in kill(.clean) } } else { kill(.clean) }
        }
    }
}
