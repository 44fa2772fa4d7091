// SPDX-License-Identifier: MIT

import NIOCore
import Synchronization
import TransferModel

/// Shared by all connections of a server.
final class LabService: Sendable {
    let idleTime: TimeAmount
    private let defaults: LabBehaviour
    private let memory = LabMemory()
    private let report: @Sendable (LabEvent) -> Void
    private let began = NIODeadline.now()
    private let origin = Mutex("")

    init(_ configuration: LabServer.Configuration) {
        idleTime = .nanoseconds(Int64(configuration.idleSeconds * 1e9))
        defaults = configuration.defaults
        report = configuration.report
    }

    func listens(at url: String) { origin.withLock { $0 = url } }

    func log(_ connection: Int, _ text: String) {
        let seconds = Double((NIODeadline.now() - began).nanoseconds) / 1e9
        report(LabEvent(connection: connection, seconds: seconds, text: text))
    }

    /// - Returns: an error for an invalid query.
    func behaviour(for request: LabRequest) -> Result<LabBehaviour, TransferError> {
        if request.path == "/", request.query == nil { return .success(LabBehaviour()) }
        var behaviour = defaults
        do throws(TransferError) { try behaviour.apply(query: request.query ?? "") } catch { return .failure(error) }
        guard let times = behaviour.times else { return .success(behaviour) }
        let target = "\(request.method) " + request.target(hop: 0)
        if !memory.strikes(target, times: times) { behaviour.fault = nil }
        return .success(behaviour)
    }

    func indexPage() -> [UInt8] { Array(LabIndexPage.text(origin: origin.withLock { $0 }).utf8) }
}
