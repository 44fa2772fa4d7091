// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface
@testable import fileq

/// Queues to look at.
enum Samples {
    static func transfer(
        _ id: Int, _ state: TransferState, _ name: String = "file.bin", kind: TransferKind = .download,
        bytes: Int64 = 0, total: Int64? = nil
    ) -> Transfer {
        var transfer = Transfer(
            id: TransferID(rawValue: id), kind: kind, url: "https://example.org/\(id)",
            file: "/home/user/\(name)", state: state)
        transfer.bytes = bytes
        transfer.total = total
        return transfer
    }

    /// One of everything that looks different, at 1000 seconds since 1970.
    static var mixed: InterfaceState {
        var running = transfer(1, .running, "夏休みの写真アルバム（北海道・知床半島）2024年8月.zip", bytes: 140_000_000, total: 312_000_000)
        running.edit { ($0.rate, $0.eta) = (12_900_000, 13.3) }
        var sending = transfer(2, .running, "議事録_第三回定例会議.pdf", kind: .upload, bytes: 480_000, total: 2_400_000)
        sending.edit { ($0.rate, $0.eta) = (52_000, 37) }
        (sending.uploadProtocol, sending.confirmed) = ("ietf-8", sending.bytes)
        var streaming = transfer(3, .running, "unknown-size.log", bytes: 1_200_000)
        streaming.edit { $0.rate = 800 }
        var waiting = transfer(4, .waiting, "か\u{3099}き\u{3099}.txt", total: 1000)
        waiting.edit { ($0.reason, $0.waitingSince) = ("no route to example.org", 958) }
        var retrying = transfer(5, .retrying, "ﾊﾝｶｸ.csv", bytes: 10, total: 1000)
        retrying.edit { ($0.reason, $0.retryAt, $0.attempt) = ("connection refused", 1012, 3) }
        var failed = transfer(8, .failed, "evil\u{1b}[2J\u{202e}gpj.exe", bytes: 5, total: 50)
        failed.edit {
            $0.error = TransferError(.httpStatus, .init(phrase: "Not Found"), host: "example.org", status: 404)
        }
        failed.httpStatus = 404
        var cancelled = transfer(11, .cancelled, "old.tar", kind: .upload, bytes: 1, total: 2)
        (cancelled.uploadProtocol, cancelled.confirmed) = ("ietf-8", 1)
        let transfers = [
            running, sending, streaming, waiting, retrying, transfer(6, .queued, "🎉 party.mp4", total: 5_368_709_120),
            transfer(7, .paused, "naïve résumé — copy.docx", bytes: 44, total: 100), failed,
            transfer(9, .verifying, "ubuntu-24.04.1-desktop-amd64.iso", bytes: 100, total: 100),
            transfer(10, .completed, "README.md", bytes: 4200, total: 4200),
            cancelled,
        ]
        return state(transfers)
    }

    /// Every kind of wait, the one that can be lifted first.
    static var waiting: InterfaceState {
        var costly = transfer(1, .waiting, "夏休みの写真アルバム（北海道・知床半島）2024年8月.zip", bytes: 140_000_000, total: 312_000_000)
        costly.status = .waiting(NetworkWait(.notAllowed(.expensive, interface: "wwan0"), since: 730))
        var down = transfer(2, .waiting, "議事録_第三回定例会議.pdf", kind: .upload, bytes: 480_000, total: 2_400_000)
        (down.uploadProtocol, down.confirmed) = ("ietf-8", down.bytes)
        down.status = .waiting(
            NetworkWait(.obstacle(.noRoute(host: "example.org", down: "wlan0")), since: 958))
        var silent = transfer(3, .waiting, "data.csv")
        silent.status = .waiting(NetworkWait(.silentResolver, since: 1000.5))
        var retrying = transfer(4, .retrying, "ﾊﾝｶｸ.csv", bytes: 10, total: 1000)
        retrying.edit { ($0.reason, $0.retryAt, $0.attempt) = ("example.org: connection refused", 1012, 3) }
        return state([costly, down, silent, retrying])
    }

    /// One asks for trust, another for a login.
    static var asking: InterfaceState {
        let certificate = CertificateSummary(
            subject: "CN=self.example, O=Example", issuer: "CN=self.example", notBefore: 1_700_000_000,
            notAfter: 1_800_000_000,
            sha256: (0..<32).map { UInt8($0) }, publicKeySHA256: (32..<64).map { UInt8($0) })
        let trust = ServerTrust(host: "example.org", port: 8443, chain: [certificate], failure: .selfSigned)
        let questions: [ConsentQuestion?] = [
            ConsentQuestion.Trust(trust).map { .trust($0) },
            .login(
                .init(
                    host: "example.org", port: 80, scheme: "http", realm: "staff\u{1b}[2J", method: "basic",
                    hasFailed: true)),
        ]
        return state(
            questions.enumerated().map { index, question in
                var transfer = transfer(index + 1, .paused, "file\(index + 1)")
                transfer.edit { $0.question = question }
                return transfer
            })
    }

    /// Reasons as the queue words them.
    static var failed: InterfaceState {
        var missing = transfer(1, .failed, "missing.bin")
        missing.edit { $0.error = TransferError(.httpStatus, "example.org: 404 Not Found") }
        var taken = transfer(2, .failed, "disk.iso", total: 104_857_600)
        taken.edit {
            $0.error = TransferError(
                .cannotWrite,
                "/home/user/disk.iso: exists already; use --overwrite to replace it, or -o for another name")
        }
        var full = transfer(3, .paused, "夏休みの写真アルバム（北海道・知床半島）2024年8月.zip", bytes: 140_000_000, total: 312_000_000)
        full.edit { $0.reason = "no space left on device" }
        var retrying = transfer(4, .retrying, "ﾊﾝｶｸ.csv", bytes: 10, total: 1000)
        retrying.edit { ($0.reason, $0.retryAt, $0.attempt) = ("example.org: connection refused", 1012, 3) }
        var due = transfer(5, .retrying, "due.bin")
        due.edit { ($0.reason, $0.retryAt, $0.attempt) = ("example.org: 503 Service Unavailable", 990, 2) }
        return state([missing, taken, full, retrying, due])
    }

    /// The program's sentences.
    static let words = MessageCatalog.interfaceWords(home: nil)

    static func state(_ transfers: [Transfer]) -> InterfaceState {
        var state = InterfaceState()
        state.setup.title = "fileq ~/Downloads"
        state.setup.words = words
        state.now = 1000
        state.setup.homeFolder = "/home/user"
        state.receive(.snapshot(QueueSnapshot(transfers: transfers)))
        return state
    }

    /// So many queued ones, numbered from 1.
    static func queued(_ count: Int) -> InterfaceState {
        state((1...max(1, count)).prefix(count).map { transfer($0, .queued, "file\($0)") })
    }
}

extension InterfaceState {
    /// Presses keys one after the other; what the last one led to.
    @discardableResult
    mutating func keys(_ keys: Key...) -> [Effect] {
        var effects: [Effect] = []
        for key in keys { effects = press(key) }
        return effects
    }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { _ = press(.character(scalar)) }
    }
}

func ids(_ numbers: Int...) -> [TransferID] { numbers.map { TransferID(rawValue: $0) } }

/// Small, fast, and the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
