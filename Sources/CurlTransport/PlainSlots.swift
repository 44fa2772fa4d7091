// SPDX-License-Identifier: MIT

import CCurl
import Platform
import SessionCore

/// Fetches that wait, and the slots that carry them out. Used on the engine's thread only.
///
/// A slot that has ended starts the next fetch at once. Reports are gathered and delivered together: before the thread
/// sleeps for longer than ``maximumDelay``, or once there are many.
final class PlainSlots {
    /// Seconds that a report may wait for others.
    static let maximumDelay = 0.001
    private static let maximumReports = 48

    private struct Waiting {
        let fetch: PlainFetch
        let template: PlainTemplate
    }

    private let multi: UnsafeMutableRawPointer
    private let setup: ExchangeSetup
    private let makeHandle: () -> CurlHandle?
    private let drop: @Sendable (Int) -> Void
    private var waiting: [Waiting] = []
    /// How many of ``waiting`` have been taken.
    private var taken = 0
    private var limit = 0
    /// How many were ever handed over.
    private var handovers = 0
    private var lastTemplate: PlainTemplate?
    private var spares: [PlainSlot] = []
    /// The slots that libcurl works on; they count against ``limit``.
    private var running: [PlainSlot] = []
    private var handedOver: [Int: PlainSlot] = [:]
    /// Slots whose heads arrived in libcurl's last round and need a task.
    private var undecided: [PlainSlot] = []
    private var reports: [FetchReport] = []
    private var receiver: (any PlainFetchReceiver)?
    private var oldestReport = 0.0

    /// - Parameters:
    ///   - makeHandle: a handle, new or used.
    ///   - drop: posts ``drop(_:)`` to the engine, from any thread.
    init(
        multi: UnsafeMutableRawPointer, setup: ExchangeSetup, makeHandle: @escaping () -> CurlHandle?,
        drop: @escaping @Sendable (Int) -> Void
    ) {
        (self.multi, self.setup, self.makeHandle, self.drop) = (multi, setup, makeHandle, drop)
    }

    var isEmpty: Bool { running.isEmpty && reports.isEmpty }
    var hasReports: Bool { !reports.isEmpty }

    // MARK: Commands

    func add(_ fetches: [PlainFetch], _ exchange: Exchange, _ receiver: any PlainFetchReceiver) {
        let template = template(exchange, receiver)
        for fetch in fetches { waiting.append(Waiting(fetch: fetch, template: template)) }
        fill()
    }

    /// The last one where the request is the same: slots need not be set up again.
    private func template(_ exchange: Exchange, _ receiver: any PlainFetchReceiver) -> PlainTemplate {
        if let lastTemplate, lastTemplate.receiver === receiver, lastTemplate.exchange.isAlike(exchange) {
            return lastTemplate
        }
        let template = PlainTemplate(exchange, receiver)
        lastTemplate = template
        return template
    }

    /// - Parameter known: how many had been handed over as far as the sender knew.
    func setLimit(_ count: Int, handedOver known: Int) {
        limit = count - (handovers - known)
        fill()
    }

    func recall() {
        for entry in waiting[taken...] {
            report(.returned(entry.fetch.key, isPlain: true), to: entry.template.receiver)
        }
        (waiting, taken) = ([], 0)
    }

    func cancel(_ key: Int) {
        if let index = waiting[taken...].firstIndex(where: { $0.fetch.key == key }) {
            waiting.remove(at: index)
        } else if let slot = running.first(where: { $0.key == key }) {
            recycle(slot)
            fill()
        } else {
            drop(key: key)
        }
    }

    /// No exchange continues this request.
    func drop(key: Int) {
        guard let slot = handedOver.removeValue(forKey: key) else { return }
        curl_multi_remove_handle(multi, slot.handle.pointer)
        slot.releaseUpload()
        spares.append(slot)
    }

    // MARK: Carrying out

    private func fill() {
        guard running.count < limit, taken < waiting.count else { return }
        let now = (engine: SystemClock.monotonic, wall: SystemClock.wall)
        while running.count < limit, taken < waiting.count {
            let next = waiting[taken]
            taken += 1
            start(next, now)
        }
        if taken == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            taken = 0
        } else if taken >= 256 {
            waiting.removeFirst(taken)
            taken = 0
        }
    }

    private func start(_ entry: Waiting, _ now: (engine: Double, wall: Double)) {
        guard let slot = spares.popLast() ?? makeSlot(), prepare(slot, entry.template)
        else { return report(.returned(entry.fetch.key, isPlain: false), to: entry.template.receiver) }
        guard slot.begin(entry.fetch, at: now), curl_multi_add_handle(multi, slot.handle.pointer) == CURLM_OK else {
            slot.template = nil
            slot.releaseUpload()
            spares.append(slot)
            return report(.returned(entry.fetch.key, isPlain: false), to: entry.template.receiver)
        }
        slot.index = running.count
        running.append(slot)
        report(.started(entry.fetch.key), to: entry.template.receiver)
    }

    private func makeSlot() -> PlainSlot? {
        makeHandle().map { handle in PlainSlot(handle: handle) { [unowned self] in undecided.append($0) } }
    }

    /// - Returns: false where this libcurl lacks something.
    private func prepare(_ slot: PlainSlot, _ template: PlainTemplate) -> Bool {
        guard slot.template !== template else { return true }
        slot.template = nil
        do throws(ExchangeFailure) { try setup.preparePlain(slot.handle, for: template.exchange) } catch {
            return false
        }
        slot.setCallbacks()
        slot.template = template
        return true
    }

    /// libcurl has ended with `slot`.
    func ended(_ slot: PlainSlot, _ code: CURLcode) {
        slot.result = code
        guard !slot.isHandedOver, let template = slot.template else { return }
        guard code == CURLE_OK, let result = slot.takeResult() else { return handOver(slot) }
        recycle(slot)
        report(result, to: template.receiver)
        fill()
    }

    private func recycle(_ slot: PlainSlot) {
        curl_multi_remove_handle(multi, slot.handle.pointer)
        slot.releaseUpload()
        leave(slot)
        spares.append(slot)
    }

    private func leave(_ slot: PlainSlot) {
        let last = running.removeLast()
        guard last !== slot else { return }
        running[slot.index] = last
        last.index = slot.index
    }

    /// Its slot is not another's: the exchange that continues the request counts elsewhere from now on.
    private func handOver(_ slot: PlainSlot) {
        guard let template = slot.template else { return }
        if let policy = slot.head.newPolicy { template.securityPolicy = policy }
        leave(slot)
        limit -= 1
        handovers += 1
        slot.isHandedOver = true
        handedOver[slot.key] = slot
        let (key, drop) = (slot.key, drop)
        report(.handedOver(key, FetchTicket(key: key, url: slot.url) { drop(key) }), to: template.receiver)
    }

    /// After libcurl's round: hands over those whose response needs a task.
    func decide() {
        guard !undecided.isEmpty else { return }
        let slots = undecided
        undecided = []
        for slot in slots where !slot.isHandedOver && slot.head.verdict == .other { handOver(slot) }
    }

    /// Hands over those that take long.
    func check(_ now: Double) {
        for slot in running.reversed() where now - slot.began.engine > PlainFetch.patience { handOver(slot) }
    }

    /// The request of a ticket, for the exchange that continues it.
    func claim(_ ticket: FetchTicket) -> PlainSlot? {
        guard handedOver[ticket.key] != nil, ticket.claim() else { return nil }
        return handedOver.removeValue(forKey: ticket.key)
    }

    // MARK: Reports

    private func report(_ report: FetchReport, to receiver: any PlainFetchReceiver) {
        if self.receiver !== receiver { deliver() }
        self.receiver = receiver
        if reports.isEmpty { oldestReport = SystemClock.monotonic }
        reports.append(report)
    }

    /// Delivers what has been gathered, if it is much or old.
    func deliverIfDue(_ now: Double) {
        if reports.count >= Self.maximumReports || now - oldestReport >= Self.maximumDelay || running.isEmpty {
            deliver()
        }
    }

    private func deliver() {
        guard !reports.isEmpty, let receiver else { return }
        let gathered = reports
        reports = []
        reports.reserveCapacity(Self.maximumReports)
        receiver.received(gathered)
    }

    // MARK: The end

    /// Nothing is reported any more.
    func end() {
        for slot in running + Array(handedOver.values) { curl_multi_remove_handle(multi, slot.handle.pointer) }
        (running, handedOver, waiting, taken, reports, spares) = ([], [:], [], 0, [], [])
        (undecided, lastTemplate, receiver) = ([], nil, nil)
    }
}
