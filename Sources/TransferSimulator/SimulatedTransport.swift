// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import SessionCore
import TransferModel

/// The network between the client and ``Origin``, behind the seam where libcurl is in the program.
///
/// Everything about an exchange happens on the transport's executor, at a time of the virtual clock.
class SimulatedTransport: Transport, @unchecked Sendable {  // Used on one thread.
    let executor: any TransportExecutor
    let supportedLogins: Set<ProtectionSpace.Method> = [.basic]
    let network: Network
    let bug: PlantedBug?
    let state = State()

    /// Used on one thread.
    final class State: @unchecked Sendable {
        var running: [ExchangeID: SimulatedExchange] = [:]
        var lastID: UInt64 = 0
        var isAbandoned = false
        var rates: (download: Int?, upload: Int?) = (nil, nil)
        /// By path: bytes of cancelled exchanges, for a planted bug.
        var late: [String: ArraySlice<UInt8>] = [:]
    }

    init(_ network: Network, _ bug: PlantedBug?) {
        executor = QueueExecutor(label: "simulated.transport")
        (self.network, self.bug) = (network, bug)
        network.transport = self
    }

    var machine: Machine { network.machine }

    var isAbandoned: Bool { state.isAbandoned }

    /// Its process is gone.
    func abandon() { (state.isAbandoned, state.running) = (true, [:]) }

    func takeID() -> ExchangeID {
        state.lastID += 1
        return ExchangeID(rawValue: state.lastID)
    }

    /// - Returns: the exchange under way that this one continues.
    func claim(_ exchange: Exchange) -> SimulatedExchange? { nil }

    func start(_ exchange: Exchange, handler: any ExchangeHandler) -> ExchangeID {
        let id = takeID()
        guard !isAbandoned else { return id }
        network.wanted(exchange)
        let exchange = Blindness.request(exchange, bug, network.origin)
        exchange.gate?.whenOpened { [weak self] in self?.on(id) { $0.opened() } }
        executor.post { [self] in
            if let known = claim(exchange) {
                state.running[id] = known
                return known.takeOver(id, exchange, handler)
            }
            let exchange = SimulatedExchange(id, exchange, handler, self)
            state.running[id] = exchange
            exchange.begin()
        }
        return id
    }

    private func on(_ id: ExchangeID, _ body: @escaping @Sendable (SimulatedExchange) -> Void) {
        executor.post { [self] in
            if let exchange = state.running[id] { body(exchange) }
        }
    }

    func pause(_ id: ExchangeID) {
        if bug == .pauseIgnored { return }
        on(id) { $0.pause() }
    }

    func resume(_ id: ExchangeID) { on(id) { $0.resume() } }
    func decide(_ id: ExchangeID, _ disposition: BodyDisposition) { on(id) { $0.decide(disposition) } }
    func setRateLimit(_ bytesPerSecond: Int?, of id: ExchangeID) { on(id) { $0.rateLimit = bytesPerSecond } }

    func setRateLimits(download: Int?, upload: Int?) {
        if bug == .ratesForgotten, network.life > 1 { return }
        executor.post { [self] in state.rates = (download, upload) }
    }

    var rates: (download: Int?, upload: Int?) { state.rates }

    /// Of all connections for a file.
    func limits(of path: String) -> [(rate: Int?, began: Double)] {
        state.running.values.filter { $0.exchange.url.path == path }.map { ($0.rateLimit, $0.began) }
    }

    func cancel(_ id: ExchangeID) {
        on(id) { $0.cancel() }
    }

    func keepLate(_ bytes: ArraySlice<UInt8>, of path: String) { state.late[path] = bytes }
    func takeLate(_ path: String) -> ArraySlice<UInt8>? { state.late.removeValue(forKey: path) }

    /// Whether another request for the same file is under way.
    func isRequesting(_ path: String, besides id: ExchangeID) -> Bool {
        state.running.contains { $0.key != id && $0.value.exchange.url.path == path }
    }

    func ended(_ id: ExchangeID) { state.running[id] = nil }

    /// The path was lost: what is under way breaks or falls silent.
    /// - Parameter route: that of connections which are not concerned.
    func losePath(besides route: Int? = nil) {
        for id in state.running.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            on(id) { if route == nil || $0.route != route { $0.pathLost() } }
        }
    }

    /// Not from a handler.
    func shutDown() {
        for id in state.running.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            on(id) { $0.complete(.init(.cancelled)) }
        }
        (executor as? QueueExecutor)?.queue.sync {}
    }
}
