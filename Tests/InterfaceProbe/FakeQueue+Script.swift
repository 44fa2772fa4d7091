// SPDX-License-Identifier: MIT

import FoundationEssentials
import Synchronization
import TransferControl
import TransferModel
import TransferTesting

/// The probe's queue.
extension FakeQueue {
    static func scripted(
        rows: Int, live: Int, retries: Bool, asks: Bool, isSilent: Bool = false, hasLongName: Bool = false
    ) -> FakeQueue {
        var transfers = (0..<rows).map { sample($0, live: live) }
        if hasLongName { transfers[0].file = "/home/user/" + String(repeating: "夏", count: 4000) + ".bin" }
        if asks, rows > 4 {
            transfers[2].status = .paused(.question(.trust(trust)))
            transfers[3].status = .paused(
                .question(
                    .login(
                        .init(
                            host: "files.example.org", port: 443, scheme: "https", realm: "staff", method: "basic"))))
        }
        if retries, rows > 3 {
            transfers[3].status = .retrying(at: Date().timeIntervalSince1970 + 600, .text("connection refused"))
        }
        let queue = FakeQueue(transfers)
        queue.followScript(isSilent: isSilent)
        if live > 0 { queue.advance(live) }
        return queue
    }

    private func followScript(isSilent: Bool) {
        let earlier = Earlier()
        on(PerformCall.self) { queue, call in
            try queue.contents.withLock { contents in
                let before = contents.transfers
                try contents.follow(call.command, call.ids)
                earlier.transfers.withLock { $0 = before }
                contents.undone = UndoneCommand(command: "cancel", performedAt: 0, ids: call.ids)
            }
            return Done()
        }
        on(UndoCall.self) { queue, _ in
            try queue.contents.withLock { contents in
                guard let undone = contents.undone else {
                    throw TransferError(.usage, "nothing to undo", fields: .init(variant: .nothingToUndo))
                }
                (contents.transfers, contents.undone) = (earlier.transfers.withLock { $0 }, nil)
                contents.post(.snapshot(contents.snapshot))
                return undone
            }
        }
        on(AddParams.self) { queue, call in
            queue.contents.withLock { contents in
                let ids = contents.add(call.transfers, call.terms)
                for (id, spec) in zip(ids, call.transfers) {
                    contents.change(id) { form in
                        (form.file, form.total) = ("/tmp/" + (spec.url.lastPathSegment ?? "index.html"), 1000)
                    }
                }
                return .init(ids: ids)
            }
        }
        on(GetTimetableCall.self) { _, _ in
            while isSilent { try await Task.sleep(for: .seconds(3600)) }
            return LimitTimetable()
        }
        on(RatesCall.self) { queue, call in
            while isSilent { try await Task.sleep(for: .seconds(3600)) }
            let series = [1, 5, 60].map { step in
                TransferRates.Series(step: step, rates: (0..<60).map { Int64($0 * 10_000 * step) })
            }
            var report = RateReport(
                received: [], sent: [], limits: queue.contents.withLock(\.limits),
                transfer: call.id.map { TransferRates(id: $0, series: series) })
            report.receivedSeries = series
            return report
        }
    }

    /// Before the last command.
    private final class Earlier: Sendable {
        let transfers = Mutex<[Transfer]>([])
    }

    /// Lets the first `count` get on, ten times a second.
    private func advance(_ count: Int) {
        Task {
            while true {
                try? await Task.sleep(for: .milliseconds(100))
                contents.withLock { contents in
                    for transfer in contents.transfers where transfer.state == .running && transfer.id.rawValue <= count
                    {
                        contents.change(transfer.id, .progress) { form in
                            form.bytes = min((form.total ?? 0) - 1, form.bytes + 124_000)
                            form.eta = (form.eta ?? 0) - 0.1
                        }
                    }
                }
            }
        }
    }

    private static var trust: ConsentQuestion.Trust {
        let certificate = CertificateSummary(
            subject: "CN=files.example.org", issuer: "CN=nobody", notBefore: 1_700_000_000,
            notAfter: 1_800_000_000, sha256: [UInt8](repeating: 0xab, count: 32),
            publicKeySHA256: [UInt8](repeating: 1, count: 32))
        // The sample has a key and a failure, which is all that the question needs.
        return .init(ServerTrust(host: "files.example.org", port: 443, chain: [certificate], failure: .selfSigned))!
    }

    private static func sample(_ index: Int, live: Int) -> Transfer {
        let names = [
            "夏休みの写真アルバム（北海道・知床半島）2024年8月.zip", "議事録_第三回定例会議.pdf", "ubuntu-24.04-desktop-amd64.iso",
            "音楽ライブラリ.tar.zst", "ﾊﾝｶｸｶﾅのﾌｧｲﾙ名.csv", "か\u{3099}き\u{3099}く\u{3099}（濁点分離）.txt", "naïve façade résumé.docx",
            "evil\u{1b}[2J\u{202e}gpj.exe", "🎉 party 🎊.mp4",
        ]
        let moving = TransferStatus.running(.init(rate: 1_240_000, eta: 251))
        let missing = TransferError(.httpStatus, "files.example.org: 404 Not Found")
        let states: [TransferStatus] = [
            moving, moving, .paused(.by(.transfer)), .queued(), .waiting(.init(.text("no route to the host"))),
            .completed(.init()), .failed(.init(), missing), .queued(), .cancelled(.init()),
        ]
        let isUpload = index % 3 == 1
        let name = index < names.count ? names[index] : "ファイル\(index).bin"
        var transfer = Transfer(
            id: TransferID(rawValue: index + 1), kind: isUpload ? .upload : .download,
            url: "https://files.example.org/\(isUpload ? "upload" : "pool")/\(index)",
            file: "/home/user/ダウンロード/\(name)",
            status: index < live ? moving : index < states.count ? states[index] : .queued())
        transfer.total = [312_000_000, 2_400_000, 5_800_000_000, 91_000_000][index % 4]
        transfer.bytes = [0, 480_000, 2_600_000_000, 0][index % 4]
        switch transfer.state {
        case .failed: transfer.httpStatus = 404
        case .completed: transfer.bytes = transfer.total ?? 0
        default: break
        }
        return transfer
    }
}

extension FakeQueue.Contents {
    /// What was answered takes the place of the reason, to be seen.
    fileprivate mutating func follow(_ command: QueueCommand, _ ids: [TransferID]) throws {
        switch command {
        case .hold: try obey(.pause, ids)
        case .resume: turn(ids, .resumed, .running()) { $0.state == .paused }
        case .trust(let persistence, _):
            turn(ids, .resumed, .queued(.text("trust \(persistence.rawValue)"))) { $0.question != nil }
        case .login(let login, let persistence, _):
            let words = "\(login.user), \(login.password.count) letters, \(persistence.rawValue)"
            turn(ids, .resumed, .queued(.text(words))) { $0.question != nil }
        case .decline:
            turn(ids, .failed, .failed(.init(), TransferError(.other, "no reason given"))) { $0.state == .paused }
        default: try obey(command, ids)
        }
    }

    private mutating func turn(
        _ ids: [TransferID], _ name: TransferEvent.Name, _ status: TransferStatus, where fits: (Transfer) -> Bool
    ) {
        for index in transfers.indices where ids.contains(transfers[index].id) && fits(transfers[index]) {
            transfers[index].status = status
            change(transfers[index].id, name) { _ in }
        }
    }
}
