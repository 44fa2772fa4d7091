// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import TransferModel
import TransferStore

/// Adds, advances, ends and removes transfers; prints each confirmed commit: `added ID`, `ended ID BYTES`, `removed
/// ID`.
struct WriteLoop {
    let store: TransferStore
    let writer: StoreWriter
    let folder: String

    init(folder: String) throws(TransferError) {
        self.folder = folder
        store = try TransferStore(folder: folder, time: 1_800_000_000)
        writer = StoreWriter(
            store: store, now: { StoreProbe.now },
            schedule: { time, work in
                DispatchQueue.global().asyncAfter(deadline: .now() + max(0, time - StoreProbe.now), execute: work)
            }, reportFailure: { StoreProbe.say("failure \($0)") })
    }

    func run() throws(TransferError) -> Never {
        StoreProbe.say("open \(getpid())")
        while true {
            let specs = [try Self.spec(0), try Self.spec(1), try Self.spec(2)]
            let added = try store.add(specs, as: specs.map(Self.draft))
            for transfer in added { StoreProbe.say("added \(transfer.id)") }
            for transfer in added { try carry(transfer) }
            if let last = added.last, last.id.rawValue.isMultiple(of: 2) {
                StoreProbe.say("removing \(last.id)")
                try store.remove([last.id])
                StoreProbe.say("removed \(last.id)")
            }
        }
    }

    /// Each with a cookie of its own, so that the credentials change all the time.
    private static func spec(_ index: Int) throws(TransferError) -> Spec {
        var options = TransferOptions()
        options.cookies = [try Cookie(name: "key", value: "value-\(UInt32.random(in: 0 ... .max))")]
        let url = try TransferURL("http://server.test/\(index)")
        return Spec(
            url: url, operation: .download(.init(destination: .file(path: "/tmp/\(index)"))), options: options)
    }

    private static func draft(_ spec: Spec) -> Transfer {
        var draft = Transfer(spec, addedAt: 1)
        draft.session = "probe"
        return draft
    }

    private func carry(_ transfer: Transfer) throws(TransferError) {
        var transfer = transfer
        transfer.status = .running()
        for step in 1...5 {
            transfer.bytes = Int64(step * 1000)
            writer.record(StoreChange(transfer))
        }
        let path = "\(folder)/file-\(transfer.id)"
        let file = try ProbeFile(path: path, bytes: Int(transfer.bytes))
        transfer.status = .failed(.init(), TransferError(.timedOut, "ended by the probe"))
        let (id, bytes) = (transfer.id, transfer.bytes)
        writer.record(
            StoreChange(
                transfer, urgency: .now, attempts: [TransferAttempt(number: 1, startedAt: 1, error: transfer.error)],
                events: [Array("\(id)".utf8)],
                syncing: [file.target])
        ) { error in
            StoreProbe.say(error.map { "failure \($0)" } ?? "ended \(id) \(bytes)")
        }
    }
}

/// A file whose bytes a change speaks of.
struct ProbeFile {
    let target: SyncTarget

    init(path: String, bytes: Int) throws(TransferError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let content = [UInt8](repeating: 7, count: bytes)
        var status = stat()
        guard descriptor >= 0, pwrite(descriptor, content, bytes, 0) == bytes, fstat(descriptor, &status) == 0 else {
            throw TransferError(.cannotWrite, "\(path): cannot be written")
        }
        target = SyncTarget(path: path, device: UInt64(status.st_dev))
    }
}
