// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Methods that read transfers.
extension RemoteQueue {
    func status(_ params: RPCParams) async throws -> RemoteStatus {
        let info = try await queue.info(try id(params))
        return RemoteStatus(transfer: info.transfer, info: info)
    }

    func tellStatus(_ params: RPCParams) async throws -> RPCValue {
        let keys = RemoteStatus.Key.named(try params.strings(1))
        return try await status(params).value(keys)
    }

    func list(_ list: RemoteIndex.List, keys: [String]?) async throws -> RPCValue {
        try await describe(index.ids(list), list, RemoteStatus.Key.named(keys))
    }

    /// Offset, number, keys.
    func page(_ list: RemoteIndex.List, _ params: RPCParams) async throws -> RPCValue {
        let (offset, count) = (try params.required(0, \.integer), try params.required(1, \.integer))
        let keys = RemoteStatus.Key.named(try params.strings(2))
        guard count >= 0 else { throw RPCFailure("The parameter at 1 has wrong type.") }
        return try await describe(Self.page(index.ids(list), offset, count), list, keys)
    }

    /// A negative offset counts from the end, backwards: -1 is the last, which comes first.
    static func page(_ ids: [TransferID], _ offset: Int, _ count: Int) -> [TransferID] {
        if offset >= 0 { return Array(ids.dropFirst(offset).prefix(count)) }
        let (end, overflows) = ids.count.addingReportingOverflow(offset)
        guard !overflows, end >= 0 else { return [] }
        return Array(ids[...end].suffix(count).reversed())
    }

    /// In the order of `ids`. Transfers that have left the list since are left out.
    private func describe(
        _ ids: [TransferID], _ list: RemoteIndex.List, _ keys: [RemoteStatus.Key]
    ) async throws -> RPCValue {
        guard !ids.isEmpty else { return .array([]) }
        let found = TransferTable(try await queue.transfers(matching: QueueFilter(ids: ids)))
        return .array(
            ids.compactMap { found[$0] }.filter { RemoteIndex.list($0.state) == list }
                .map { RemoteStatus(transfer: $0).value(keys) })
    }

    func globalStat() async throws -> RPCValue {
        let active = index.ids(.active)
        let running = active.isEmpty ? [] : try await queue.transfers(matching: QueueFilter(ids: active))
        func rate(_ kind: TransferKind) -> Int {
            let sum = running.filter { $0.kind == kind }.reduce(0) { $0 + max(0, $1.rate ?? 0) }
            return Int(exactly: sum.rounded()) ?? 0
        }
        let stopped = index.ids(.stopped).count
        return .object([
            .init("downloadSpeed", .text(rate(.download))),
            .init("uploadSpeed", .text(rate(.upload))),
            .init("numActive", .text(active.count)),
            .init("numWaiting", .text(index.ids(.waiting).count)),
            .init("numStopped", .text(stopped)),
            .init("numStoppedTotal", .text(stopped)),
        ])
    }
}
