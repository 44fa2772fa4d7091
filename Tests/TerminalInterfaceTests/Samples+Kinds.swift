// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

/// A queue with a row of each kind, at 20:28 on 22 November 2026.
extension Samples {
    private static let midnight = 20_779 * 86400.0
    private static let mebi = 1_048_576.0, gibi = 1_073_741_824.0

    private static func sized(
        _ id: Int, _ state: TransferState, _ name: String, _ size: Double?, _ share: Double = 0,
        kind: TransferKind = .download, host: String = "example.org"
    ) -> Transfer {
        var transfer = Transfer(
            id: TransferID(rawValue: id), kind: kind, url: "https://\(host)/\(id)", file: "/home/user/\(name)",
            state: state)
        transfer.total = size.map { Int64($0) }
        transfer.bytes = Int64((size ?? 0) * share)
        return transfer
    }

    static var kinds: InterfaceState {
        var state = state([])
        state.now = midnight + 20 * 3600 + 28 * 60
        state.receive(.snapshot(QueueSnapshot(transfers: moving + held + ended)))
        state.setup.title = "fileq"
        state.limits = QueueLimits(concurrent: 6, perHost: 1)
        state.list.lastMoved[TransferID(rawValue: 4)] = state.now - 12
        state.list.selection = TransferID(rawValue: 14)
        state.list.marks = [TransferID(rawValue: 10), TransferID(rawValue: 11)]
        state.rates.limits = QueueLimits(concurrent: 6, download: 4 << 20)
        state.rates.limitsEnd = midnight + 18 * 3600
        (state.rates.downNow, state.rates.upNow) = (3.42 * mebi, 812 * 1024)
        let down = "▁▂▃▅▆▇▇▆▅▆▇█▇▇", up = "▁▂▃▅▅▆▆▆"
        state.rates.down = steps(down).map { $0 / 8 * 4 * mebi }
        state.rates.up = steps(up).map { $0 / 8 * mebi }
        return state
    }

    private static func steps(_ graph: String) -> [Double] {
        graph.map { Double("▁▂▃▄▅▆▇█".firstIndex(of: $0)?.utf16Offset(in: "▁▂▃▄▅▆▇█") ?? 0) + 1 }
    }

    private static var moving: [Transfer] {
        var iso = sized(1, .running, "debian-13.2.0-amd64-netinst.iso", 381 * mebi, 0.385, host: "data.example.org")
        iso.edit { ($0.rate, $0.eta) = (885 * 1024, 270.5) }
        var video = sized(2, .running, "夏祭りの動画.mp4", 85.8 * mebi, 0.2, host: "cdn.example.jp")
        video.edit { ($0.rate, $0.eta, $0.longestETA) = (487 * 1024, 144, 530) }
        var backup = sized(3, .running, "backup-2026-11.tar.zst", 2.1 * gibi, 0.67, kind: .upload, host: "nas.example")
        backup.edit { ($0.rate, $0.eta) = (812 * 1024, 1180) }
        backup.confirmed = Int64(2.1 * gibi * 0.345)
        backup.uploadProtocol = "ietf-8"
        backup.rateLimit = 1 << 20
        var minutes = sized(4, .running, "議事録（最終版）.pdf", 2.29 * mebi, 1, kind: .upload)
        minutes.confirmed = Int64(2.29 * mebi * 0.985)
        minutes.uploadProtocol = "ietf-8"
        var album = sized(5, .running, "写真アルバム 京都 2…5年春.zip", nil)
        album.bytes = Int64(12.3 * mebi)
        album.edit { $0.rate = 1.49 * mebi }
        return [
            iso, video, backup, minutes, album, sized(6, .verifying, "ubuntu-26.04-desktop-amd64.iso", 6.1 * gibi, 1),
        ]
    }

    private static var held: [Transfer] {
        let now = midnight + 20 * 3600 + 28 * 60
        let next = sized(7, .queued, "dataset-part-04.parquet", 1.4 * gibi, host: "other.example.org")
        let slot = sized(8, .queued, "dataset-part-05.parquet", 1.4 * gibi, host: "data.example.org")
        var scheduled = sized(9, .queued, "nightly.tar.gz", nil)
        scheduled.earliestBegin = now + 10920
        var waiting = sized(10, .waiting, "phone-photos.zip", 4 * gibi, 0.145)
        waiting.status = .waiting(NetworkWait(.reported("no Wi-Fi"), since: now - 42))
        var retrying = sized(11, .retrying, "flaky.bin", 4.8 * mebi, 0.415)
        retrying.attempt = 3
        retrying.httpStatus = 503
        retrying.status = .retrying(
            at: now + 37, .failure(TransferError(.httpStatus, "example.org: 503 Service Unavailable")))
        var login = sized(12, .paused, "manual.pdf", nil)
        login.status = .paused(
            .question(.login(.init(host: "intra.example.org", port: 443, scheme: "https", realm: nil, method: "basic")))
        )
        var trust = sized(13, .paused, "src.tar.gz", nil)
        let certificate = CertificateSummary(
            subject: "CN=src.example", issuer: "CN=src.example", notBefore: 1_700_000_000, notAfter: 1_800_000_000,
            sha256: (0..<32).map { UInt8($0) }, publicKeySHA256: (32..<64).map { UInt8($0) })
        let shown = ServerTrust(host: "src.example", port: 8443, chain: [certificate], failure: .selfSigned)
        if let question = ConsentQuestion.Trust(shown) { trust.status = .paused(.question(.trust(question))) }
        return [next, slot, scheduled, waiting, retrying, login, trust]
    }

    private static var ended: [Transfer] {
        let end = TransferStatus.End(at: midnight + 22 * 3600 + 41 * 60)
        var missing = sized(14, .failed, "missing.bin", nil)
        missing.httpStatus = 404
        missing.status = .failed(
            end, TransferError(.httpStatus, .init(phrase: "Not Found"), host: "example.org", status: 404))
        var existing = sized(15, .failed, "disk.iso", 100 * mebi)
        existing.status = .failed(end, TransferError(.destinationExists, "/home/user/disk.iso: exists already"))
        let paused = sized(16, .paused, "データ.csv", 879 * 1024, 0.535)
        var cancelled = sized(17, .cancelled, "old.tar", 12 * mebi, 0.5, kind: .upload)
        (cancelled.uploadProtocol, cancelled.confirmed) = ("ietf-8", cancelled.bytes)
        var metrics = TransferMetrics()
        metrics.total = 1.2
        var done = sized(18, .completed, "readme.txt", 4096, 1)
        done.status = .completed(.init(at: end.at, metrics: metrics))
        let others = (19...51).map { number in
            var transfer = sized(number, .completed, "part-\(number).bin", 300 * mebi, 1)
            transfer.status = .completed(end)
            return transfer
        }
        return [missing, existing, paused, cancelled, done] + others
    }
}
