// SPDX-License-Identifier: MIT

import FoundationEssentials
import Synchronization
import TransferControl
import TransferModel

/// A queue in memory. Commands take effect immediately; running transfers advance only if they are live.
final class ScriptedQueue: QueueClient {
    private struct Contents {
        var transfers: [Transfer] = []
        var limits = QueueLimits()
        var listeners: [AsyncStream<QueueUpdate>.Continuation] = []
        var lastID = 0
        /// Before the last command.
        var earlier: (transfers: [Transfer], undone: UndoneCommand)?
    }

    private let contents = Mutex(Contents())
    private let live: Int
    private let isSilent: Bool

    init(rows: Int, live: Int, retries: Bool, asks: Bool, isSilent: Bool = false, hasLongName: Bool = false) {
        (self.live, self.isSilent) = (live, isSilent)
        contents.withLock { contents in
            for index in 0..<rows { contents.transfers.append(Self.sample(index, live: live)) }
            contents.lastID = rows
            if hasLongName {
                contents.transfers[0].file = "/home/user/" + String(repeating: "夏", count: 4000) + ".bin"
            }
            if asks, rows > 4 {
                Self.ask(.trust(Self.trust), &contents.transfers[2])
                Self.ask(
                    .login(
                        .init(host: "files.example.org", port: 443, scheme: "https", realm: "staff", method: "basic")),
                    &contents.transfers[3])
            }
            if retries, rows > 3 {
                contents.transfers[3].status = .retrying(
                    at: Date().timeIntervalSince1970 + 600, .text("connection refused"))
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

    private static func ask(_ question: ConsentQuestion, _ transfer: inout Transfer) {
        transfer.status = .paused(.question(question))
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

    /// Lets the live ones get on, ten times a second.
    func start() {
        guard live > 0 else { return }
        Task {
            while true {
                try? await Task.sleep(for: .milliseconds(100))
                change {
                    $0.state == .running && $0.id.rawValue <= live
                } to: { transfer in
                    transfer.bytes = min((transfer.total ?? 0) - 1, transfer.bytes + 124_000)
                    transfer.setPace(.init(rate: transfer.rate ?? 0, eta: (transfer.eta ?? 0) - 0.1))
                    return .progress
                }
            }
        }
    }

    private func change(
        where fits: (Transfer) -> Bool,
        to change: (inout Transfer) -> TransferEvent.Name?
    ) {
        contents.withLock { contents in
            var events: [TransferEvent] = []
            for index in contents.transfers.indices where fits(contents.transfers[index]) {
                guard let name = change(&contents.transfers[index]) else { continue }
                events.append(TransferEvent(time: 0, name: name, transfer: contents.transfers[index]))
            }
            if !events.isEmpty { contents.listeners.forEach { $0.yield(.events(events)) } }
        }
    }

    func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] {
        contents.withLock { contents in
            descriptions.map { description in
                contents.lastID += 1
                var transfer = Transfer(
                    id: TransferID(rawValue: contents.lastID), kind: description.kind, url: description.url.string,
                    file: "/tmp/" + (description.url.lastPathSegment ?? "index.html"),
                    status: terms.paused ? .paused(.by(.transfer)) : .queued())
                transfer.total = 1000
                contents.transfers.append(transfer)
                let event = TransferEvent(time: 0, name: .queued, transfer: transfer)
                contents.listeners.forEach { $0.yield(.events([event])) }
                return transfer.id
            }
        }
    }

    func undo() async throws -> UndoneCommand {
        try contents.withLock { contents in
            guard let earlier = contents.earlier else {
                throw TransferError(.usage, "nothing to undo", fields: .init(variant: .nothingToUndo))
            }
            (contents.transfers, contents.earlier) = (earlier.transfers, nil)
            let snapshot = QueueSnapshot(transfers: contents.transfers, limits: contents.limits)
            contents.listeners.forEach { $0.yield(.snapshot(snapshot)) }
            return earlier.undone
        }
    }

    func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        try contents.withLock { contents in
            if let unknown = ids.first(where: { id in !contents.transfers.contains { $0.id == id } }) {
                throw TransferError.unknownTransfer(unknown)
            }
            contents.earlier = (contents.transfers, UndoneCommand(command: "cancel", performedAt: 0, ids: ids))
        }
        switch command {
        case .pause, .hold: turn(ids, .paused(.by(.transfer)), .paused) { !$0.isEnded }
        case .resume: turn(ids, .running(), .resumed) { $0 == .paused }
        case .cancel: turn(ids, .cancelled(.init()), .cancelled) { !$0.isEnded }
        case .retry: turn(ids, .queued(), .queued) { $0 == .failed || $0 == .cancelled }
        case .trust(let persistence, _): answer(ids, "trust \(persistence.rawValue)")
        case .login(let login, let persistence, _):
            answer(ids, "\(login.user), \(login.password.count) letters, \(persistence.rawValue)")
        case .decline:
            turn(ids, .failed(.init(), TransferError(.other, "no reason given")), .failed) { $0 == .paused }
        case .limit(let rate):
            change {
                ids.contains($0.id)
            } to: {
                $0.rateLimit = rate
                return .changed
            }
        case .priority: break
        case .schedule(let time):
            change {
                ids.contains($0.id)
            } to: {
                $0.earliestBegin = time
                return .changed
            }
        case .after: break
        case .move(let move): ids.forEach { self.move($0, move) }
        case .liftRestrictions: break
        case .remove, .dismiss:
            contents.withLock { contents in
                contents.transfers.removeAll { ids.contains($0.id) && $0.state.isEnded }
                contents.listeners.forEach { $0.yield(.removed(ids)) }
            }
        }
    }

    /// What was answered takes the place of the reason, to be seen.
    private func answer(_ ids: [TransferID], _ words: String) {
        change {
            ids.contains($0.id) && $0.question != nil
        } to: { transfer in
            transfer.status = .queued(.text(words))
            return .resumed
        }
    }

    private func turn(
        _ ids: [TransferID], _ status: TransferStatus, _ name: TransferEvent.Name,
        where fits: (TransferState) -> Bool
    ) {
        change {
            ids.contains($0.id) && fits($0.state)
        } to: { transfer in
            transfer.status = status
            return name
        }
    }

    private func move(_ id: TransferID, _ move: QueueMove) {
        contents.withLock { contents in
            guard let index = contents.transfers.firstIndex(where: { $0.id == id }) else { return }
            let last = contents.transfers.count - 1
            let place =
                switch move {
                case .top: 0
                case .up: max(0, index - 1)
                case .down: min(last, index + 1)
                case .bottom: last
                }
            contents.transfers.insert(contents.transfers.remove(at: index), at: place)
            let order = contents.transfers.map(\.id)
            contents.listeners.forEach { $0.yield(.order(order)) }
        }
    }

    func setLimits(_ limits: QueueLimits) async throws {
        contents.withLock { contents in
            contents.limits = limits
            contents.listeners.forEach { $0.yield(.limits(limits)) }
        }
    }

    func timetable() async throws -> LimitTimetable {
        while isSilent { try await Task.sleep(for: .seconds(3600)) }
        return LimitTimetable()
    }

    /// Of single transfers alone.
    func rates(seconds: Int, of id: TransferID?) async throws -> RateReport {
        while isSilent { try await Task.sleep(for: .seconds(3600)) }
        let series = [1, 5, 60].map { step in
            TransferRates.Series(step: step, rates: (0..<60).map { Int64($0 * 10_000 * step) })
        }
        var report = RateReport(
            received: [], sent: [], limits: contents.withLock(\.limits),
            transfer: id.map { TransferRates(id: $0, series: series) })
        report.receivedSeries = series
        return report
    }

    func snapshot() async throws -> QueueSnapshot {
        contents.withLock { QueueSnapshot(transfers: $0.transfers, limits: $0.limits) }
    }

    func updates() -> AsyncStream<QueueUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: QueueUpdate.self)
        contents.withLock { contents in
            continuation.yield(.snapshot(QueueSnapshot(transfers: contents.transfers, limits: contents.limits)))
            contents.listeners.append(continuation)
        }
        return stream
    }
}
