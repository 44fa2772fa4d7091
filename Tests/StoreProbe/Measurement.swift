// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import TransferModel
import TransferStore

/// What a large queue costs. Prints seconds and megabytes, one line each.
struct Measurement {
    let folder: String
    let count: Int

    func run() throws(TransferError) {
        do {
            let store = try TransferStore(folder: folder, time: 1)
            let (specs, drafts) = try transfers()
            let before = Self.residentMegabytes
            let added = try timed("add") { () throws(TransferError) in try store.add(specs, as: drafts) }
            print("add memory: \(Self.residentMegabytes - before) MB")
            try timed("one more") { () throws(TransferError) in _ = try store.add([specs[0]], as: [drafts[0]]) }
            try timed("change all at once") { () throws(TransferError) in try changeAll(added, store) }
            store.close()
        }
        let start = StoreProbe.now
        let store = try timed("open") { () throws(TransferError) in try TransferStore(folder: folder, time: 1) }
        let found = try timed("load") { () throws(TransferError) in try store.unfinished() }
        print("open and load: \(Self.shown(StoreProbe.now - start)) s, \(found.count) transfers")
        try timed("1000 descriptions") { () throws(TransferError) in
            for transfer in found.prefix(1000) { _ = try store.description(of: transfer.id) }
        }
        try timed("remove all") { () throws(TransferError) in try store.remove(found.map(\.id)) }
    }

    private func transfers() throws(TransferError) -> ([Spec], [Transfer]) {
        var options = TransferOptions()
        options.cookies = [try Cookie(name: "fileuploadSID", value: "a-secret-that-all-share")]
        options.rateLimit = 1_000_000
        var specs: [Spec] = []
        var drafts: [Transfer] = []
        for index in 0..<count {
            let url = try TransferURL("https://server.example/releases/2026/november/file-\(index).tar.gz")
            let name = "file-\(index).tar.gz"
            let download = Download(destination: .folder(path: "/home/user/Downloads/releases", name: name))
            let spec = Spec(url: url, operation: .download(download), options: options)
            var draft = Transfer(spec, addedAt: 1_800_000_000)
            draft.session = "fileq"
            specs.append(spec)
            drafts.append(draft)
        }
        return (specs, drafts)
    }

    private func changeAll(_ transfers: [Transfer], _ store: TransferStore) throws(TransferError) {
        let writer = StoreWriter(
            store: store, now: { StoreProbe.now },
            schedule: { time, work in
                DispatchQueue.global().asyncAfter(deadline: .now() + max(0, time - StoreProbe.now), execute: work)
            }, reportFailure: { print("failure: \($0)") })
        let done = DispatchSemaphore(value: 0)
        writer.record(
            transfers.map { transfer in
                var changed = transfer
                changed.status = .paused(.by(.transfer))
                return StoreChange(changed, urgency: .now)
            }
        ) { _ in done.signal() }
        done.wait()
    }

    @discardableResult
    private func timed<Result>(
        _ name: String, _ body: () throws(TransferError) -> Result
    ) throws(TransferError) -> Result {
        let start = StoreProbe.now
        let result = try body()
        print("\(name): \(Self.shown(StoreProbe.now - start)) s")
        return result
    }

    private static func shown(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }

    private static var residentMegabytes: Int {
        var bytes = [UInt8](repeating: 0, count: 128)
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let count = read(descriptor, &bytes, bytes.count)
        let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * 4 / 1024 : 0
    }
}
