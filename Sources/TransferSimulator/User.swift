// SPDX-License-Identifier: MIT

import Glibc
import TransferControl
import TransferModel
import TransferService
import TransferTesting

/// The clients of the queue: what they add, and their commands at any time, several at once, some twice.
final class User: @unchecked Sendable {  // Used on one thread.
    let world: World
    private var count = 0
    /// Given so far.
    var answers = 0
    private var wishes: [Ledger.Item] = []

    init(_ world: World) { self.world = world }

    var origin: Origin { world.origin }
    var machine: Machine { world.machine }
    var ledger: Ledger { world.ledger }
    private func time() -> Double { world.time() }

    func plan() {
        for _ in 0..<origin.draw(1...6) { wishes.append(wish()) }
        if world.swarm.has(.fetches) {
            world.trace.met(.fetches)
            for _ in 0..<origin.draw(4...14) { wishes.append(wish(.small)) }
        }
        if let most = world.course.transfers { wishes = Array(wishes.prefix(most)) }
        let first = wishes
        world.at(machine.now) { [self] in add(first) }
        for _ in 0..<origin.draw(0...3) {
            let item = wish()
            let time = time()
            if let most = world.course.transfers, wishes.count >= most { continue }
            wishes.append(item)
            world.at(time) { [self] in add([item]) }
        }
        planGuards()
        guard world.swarm.has(.commands) else { return }
        for _ in 0..<origin.draw(1...14) { world.at(time()) { [self] in command() } }
        planUndo()
    }

    /// - Parameter size: of a file, of either direction.
    func wish(_ size: Origin.Size = .any) -> Ledger.Item {
        count += 1
        let isSecure = world.swarm.has(.untrustedServers) && origin.draw(0...2) == 0
        let host = isSecure ? Self.secureHosts[origin.draw(0...1)] : Self.hosts[origin.draw(0...2)]
        let secret = origin.draw(0...2) == 0 ? "\(Secrets.mark)\(count)" : nil
        let item: Ledger.Item
        if origin.draw(0...9) < 6 {
            let isFixed = origin.draw(0...3) == 0 && (size != .small || origin.draw(0...2) == 0)
            let path = "/f\(count)"
            // Each costs time; a power cut is what may show most of them.
            let odds = world.swarm.has(.powerCut) ? 8 : 16
            let isLarge = world.swarm.has(.largeFiles) && machine.random.once(in: odds)
            if isLarge { world.trace.met(.largeFiles) }
            origin.addFile(path, isFixed: isFixed, size: isLarge ? .large : size)
            let mirror = isFixed ? addMirror(of: path) : nil
            item = .init(
                .download, path: path, file: "\(world.files)/f\(count)", host: host, isFixed: isFixed, mirror: mirror,
                secret: secret)
        } else {
            let most = size == .small ? 3000 : 150_000
            let bytes = patternedBytes(
                origin.draw(0...3) == 0 ? 0 : origin.draw(1...most), seed: machine.random.next())
            let kind = size == .small && origin.draw(0...3) > 0 ? 0 : origin.draw(0...3)
            let path = ["/put", "/fileq", "/ietf", "/tus"][kind] + "\(count)"
            let file = "\(world.files)/u\(count)"
            Files.write(bytes, to: file)
            // Not the time of the real clock.
            Files.setTime(timespec(tv_sec: 1_700_000_000, tv_nsec: 0), of: file)
            world.disk.hasAlways(file)
            item = .init(.upload, path: path, file: file, host: host, source: bytes, secret: secret)
        }
        origin.secrets[item.path] = secret
        item.isImpatient = origin.draw(0...7) == 0
        item.isSecure = isSecure
        if world.swarm.has(.logins), origin.draw(0...2) == 0 {
            let realm = Self.realms[origin.draw(0...1)]
            origin.guards.realms[item.path] = realm
            if let mirror = item.mirror, origin.draw(0...3) == 0 { origin.guards.realms[mirror] = realm }
        }
        ledger.asked(for: item)
        return item
    }

    private func addMirror(of path: String) -> String? {
        let isWrong = world.swarm.has(.wrongMirrors) && origin.draw(0...2) == 0
        guard isWrong || (world.swarm.has(.mirrors) && origin.draw(0...1) == 0) else { return nil }
        let mirror = "/m\(count)"
        origin.addMirror(of: path, at: mirror, isWrong: isWrong)
        return mirror
    }

    func spec(_ item: Ledger.Item) -> Spec? {
        let scheme = item.isSecure && item.host != nil ? "https" : "http"
        guard let url = try? TransferURL("\(scheme)://\(item.host ?? Self.hosts[0])\(item.path)") else { return nil }
        var spec = Spec(url: url, operation: operation(item))
        if item.isImpatient { spec.options.retries = 1 }
        if let secret = item.secret { try? spec.options.addHeader(name: Secrets.name, value: secret) }
        return spec
    }

    private func operation(_ item: Ledger.Item) -> Spec.Operation {
        switch item.kind {
        case .download:
            var download = Download(destination: .file(path: item.file))
            if item.isFixed, world.bug != .checksumUnchecked, let content = origin.files[item.path]?.current {
                download.checksum = SimulatedExchange.checksum(of: content)
            }
            if let mirror = item.mirror, let url = try? TransferURL("http://\(Origin.mirrorHost)\(mirror)") {
                download.mirrors = [FileMirror(url: url)]
            }
            return .download(download)
        case .upload:
            var upload = Upload(source: .file(path: item.file))
            if item.path.hasPrefix("/fileq") { upload.form = .fileQ(FileQUpload(sid: "session")) }
            if item.path.hasPrefix("/ietf") { upload.resumption = .ietf }
            if item.path.hasPrefix("/tus") { upload.resumption = .tus }
            return .upload(upload)
        }
    }

    // MARK: Commands

    func add(_ items: [Ledger.Item]) {
        guard let queue = world.queue else { return }
        let specs = items.compactMap(spec)
        let life = world.network.life
        ledger.beganAdding()
        if origin.isFaulty, machine.random.once(in: 25) { world.killSoon(after: origin.draw(0...8)) }
        Task { [self] in
            let given = try? await world.give(to: queue) { try await $0.add(specs, paused: false) }
            guard life == world.network.life else { return }
            ledger.endedAdding()
            guard let ids = given else { return }
            world.trace.note(machine.now, "added \(Self.list(ids))")
            for (id, item) in zip(ids, items) { ledger.added(id, item) }
            await learnOrder(queue, life)
        }
    }

    func learnOrder(_ queue: DurableQueue, _ life: Int) async {
        // Of several at once, the last one learns it.
        guard ledger.reorderings == 0 else { return }
        let changes = ledger.orderChanges
        guard let snapshot = try? await queue.snapshot(), life == world.network.life else { return }
        ledger.knowsOrder(snapshot.transfers.map(\.id), changes: changes)
    }

    private func command() {
        let ids = ledger.added.keys.sorted().filter { _ in origin.draw(0...2) == 0 }
        guard !ids.isEmpty else { return }
        let isHeld = ledger.hold.isHeld ?? true
        let rate: Int? = origin.draw(0...1) == 0 ? nil : origin.draw(1000...100_000)
        switch origin.draw(0...21) {
        case 0, 1: perform(.pause, ids, .paused)
        case 2: perform(.hold, ids)
        case 3, 4: perform(.resume, ids)
        case 5: perform(.cancel(deletingPartial: origin.draw(0...1) == 0), ids, .cancelled)
        case 6, 7: perform(.retry, ids)
        case 8: perform(.move([.top, .up, .down, .bottom][origin.draw(0...3)]), ids)
        case 9: perform(origin.draw(0...1) == 0 ? .limit(rate) : .priority(Double(origin.draw(0...4)) / 4), ids)
        case 10: perform(.remove, ids.filter(ledger.ended.contains))
        case 18: perform(.dismiss, ids.filter { ledger.states[$0]?.isEnded == true })
        case 19, 20: clear()
        case 21: readHistory()
        case 11: perform(.schedule(rate == nil ? nil : machine.wallNow + Double(origin.draw(1...300))), ids)
        case 12: for id in ids { relocate(id) }
        case 13, 14, 15: hold(!isHeld || origin.draw(0...3) == 0)
        default:
            if world.swarm.has(.timetable), origin.draw(0...2) > 0 { setTimetable() } else { setLimits(randomLimits()) }
        }
    }

    /// A command at the very moment at which an exchange for the transfer ends, or while its file is verified or named.
    func mayInterrupt(_ path: String, _ moment: String, odds: Int) {
        guard world.swarm.has(.commands), origin.isFaulty, machine.random.once(in: odds) else { return }
        guard let id = ledger.added.first(where: { $0.value.path == path })?.key else { return }
        world.trace.sometimes("command: \(moment)")
        switch origin.draw(0...4) {
        case 0, 1: perform(.pause, [id], .paused)
        case 2: perform(.hold, [id])
        case 3:
            holdOnce(true)
            releaseLater()
        default: perform(.cancel(deletingPartial: origin.draw(0...1) == 0), [id], .cancelled)
        }
    }

    func perform(_ command: QueueCommand, _ ids: [TransferID], _ promise: Ledger.Promise? = nil) {
        guard !ids.isEmpty else { return }
        let times = world.swarm.has(.duplicateCommands) && origin.draw(0...2) == 0 ? 2 : 1
        world.trace.met(.commands)
        if times > 1 { world.trace.met(.duplicateCommands) }
        for _ in 0..<times { performOnce(command, ids, promise) }
    }

    /// - Parameter next: called after a reply that reports no error.
    func performOnce(
        _ command: QueueCommand, _ ids: [TransferID], _ promise: Ledger.Promise?,
        then next: (@Sendable () -> Void)? = nil
    ) {
        guard let queue = world.queue, !ids.isEmpty else { return }
        let life = world.network.life
        ledger.began(ids, promising: promise)
        ledger.hold.began(command, ids)
        ledger.clear.began(command, ids)
        ledger.undo.began(command.word)
        if case .limit = command { ledger.rates.began(ids) }
        world.trace.sometimes("command: \(command.word)")
        world.trace.note(machine.now, "command: \(command) \(Self.list(ids))")
        if command == .retry { ledger.answers.beganRetry() }
        allowRequests(after: command, ids)
        switch command {
        case .retry, .cancel(deletingPartial: true): origin.uploads.mayRepeat.formUnion(paths(ids))
        default: break
        }
        let isDropped = world.bug == .commandDropped
        let changesOrder = command.changesOrder
        if changesOrder { ledger.beganReordering() }
        let leaves = command == .remove || command == .dismiss
        if leaves {
            ledger.beganRemoving(ids)
            for id in ids { ledger.leaves[id, default: 0] += 1 }
        }
        Task { [self] in
            var error: (any Error)?
            do {
                if !isDropped {
                    try await world.give(to: queue, mayBreak: !leaves) { try await $0.perform(command, on: ids) }
                }
            } catch let failure { error = failure }
            guard life == world.network.life else { return }
            let end = error.map { "\(($0 as? TransferError)?.code.rawValue ?? -1)" } ?? "done"
            world.trace.note(machine.now, "reply: \(command.word) \(Self.list(ids)) \(end)")
            ledger.ended(ids, promising: error == nil ? promise : nil)
            if leaves { for id in ids { ledger.leaves[id, default: 1] -= 1 } }
            ledger.hold.ended(command, ids)
            if case .limit(let rate) = command { ledger.rates.ended(ids, rate: error == nil ? .some(rate) : .none) }
            if command == .retry { ledger.answers.endedRetry() }
            // A refusal may have come before it was carried out.
            allowRequests(after: command, ids)
            if leaves {
                guard let snapshot = try? await queue.snapshot(), life == world.network.life else { return }
                ledger.endedRemoving(ids, succeeded: error == nil)
                ledger.clear.ended(command, ids, snapshot, succeeded: error == nil)
                // Another command, given before, may still return them.
                ledger.clear.touched(ids.filter { ledger.inFlight[$0, default: 0] > 0 })
                if error == nil {
                    if command == .remove { ledger.wasRemoved(ids, snapshot) }
                } else {
                    ledger.couldNotRemove(ids, snapshot)
                }
            }
            if changesOrder { ledger.endedReordering() }
            if changesOrder, error != nil { ledger.losesOrder() }
            if changesOrder { await learnOrder(queue, life) }
            if error == nil, life == world.network.life { next?() }
        }
    }

    /// The user may start the next attempts earlier than a server wants.
    private func allowRequests(after command: QueueCommand, _ ids: [TransferID]) {
        switch command {
        case .retry, .resume, .cancel, .remove: break
        default: return
        }
        for item in ids.compactMap({ ledger.added[$0] }) {
            origin.allowsRequests(of: item.path)
            if let mirror = item.mirror { origin.allowsRequests(of: mirror) }
        }
    }

    func paths(_ ids: [TransferID]) -> [String] { ids.compactMap { ledger.added[$0]?.path } }

    /// The same file at another server, which has the same versions.
    func relocate(_ id: TransferID, then next: (@Sendable () -> Void)? = nil) {
        let isSecure = world.swarm.has(.untrustedServers) && origin.draw(0...3) == 0
        let server = isSecure ? "https://\(Self.secureHosts[0])" : "http://\(Self.hosts[origin.draw(0...2)])"
        guard let queue = world.queue, let item = ledger.added[id], item.kind == .download, item.secret == nil,
            let url = try? TransferURL("\(server)\(item.path)")
        else { return }
        item.host = nil
        ledger.beganRelocation(id)
        origin.isAskedAnywhere(item.path)
        world.trace.sometimes("command: relocate")
        world.trace.note(machine.now, "command: relocate \(id) \(url.host)")
        let life = world.network.life
        Task { [self] in
            var error: (any Error)?
            do {
                _ = try await world.give(to: queue) { try await $0.relocate(id, to: Relocation(url: url)) }
            } catch let failure { error = failure }
            guard life == world.network.life else { return }
            ledger.endedRelocation(id)
            let end = error.map { "\(($0 as? TransferError)?.code.rawValue ?? -1)" } ?? "done"
            world.trace.note(machine.now, "reply: relocate \(id) \(end)")
            if error == nil { next?() }
        }
    }

    /// The whole queue, and what is added: for a while, often with other commands at the same moment.
    private func hold(_ wanted: Bool) {
        let isTwice = world.swarm.has(.duplicateCommands) && origin.draw(0...2) == 0
        if isTwice { world.trace.met(.duplicateCommands) }
        for _ in 0...(isTwice ? 1 : 0) { holdOnce(wanted) }
        if wanted {
            releaseLater()
            if origin.draw(0...2) == 0 { addMeanwhile() }
        }
        if origin.draw(0...1) == 0 { command() }
        if machine.random.once(in: 3) { world.killSoon(after: origin.draw(0...30)) }
    }

    private func releaseLater() {
        world.at(machine.now + Double(origin.draw(1...40))) { [self] in holdOnce(false) }
    }

    private func addMeanwhile() {
        guard count < 12 else { return }
        let item = wish()
        if let most = world.course.transfers, wishes.count >= most { return }
        wishes.append(item)
        add([item])
    }

    func holdOnce(_ wanted: Bool, then next: (@Sendable () -> Void)? = nil) {
        guard let queue = world.queue else { return }
        let life = world.network.life
        ledger.beganHold(wanted)
        // What waits for its time is queued again.
        if !wanted { origin.allowAllRequests() }
        world.trace.met(.commands)
        world.trace.sometimes(wanted ? "command: hold all" : "command: release")
        world.trace.note(machine.now, "command: \(wanted ? "hold all" : "release")")
        Task { [self] in
            await setHeld(wanted, queue, life)
            if life == world.network.life { next?() }
        }
    }

    private func setHeld(_ wanted: Bool, _ queue: DurableQueue, _ life: Int) async {
        var succeeded = true
        do {
            if world.bug != .commandDropped { try await world.give(to: queue) { try await $0.setHeld(wanted) } }
        } catch { succeeded = false }
        guard life == world.network.life else { return }
        world.trace.note(
            machine.now, "reply: \(wanted ? "hold all" : "release") \(succeeded ? "done" : "failed")")
        ledger.hold.ended(wanted, succeeded: succeeded)
        ledger.fetches.touched(nil)
        let count = ledger.hold.count
        guard let snapshot = try? await queue.snapshot(), life == world.network.life, !world.isEnding else { return }
        ledger.hold.know(snapshot, after: count)
    }

    static let hosts = ["a.sim", "b.sim", "c.sim"]

    static func list(_ ids: [TransferID]) -> String { ids.map(\.description).joined(separator: ",") }

    func randomLimits() -> QueueLimits {
        var limits = QueueLimits(
            concurrent: origin.draw(1...5), perHost: origin.draw(0...1) == 0 ? nil : origin.draw(1...3))
        guard world.swarm.has(.rateLimits) else { return limits }
        world.trace.met(.rateLimits)
        if origin.draw(0...2) > 0 { limits.download = origin.draw(1000...100_000) }
        if origin.draw(0...2) > 0 { limits.upload = origin.draw(1000...100_000) }
        return limits
    }

    func setLimits(_ limits: QueueLimits, then next: (@Sendable () -> Void)? = nil) {
        guard let queue = world.queue, !ledger.isUndoing else { return }
        let life = world.network.life
        let number = ledger.beganLimits(limits)
        world.trace.note(machine.now, "command: limits \(limits.concurrent) \(limits.perHost ?? 0)")
        var given = limits
        if world.bug == .limitOffByOne { given.concurrent += 1 }
        Task { [self, given] in
            var succeeded = true
            do { try await world.give(to: queue) { try await $0.setLimits(given) } } catch { succeeded = false }
            guard life == world.network.life else { return }
            ledger.endedLimits(limits, number: number, succeeded: succeeded)
            if succeeded { next?() }
        }
    }

    // MARK: The end

    /// After faults have stopped: everything is to end well.
    /// - Parameter answers: also what asks.
    func wantEverything(answers: Bool) {
        guard let queue = world.queue else { return }
        let life = world.network.life
        Task { [self] in
            guard let snapshot = try? await queue.snapshot(), life == world.network.life else { return }
            ledger.adopt(snapshot)
            if !ledger.undecided.isEmpty {
                guard let entries = await history(queue, life) else { return }
                ledger.decide(Set(snapshot.transfers.map(\.id)).union(entries.map(\.transfer.id)))
            }
            let missing = wishes.filter { item in
                !ledger.added.values.contains { $0 === item } && !ledger.wasRemoved(item)
            }
            if !missing.isEmpty, ledger.addsInFlight == 0 {
                // One without a reply may have ended, and left with a clearing: the user adds it once more.
                for item in missing {
                    origin.uploads.stored[item.path] = nil
                    if item.kind == .download { Files.remove(item.file) }
                }
                add(missing)
            }
            let ids = ledger.added.keys.sorted()
            guard !ids.isEmpty else { return }
            ledger.began(ids, promising: nil)
            for word in ["schedule", "resume"] { ledger.undo.began(word) }
            try? await queue.perform(.schedule(nil), on: ids)
            guard life == world.network.life else { return }
            ledger.beganHold(false)
            await setHeld(false, queue, life)
            guard life == world.network.life else { return }
            ledger.hold.began(.resume, ids)
            ledger.answers.beganRetry()
            origin.uploads.mayRepeat.formUnion(paths(ids))
            try? await queue.perform(.resume, on: answers ? ids.filter { !ledger.answers.isOpen($0) } : ids)
            try? await queue.perform(.retry, on: ids)
            guard life == world.network.life else { return }
            ledger.answers.endedRetry()
            if answers { answerEverything() }
            ledger.ended(ids, promising: nil)
            ledger.hold.ended(.resume, ids)
        }
    }

    var isSatisfied: Bool { isSatisfied { _ in false } }

    /// All but what waits for an answer.
    var hasOnlyQuestions: Bool { isSatisfied { ledger.answers.isOpen($0) } }

    private func isSatisfied(orElse isAllowed: (TransferID) -> Bool) -> Bool {
        wishes.allSatisfy { item in
            ledger.wasRemoved(item)
                || ledger.added.contains { id, added in
                    added === item && (ledger.states[id] == .completed || isAllowed(id))
                }
        }
    }

    var whatIsLeft: String {
        ledger.added.keys.sorted().filter { ledger.states[$0] != .completed }.map { id in
            "\(id) \(ledger.added[id]?.path ?? "") is \(ledger.states[id]?.rawValue ?? "unknown")"
        }.joined(separator: ", ")
    }
}
