// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Methods that change transfers.
extension RemoteQueue {
    func pause(_ params: RPCParams) async throws -> RPCValue {
        try await command(.pause, params, "paused") { $0.isPausable }
    }

    func unpause(_ params: RPCParams) async throws -> RPCValue {
        try await command(.resume, params, "unpaused") { $0 == .paused }
    }

    /// The partial file stays, as aria2's does.
    func remove(_ params: RPCParams) async throws -> RPCValue {
        try await command(.cancel(deletingPartial: false), params, "removed") { !$0.isEnded }
    }

    private func command(
        _ command: QueueCommand, _ params: RPCParams, _ verb: String, where applies: (TransferState) -> Bool
    ) async throws -> RPCValue {
        let id = try id(params)
        let transfer = try await transfer(id)
        let gid = RemoteGID(transfer).text
        guard applies(transfer.state) else { throw RPCFailure("GID#\(gid) cannot be \(verb) now") }
        try await queue.perform(command, on: [id])
        return .string(gid)
    }

    /// Also those that were paused one by one, but none that asks its user or waits for another transfer.
    func unpauseAll() async throws -> RPCValue {
        try await queue.setHeld(false)
        let paused = try await queue.transfers(matching: QueueFilter(states: [.paused]))
            .filter { $0.pausedBy == .transfer }.map(\.id)
        if !paused.isEmpty { try await queue.perform(.resume, on: paused) }
        return Self.done
    }

    /// GID, number, and from where it counts.
    /// - Returns: the new position, a number.
    func changePosition(_ params: RPCParams) async throws -> RPCValue {
        let id = try id(params)
        let number = try params.required(1, \.integer)
        let waiting = index.ids(.waiting)
        guard let current = waiting.firstIndex(of: id) else {
            throw RPCFailure("GID#\(RemoteGID(try await transfer(id)).text) not found in the waiting queue.")
        }
        let sum: (partialValue: Int, overflow: Bool)
        switch try params.required(2, \.string) {
        case "POS_SET": sum = (number, false)
        case "POS_CUR": sum = current.addingReportingOverflow(number)
        case "POS_END": sum = (waiting.count - 1).addingReportingOverflow(number)
        default: throw RPCFailure("Illegal argument.")
        }
        guard !sum.overflow else { throw RPCFailure("The parameter at 1 has wrong type.") }
        let position = min(max(0, sum.partialValue), waiting.count - 1)
        if position != current { try await move([id], to: position) }
        return .number(Double(position))
    }

    /// - Parameter ids: waiting ones, in their order.
    func move(_ ids: [TransferID], to position: Int) async throws {
        let moved = Set(ids)
        let waiting = index.ids(.waiting)
        guard let first = ids.first, let current = waiting.firstIndex(of: first) else { return }
        let others = waiting.filter { !moved.contains($0) }
        // Commands move transfers to an end of the queue in their present order: those before them go along upwards,
        // those behind them downwards.
        if position < current {
            try await queue.perform(.move(.top), on: others.prefix(position) + ids)
        } else {
            try await queue.perform(.move(.bottom), on: ids + others.dropFirst(position))
        }
    }

    /// GID, 1, the addresses that go, those that come.
    /// - Returns: how many went and came, numbers.
    func changeURI(_ params: RPCParams) async throws -> RPCValue {
        let id = try id(params)
        guard try params.required(1, \.integer) == 1 else { throw RPCFailure("fileIndex is out of range") }
        let gone = try params.strings(2) ?? []
        let new = try params.strings(3) ?? []
        guard let address = new.first else {
            return .array([.number(0), .number(0)])
        }
        let url = try TransferURL(address)
        let current = try await transfer(id).url
        guard new.count == 1, gone.contains(where: { (try? TransferURL($0))?.string == current }) else {
            throw RPCFailure("a download gets mirrors when it is added; later one address can replace its own")
        }
        try await queue.relocate(id, to: Relocation(url: url))
        return .array([.number(1), .number(1)])
    }

    func removeResult(_ params: RPCParams) async throws -> RPCValue {
        let id = try id(params)
        let transfer = try await transfer(id)
        guard transfer.state.isEnded else {
            throw RPCFailure("Could not remove download result of GID#\(RemoteGID(transfer).text)")
        }
        try await forget([id])
        return Self.done
    }

    /// The history keeps them.
    func forget(_ ids: [TransferID]) async throws {
        guard !ids.isEmpty else { return }
        try await queue.perform(.dismiss, on: ids)
        _ = index.receive(.removed(ids))
    }

    func transfer(_ id: TransferID) async throws -> Transfer {
        guard let found = try await queue.transfers(matching: QueueFilter(ids: [id])).first else {
            throw RPCFailure("GID \(RemoteGID(id).text) is not found")
        }
        return found
    }
}
