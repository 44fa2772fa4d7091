// SPDX-License-Identifier: MIT

import CLinux
import Dispatch
public import SessionCore
import Synchronization

/// The state of the network from the Linux kernel and NetworkManager.
///
/// Listens on rtnetlink; no polling. Without permission for netlink, ``path(to:)`` still works by connecting a datagram
/// socket, but observers are not called. Ends with its last reference.
public final class LinkMonitor: NetworkPathMonitor {
    struct Guarded {
        var view: NetworkView
        var gate = ChangeGate()
        var observers: [Int: @Sendable (PathChange) -> Void] = [:]
        var nextObserver = 0
        var overruns = 0
        var isListening = false
        var asking = Asking()
    }

    /// Pending cost queries.
    struct Asking {
        var isUnderWay = false
        var isWantedAgain = false
        var lastChange = -Double.infinity
        var lastAsked = -Double.infinity
        var hasFollowUp = false
    }

    /// The source of the table.
    struct Sources {
        /// Subscribed before the first dump, so that no message is missed; `nil`: no subscription.
        var socket: NetlinkSocket?
        /// A full dump; `nil` if the kernel refuses.
        var dump: @Sendable () -> LinkTable?
        var lookup: any RouteLookup
        var metering: any MeteredSource
        /// `/sys/class/net`
        var systemFolder: String
    }

    let guarded: Mutex<Guarded>
    let scheduler: any Scheduler
    let metering: any MeteredSource
    private let lookup: any RouteLookup
    private let dump: @Sendable () -> LinkTable?
    private let systemFolder: String
    /// Reads the socket, updates the table, and calls observers.
    let queue = DispatchQueue(label: "fileq.path")
    /// Waits for other programs only.
    let askingQueue = DispatchQueue(label: "fileq.path.costs")
    // Unsafe: its handlers run on the queue only; elsewhere it is only cancelled, which any thread may do.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    /// Dumps the network once before it returns; costs follow as a change.
    public convenience init(overrides: PathOverrides = PathOverrides(), scheduler: any Scheduler = SystemScheduler()) {
        self.init(overrides: overrides, scheduler: scheduler, receiveBuffer: nil)
    }

    /// - Parameter receiveBuffer: of the subscribed socket, in bytes; `nil`: the system's default.
    package convenience init(overrides: PathOverrides, scheduler: any Scheduler, receiveBuffer: Int32?) {
        let groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE
        let metering = NetworkManagerMetering(runner: BoundedCommand(), now: { scheduler.now })
        let sources = Sources(
            socket: NetlinkSocket(groups: UInt32(groups), receiveBuffer: receiveBuffer),
            dump: { LinkTable.dump() }, lookup: KernelRoutes(), metering: metering,
            systemFolder: "/sys/class/net")
        self.init(overrides: overrides, scheduler: scheduler, sources: sources)
    }

    init(overrides: PathOverrides, scheduler: any Scheduler, sources: Sources) {
        self.scheduler = scheduler
        lookup = sources.lookup
        metering = sources.metering
        dump = sources.dump
        systemFolder = sources.systemFolder
        let table = sources.dump()
        let (queue, socket) = (queue, table == nil ? nil : sources.socket)
        source = socket.map { DispatchSource.makeReadSource(fileDescriptor: $0.descriptor, queue: queue) }
        var view = NetworkView(table: table ?? LinkTable(), overrides: overrides)
        view.costs.isSourceThere = sources.metering.isThere
        guarded = Mutex(Guarded(view: view, isListening: socket != nil))
        learnKinds(of: view.table.sortedLinks)
        if let source, let socket {
            source.setEventHandler { [weak self] in self?.readAll(socket) }
            // The descriptor stays open until it is no longer polled.
            source.setCancelHandler { withExtendedLifetime(socket) {} }
            source.activate()
        }
        queue.async { [weak self] in self?.queryCosts() }
    }

    deinit { source?.cancel() }

    public var observesChanges: Bool { guarded.withLock { $0.isListening } }

    public var hasPreferences: Bool { guarded.withLock { !$0.view.overrides.preferred.isEmpty } }

    /// How often messages were lost because they arrived faster than they were read.
    package var overruns: Int { guarded.withLock { $0.overruns } }

    public func path(to target: PathTarget) -> NetworkPath {
        let (view, age) = guarded.withLock { ($0.view, scheduler.now - $0.asking.lastAsked) }
        // There is no notification when the user changes the cost of a network.
        if age > Self.freshness { queue.async { [weak self] in self?.queryCosts() } }
        return view.path(to: target, asking: lookup)
    }

    public func addObserver(_ observer: @escaping @Sendable (PathChange) -> Void) -> PathObservation {
        let number = guarded.withLock { guarded in
            guarded.nextObserver += 1
            guarded.observers[guarded.nextObserver] = observer
            return guarded.nextObserver
        }
        return PathObservation { [weak self] in
            self?.guarded.withLock { _ = $0.observers.removeValue(forKey: number) }
        }
    }

    /// Replaces the overrides. Notifies observers of changed costs.
    public func setOverrides(_ overrides: PathOverrides) {
        queue.async { [weak self] in
            guard let self else { return }
            let now = scheduler.now
            let due: Double? = guarded.withLock { guarded in
                guard guarded.view.overrides != overrides else { return nil }
                guarded.view.overrides = overrides
                return guarded.gate.add(PathChange(hasNewCosts: true), at: now)
            }
            arm(due)
        }
    }

    // MARK: Messages

    /// Reads available messages up to a limit; more of them wake the queue again.
    private func readAll(_ socket: NetlinkSocket) {
        var messages: [LinkMessage] = []
        var isLost = false
        reading: for _ in 0..<64 {
            switch socket.receive() {
            case .datagram(let bytes): messages += LinkMessage.parse(bytes[...])
            case .overrun:
                isLost = true
                messages.append(.inconsistent)
            case .empty: break reading
            case .failed:
                guarded.withLock { $0.isListening = false }
                source?.cancel()
                break reading
            }
        }
        take(messages, isLost: isLost)
    }

    /// On the queue.
    func take(_ messages: [LinkMessage], isLost: Bool = false) {
        learnKinds(of: messages.compactMap { if case .link(let link) = $0 { link } else { nil } })
        let now = scheduler.now
        let due: Double? = guarded.withLock { guarded in
            if isLost { guarded.overruns += 1 }
            var change = PathChange()
            for message in messages { change.formUnion(guarded.view.table.apply(message)) }
            guard !change.isEmpty || guarded.view.table.isStale else { return nil }
            return guarded.gate.add(change, at: now)
        }
        arm(due)
    }

    /// On the queue, or before the monitor is shared: files are read outside the lock.
    private func learnKinds(of links: [Link]) {
        let known = guarded.withLock { guarded in (guarded.view.table.links, guarded.view.kinds) }
        for link in links {
            let before = known.0[link.index]
            guard known.1[link.index] == nil || before?.name != link.name || before?.type != link.type else { continue }
            let kind = NetworkInterface.Kind(link, InterfaceFacts.read(link, in: systemFolder))
            guarded.withLock { $0.view.kinds[link.index] = kind }
        }
    }

    // MARK: Telling

    func arm(_ due: Double?) {
        guard let due else { return }
        scheduler.schedule(at: due) { [weak self] in
            guard let self else { return }
            queue.async { [weak self] in self?.openGate() }
        }
    }

    private func openGate() {
        let isStale = guarded.withLock { $0.view.table.isStale }
        let fresh = isStale ? dump() : nil
        if let fresh { learnKinds(of: fresh.sortedLinks) }
        let now = scheduler.now
        let (change, observers) = guarded.withLock { guarded in
            let more = fresh.map { guarded.view.table.replace(with: $0) } ?? PathChange()
            let table = guarded.view.table
            guarded.view.kinds = guarded.view.kinds.filter { table.links[$0.key] != nil }
            guarded.view.costs.keep(only: Set(table.links.values.filter(\.isUsable).map(\.index)))
            var change = guarded.gate.open(at: now)
            change.formUnion(more)
            if !change.available.isEmpty || !change.lost.isEmpty { guarded.asking.lastChange = now }
            return (change, guarded.observers.sorted { $0.key < $1.key }.map(\.value))
        }
        guard !change.isEmpty else { return }
        for observer in observers { observer(change) }
        if !change.available.isEmpty || !change.lost.isEmpty || change.hasBetterPath { queryCosts() }
    }
}
