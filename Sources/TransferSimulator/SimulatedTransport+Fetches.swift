// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import SessionCore
import TransferModel
import TransferTesting

/// A network whose transport carries out small transfers without tasks, by the contract of ``PlainFetchTransport``.
final class FetchingTransport: SimulatedTransport, PlainFetchTransport, @unchecked Sendable {  // Used on one thread.
    private struct Waiting {
        let fetch: PlainFetch
        let exchange: Exchange
        let receiver: any PlainFetchReceiver
    }

    private var waiting: [Waiting] = []
    private var running: [SimulatedFetch] = []
    /// By key: their exchanges proceed as far as they can without a task.
    private var handedOver: [Int: SimulatedFetch] = [:]
    private var limit = 0
    /// How many were ever handed over.
    private var handovers = 0
    private var lastKey = 0
    /// Withdrawn before they came: the session may have returned them itself.
    private var withdrawn: Set<Int> = []
    private var reports: [FetchReport] = []
    private var receiver: (any PlainFetchReceiver)?
    /// For planted bugs: what the slot had before.
    private var last: (fields: HTTPFields?, file: FetchedFile?)

    private var trace: Trace { machine.trace }
    private var origin: Origin { network.origin }

    // MARK: Commands

    func fetch(_ fetches: [PlainFetch], like exchange: Exchange, for receiver: any PlainFetchReceiver) {
        executor.post { [self] in
            guard !isAbandoned else { return }
            lastKey = fetches.reduce(lastKey) { max($0, $1.key) }
            if let key = fetches.first(where: { withdrawn.contains($0.key) })?.key {
                trace.violate("nothing withdrawn is fetched", "\(key) comes after its withdrawal")
            }
            waiting += fetches.map { Waiting(fetch: $0, exchange: exchange, receiver: receiver) }
            fill()
        }
    }

    func setFetchSlots(_ count: Int, handedOver known: Int) {
        executor.post { [self] in
            limit = count - (handovers - known)
            fill()
        }
    }

    func recallFetches() {
        executor.post { [self] in
            let recalled = waiting
            waiting = []
            if bug == .fetchesForgotten { return }
            for entry in recalled {
                trace.sometimes("fetch: recalled")
                report(.returned(entry.fetch.key, isPlain: true), to: entry.receiver)
            }
        }
    }

    func cancelFetch(_ key: Int) {
        if bug == .withdrawalIgnored { return }
        executor.post { [self] in
            if key > lastKey { withdrawn.insert(key) }
            if let index = waiting.firstIndex(where: { $0.fetch.key == key }) {
                trace.sometimes("fetch: withdrawn")
                waiting.remove(at: index)
            } else if let index = running.firstIndex(where: { $0.key == key }) {
                trace.sometimes("fetch: cancelled")
                running.remove(at: index).end()
                fill()
            } else {
                drop(key)
            }
        }
    }

    /// No exchange continues this request.
    private func drop(_ key: Int) {
        guard let fetch = handedOver.removeValue(forKey: key) else { return }
        trace.sometimes("fetch: dropped")
        fetch.end()
    }

    // MARK: Carrying out

    private func fill() {
        let limit = bug == .slotsIgnored ? limit + 1 : limit
        while running.count < limit, !waiting.isEmpty { start(waiting.removeFirst()) }
    }

    private func start(_ entry: Waiting) {
        let fetch = entry.fetch
        guard var exchange = exchange(of: entry) else {
            trace.sometimes("fetch: returned")
            return report(.returned(fetch.key, isPlain: false), to: entry.receiver)
        }
        if bug == .fieldsOfAnother {
            (exchange.fields, last.fields) = (last.fields ?? exchange.fields, exchange.fields)
        }
        network.wanted(exchange)
        exchange = Blindness.request(exchange, bug, origin)
        let id = takeID()
        let begun = SimulatedFetch(fetch, entry.receiver, self)
        let made = SimulatedExchange(id, exchange, begun, self)
        made.hurry()
        (begun.exchange, state.running[id]) = (made, made)
        running.append(begun)
        network.fetching(exchange.url.path, isRequesting(exchange.url.path, besides: id))
        report(.started(fetch.key), to: entry.receiver)
        made.begin()
        let life = network.life
        machine.schedule(at: machine.now + PlainFetch.patience, "network") { [weak self, weak begun] in
            guard let self, let begun, life == network.life else { return }
            executor.post { [self] in
                if running.contains(where: { $0 === begun }) { handOver(begun) }
            }
        }
    }

    /// - Returns: `nil` where the transport lacks something, or the file is not what it was.
    private func exchange(of entry: Waiting) -> Exchange? {
        guard let url = try? TransferURL(entry.fetch.url), !(origin.isFaulty && machine.random.once(in: 40)) else {
            return nil
        }
        var exchange = entry.exchange
        exchange.url = url
        guard let upload = entry.fetch.upload else { return exchange }
        guard let bytes = upload.load() else { return nil }
        exchange.body = .bytes(Array(bytes))
        return exchange
    }

    /// Its slot is not another's from now on.
    fileprivate func handOver(_ fetch: SimulatedFetch) {
        guard let index = running.firstIndex(where: { $0 === fetch }) else { return }
        running.remove(at: index)
        limit -= 1
        handovers += 1
        let key = fetch.key
        handedOver[key] = fetch
        trace.sometimes("fetch: handed over")
        let ticket = FetchTicket(key: key, url: fetch.fetch.url) { [weak self] in
            self?.executor.post { [weak self] in self?.drop(key) }
        }
        report(.handedOver(key, ticket), to: fetch.receiver)
    }

    /// Its exchange has ended.
    fileprivate func ended(_ fetch: SimulatedFetch, _ outcome: ExchangeOutcome) {
        guard let index = running.firstIndex(where: { $0 === fetch }) else { return }
        guard let result = fetch.result(outcome, bug) else { return handOver(fetch) }
        running.remove(at: index)
        fetch.exchange = nil
        trace.sometimes("fetch: \(fetch.fetch.upload == nil ? "received" : "sent")")
        report(mixedUp(result), to: fetch.receiver)
        fill()
    }

    /// A planted bug.
    private func mixedUp(_ report: FetchReport) -> FetchReport {
        guard bug == .bodyOfAnother, case .finished(let key, let file) = report else { return report }
        defer { last.file = file }
        return .finished(key, last.file ?? file)
    }

    override func claim(_ exchange: Exchange) -> SimulatedExchange? {
        guard let ticket = exchange.ticket, bug != .fetchRepeated, let fetch = handedOver[ticket.key], ticket.claim()
        else { return nil }
        handedOver[ticket.key] = nil
        trace.sometimes("fetch: continued")
        defer { fetch.exchange = nil }
        if let known = fetch.exchange { state.running[known.id] = nil }
        return fetch.exchange
    }

    // MARK: Reports

    private func report(_ report: FetchReport, to receiver: any PlainFetchReceiver) {
        if self.receiver !== receiver { deliver() }
        self.receiver = receiver
        reports.append(report)
        guard reports.count == 1 else { return }
        let life = network.life
        machine.schedule(at: machine.now + Double(origin.draw(0...5)) / 5000, "network") { [weak self] in
            guard let self, life == network.life else { return }
            executor.post { [self] in deliver() }
        }
    }

    private func deliver() {
        guard !reports.isEmpty, !isAbandoned else { return }
        let gathered = reports
        reports = []
        receiver?.received(gathered)
    }

    // MARK: The end

    override func abandon() {
        super.abandon()
        end()
    }

    /// Nothing is reported any more.
    private func end() {
        let left = running + handedOver.values
        (waiting, running, handedOver, reports, receiver) = ([], [], [:], [], nil)
        for fetch in left { fetch.exchange = nil }
        last = (nil, nil)
    }

    override func shutDown() {
        executor.post { [self] in
            for fetch in running + handedOver.keys.sorted().compactMap({ handedOver[$0] }) { fetch.end() }
            end()
        }
        super.shutDown()
    }
}

/// A request without a task, which receives what comes of its exchange until that of a task continues it.
final class SimulatedFetch: ExchangeHandler, @unchecked Sendable {  // Used on one thread.
    let fetch: PlainFetch
    let receiver: any PlainFetchReceiver
    private weak var transport: FetchingTransport?
    var exchange: SimulatedExchange?
    private var head: HTTPResponse?
    /// Of a plain response.
    private var length: Int?
    private var body: [UInt8] = []

    var key: Int { fetch.key }

    init(_ fetch: PlainFetch, _ receiver: any PlainFetchReceiver, _ transport: FetchingTransport) {
        (self.fetch, self.receiver, self.transport) = (fetch, receiver, transport)
    }

    /// Ends the request; nothing is reported of it.
    func end() {
        exchange?.cancel()
        exchange = nil
    }

    func exchange(_ id: ExchangeID, didReceiveInformational head: HTTPResponse) { transport?.handOver(self) }

    func exchange(_ id: ExchangeID, didReceive head: HTTPResponse) -> BodyDisposition {
        self.head = head
        length = plainLength(head)
        guard length == nil else { return .deliver }
        transport?.handOver(self)
        return .hold
    }

    /// - Returns: `nil` where a task decides.
    private func plainLength(_ head: HTTPResponse) -> Int? {
        let code = head.status.code
        guard fetch.upload == nil ? code == 200 : [200, 201, 202, 204].contains(code) && exchange?.isSent == true
        else { return nil }
        let length = code == 204 ? 0 : head.headerFields[.contentLength].flatMap { Int($0) }
        return length.flatMap { $0 <= PlainFetch.maximumBody ? $0 : nil }
    }

    func exchange(_ id: ExchangeID, didReceive bytes: UnsafeRawBufferPointer) { body += bytes }
    func exchange(_ id: ExchangeID, didProgress progress: ExchangeProgress) {}
    func exchange(_ id: ExchangeID, didComplete outcome: ExchangeOutcome) { transport?.ended(self, outcome) }

    /// - Returns: `nil` where a task decides.
    func result(_ outcome: ExchangeOutcome, _ bug: PlantedBug?) -> FetchReport? {
        if fetch.upload != nil {
            guard bug == .fetchTrusted || (outcome.failure == nil && length == body.count) else { return nil }
            return .sent(key, outcome.metrics, location: head?.headerFields[.location])
        }
        let isWhole = outcome.failure == nil && length == body.count
        guard length != nil, bug == .fetchCutShort || isWhole else { return nil }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: body.count, alignment: 1)
        memory.copyBytes(from: body)
        let modified = head?.headerFields[.lastModified].flatMap { HTTPDate.parse($0) }
        return .finished(key, FetchedFile(body: memory, modified: modified, metrics: outcome.metrics))
    }
}
