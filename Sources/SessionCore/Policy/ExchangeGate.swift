// SPDX-License-Identifier: MIT

/// Decides which exchanges may run now: a limit in total and one per host. Pure; each call costs O(log n).
///
/// Higher priority goes first, then the earlier request. A host at its limit never delays others. After every call,
/// every exchange that can run has a slot.
struct ExchangeGate: Sendable {
    private struct Rank: Sendable, Comparable {
        var priority: Double
        var order: Int

        static func < (left: Rank, right: Rank) -> Bool {
            left.priority == right.priority ? left.order < right.order : left.priority > right.priority
        }
    }

    private struct Exchange {
        var host: String
        var rank: Rank
        var isRunning: Bool
    }

    private struct Host {
        var running = 0
        var waiting = IndexedHeap<Int, Rank>()
    }

    let total: Int
    let perHost: Int
    /// The number of running exchanges, including those admitted by ``takeAnyway(_:host:)``.
    private(set) var running = 0
    var waiting: Int { exchanges.count - running }

    private var exchanges: [Int: Exchange] = [:]
    private var hosts: [String: Host] = [:]
    private var limits: [String: Int] = [:]
    /// The hosts with a free slot and a waiting task, each with the rank of its first.
    private var candidates = IndexedHeap<String, Rank>()
    private var nextOrder = 0

    /// Limits below 1 count as 1: otherwise no task would ever run.
    init(total: Int, perHost: Int) {
        self.total = max(1, total)
        self.perHost = max(1, perHost)
    }

    /// A new task requests a slot.
    /// - Parameters:
    ///   - id: not registered yet; a registered one is unchanged.
    ///   - host: the key of the limit per host; the same text for one origin.
    ///   - priority: 0…1 as a rule; NaN counts as 0.
    /// - Returns: whether it has a slot now. If not, a later call returns it.
    mutating func enter(_ id: Int, host: String, priority: Double) -> Bool {
        if let known = exchanges[id] { return known.isRunning }
        insert(id, host, priority)
        return startNext() == id
    }

    /// A task has ended, or waits no longer. An unknown ID has no effect.
    /// - Returns: the tasks that have a slot from now on, in this order.
    mutating func leave(_ id: Int) -> [Int] {
        guard let exchange = exchanges.removeValue(forKey: id) else { return [] }
        if exchange.isRunning {
            running -= 1
            hosts[exchange.host]?.running -= 1
        } else {
            hosts[exchange.host]?.waiting.remove(id)
        }
        refresh(exchange.host)
        return startAll()
    }

    /// Changes the position of a waiting task. A running one continues.
    mutating func setPriority(_ id: Int, _ priority: Double) {
        guard var exchange = exchanges[id] else { return }
        exchange.rank.priority = priority.isNaN ? 0 : priority
        exchanges[id] = exchange
        guard !exchange.isRunning else { return }
        hosts[exchange.host]?.waiting.set(id, exchange.rank)
        refresh(exchange.host)
    }

    /// Starts an exchange whose connection exists already, regardless of the limits. It counts like any other, so the
    /// next one waits until a slot is free.
    mutating func takeAnyway(_ id: Int, host: String) {
        if exchanges[id] == nil { insert(id, host, 0) }
        start(id)
    }

    /// Sets how many may run of one host: more where its connection carries many streams. Running exchanges continue.
    /// - Parameter limit: below 1 counts as 1; `nil`: as every other host.
    /// - Returns: who runs from now on, in this order.
    mutating func setLimit(forHost host: String, _ limit: Int?) -> [Int] {
        limits[host] = limit.map { max(1, $0) }
        refresh(host)
        return startAll()
    }

    private mutating func insert(_ id: Int, _ host: String, _ priority: Double) {
        let rank = Rank(priority: priority.isNaN ? 0 : priority, order: nextOrder)
        nextOrder += 1
        exchanges[id] = Exchange(host: host, rank: rank, isRunning: false)
        hosts[host, default: Host()].waiting.set(id, rank)
        refresh(host)
    }

    private mutating func startAll() -> [Int] {
        var started: [Int] = []
        while let id = startNext() { started.append(id) }
        return started
    }

    private mutating func startNext() -> Int? {
        guard running < total, let host = candidates.first?.key, let id = hosts[host]?.waiting.first?.key else {
            return nil
        }
        start(id)
        return id
    }

    private mutating func start(_ id: Int) {
        guard let exchange = exchanges[id], !exchange.isRunning else { return }
        exchanges[id]?.isRunning = true
        running += 1
        hosts[exchange.host]?.running += 1
        hosts[exchange.host]?.waiting.remove(id)
        refresh(exchange.host)
    }

    /// Puts the host's place among the candidates right after its own change, and forgets it where nothing is left of
    /// it.
    private mutating func refresh(_ name: String) {
        guard let host = hosts[name] else { return }
        if let first = host.waiting.first, host.running < limits[name] ?? perHost {
            candidates.set(name, first.rank)
        } else {
            candidates.remove(name)
        }
        if host.running == 0, host.waiting.isEmpty { hosts[name] = nil }
    }
}
