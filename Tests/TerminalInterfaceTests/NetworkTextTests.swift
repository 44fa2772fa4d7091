// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface

@Suite struct NetworkTextTests {
    private static let wifi = NetworkInUse(interface: "wlan0")
    private static let mobile = NetworkInUse(interface: "wwan\u{1b}0", expensive: true)
    private static let none = NetworkInUse(interface: nil, obstacle: "wlan0 is not connected")

    @Test(
        arguments: [
            (wifi, 0, "wlan0", false), (wifi, 2, "wlan0: 2 wait", true), (mobile, 0, "wwan\u{fffd}0 expensive", false),
            (mobile, 1, "wwan\u{fffd}0 expensive: 1 waits", true), (none, 0, "no network", true),
            (none, 1, "no network: 1 waits", true),
            (NetworkInUse(interface: "a", constrained: true), 0, "a constrained", false),
        ] as [(NetworkInUse, Int, String, Bool)])
    func saysWhatIsUsed(_ network: NetworkInUse, _ waiting: Int, _ label: String, _ isWarning: Bool) {
        let transfers = (0..<waiting).map { Samples.transfer($0 + 1, .waiting) } + [Samples.transfer(9, .running)]
        var state = Samples.state(transfers)
        #expect(NetworkText.label(state, .unicode) == nil)
        state.rates.network = network
        #expect(NetworkText.label(state, .unicode) == label && NetworkText.isWarning(state) == isWarning)
        let header = render(state, columns: 80, rows: 24, capabilities: .unicode).text(row: 0)
        #expect(header.hasSuffix("  " + label))
    }

    @Test func theLimitStaysUnlessTransfersWait() {
        var state = Samples.state([Samples.transfer(1, .running)])
        state.limits = QueueLimits(concurrent: 4, download: 4 << 20, upload: 1 << 20)
        state.rates.network = NetworkInUse(interface: String(repeating: "w", count: 15))
        func header(_ state: InterfaceState) -> String {
            render(state, columns: 60, rows: 24, capabilities: .unicode).text(row: 0)
        }
        #expect(header(state).hasSuffix("  limit ↓4M ↑1M"))
        state.receive(.events([TransferEvent(time: 0, name: .waiting, transfer: Samples.transfer(2, .waiting))]))
        #expect(header(state).hasSuffix("  \(String(repeating: "w", count: 15)): 1 waits"))
    }

    /// Those that run when the limit is lowered continue.
    @Test func moreMayRunThanThereAreSlots() {
        var state = Samples.state((1...5).map { Samples.transfer($0, .running) })
        func header(_ columns: Int) -> String {
            state.resize(columns: columns, rows: 24)
            return render(state, columns: columns, rows: 24, capabilities: .unicode).text(row: 0)
        }
        state.limits = QueueLimits(concurrent: 5)
        #expect(header(100).hasSuffix("  5/5 slots"))
        state.limits.concurrent = 4
        #expect(header(100).hasSuffix("  5 running, limit 4"))
        state.limits = QueueLimits(concurrent: 5, download: 4 << 20, isHeld: true)
        #expect(header(100).hasSuffix("  queue held  5/5 slots  limit ↓4M"))
        #expect(header(60).hasSuffix("  queue held  limit ↓4M"))
        #expect(header(40).hasSuffix(" held  5"))
    }

    /// Those that only await the disk have given their slots to others.
    @Test(arguments: [(2, 1, "3/4 slots"), (4, 9, "4/4 slots"), (0, 9, "4/4 slots"), (5, 9, "5 running, limit 4")])
    func whatIsVerifiedExceedsNoSlots(_ running: Int, _ verifying: Int, _ text: String) {
        let states = Array(repeating: TransferState.running, count: running)
        let all = states + Array(repeating: TransferState.verifying, count: verifying)
        var state = Samples.state(all.enumerated().map { Samples.transfer($0.offset + 1, $0.element) })
        state.limits = QueueLimits(concurrent: 4)
        state.resize(columns: 100, rows: 24)
        let header = render(state, columns: 100, rows: 24, capabilities: .unicode).text(row: 0)
        #expect(header.hasSuffix("  \(text)"), "\(header)")
    }

    /// A start shows that there was a slot: others only await the disk, which the service reports later.
    @Test func aStartIsNoExcess() {
        var state = Samples.state((1...4).map { Samples.transfer($0, .running) })
        state.limits = QueueLimits(concurrent: 4)
        state.resize(columns: 100, rows: 24)
        func header() -> String { render(state, columns: 100, rows: 24, capabilities: .unicode).text(row: 0) }
        state.receive(.events([TransferEvent(time: 0, name: .started, transfer: Samples.transfer(5, .running))]))
        #expect(header().hasSuffix("  4/4 slots"))
        state.now += 2
        state.receive(.events([TransferEvent(time: 0, name: .progress, transfer: Samples.transfer(5, .running))]))
        #expect(header().hasSuffix("  4/4 slots"))
        state.now += 1
        #expect(header().hasSuffix("  5 running, limit 4"))
    }

    @Test func nothingUsesItAtTheEnd() {
        var state = Samples.state([Samples.transfer(1, .completed)])
        state.rates.network = Self.none
        #expect(NetworkText.label(state, .unicode) == nil && !NetworkText.isWarning(state))
    }
}
