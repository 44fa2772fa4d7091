// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TransferTesting

@testable import NetworkPath

@Suite struct NetworkManagerMeteringTests {
    /// A busctl that answers from a table: by interface the device, by device the value.
    private final class Bus: CommandRunner {
        let asked = Mutex<[[String]]>([])
        let clock: ManualScheduler
        let seconds: Double
        let devices: [String: String]
        let values: [String: String]

        init(devices: [String: String], values: [String: String], clock: ManualScheduler = .init(), seconds: Double = 0)
        {
            self.devices = devices
            self.values = values
            self.clock = clock
            self.seconds = seconds
        }

        func run(_ words: [String], within limit: Double) -> [UInt8]? {
            asked.withLock { $0.append(words) }
            clock.advance(by: min(seconds, limit))
            guard seconds < limit else { return nil }
            return (words.contains("call") ? devices[words.last ?? ""] : values[words[words.count - 3]]).map {
                Array($0.utf8)
            }
        }
    }

    private static let folder = "/org/freedesktop/NetworkManager/Devices"

    @Test(
        arguments: [
            (#"{"type":"u","data":1}"#, true), (#"{"type":"u","data":2}"#, false), (#"{"type":"u","data":3}"#, true),
            (#"{"type":"u","data":4}"#, nil), (#"{"type":"u","data":0}"#, nil), (#"{"type":"u","data":99}"#, nil),
            (#"{"type":"s","data":"1"}"#, nil), ("", nil), ("[", nil),
        ] as [(String, Bool?)])
    func valuesOfMetered(answer: String, isMetered: Bool?) {
        let bus = Bus(
            devices: ["wlan0": #"{"type":"o","data":["\#(Self.folder)/3"]}"#], values: ["\(Self.folder)/3": answer])
        let source = NetworkManagerMetering(runner: bus, hasBus: { true }, now: { bus.clock.now })
        #expect(source.metered(["wlan0"]) == (isMetered.map { ["wlan0": $0] } ?? [:]))
        #expect(
            bus.asked.withLock { $0 }.allSatisfy {
                $0.starts(with: ["busctl", "--system", "--json=short", "--auto-start=no"])
            })
    }

    @Test(
        arguments: [
            nil, #"{"type":"o","data":["/etc/passwd"]}"#, #"{"type":"o","data":[]}"#,
            #"{"type":"o","data":["/org/freedesktop/NetworkManager/Devices/3 x"]}"#, "x",
        ] as [String?])
    func asksNothingMoreWithoutADevice(answer: String?) {
        let bus = Bus(devices: answer.map { ["eth0": $0] } ?? [:], values: [:])
        #expect(NetworkManagerMetering(runner: bus, hasBus: { true }, now: { 0 }).metered(["eth0"]).isEmpty)
        #expect(bus.asked.withLock { $0.count } == 1)
    }

    @Test func limitsTheTotal() {
        let slow = Bus(devices: [:], values: [:], seconds: 0.9)
        _ = NetworkManagerMetering(runner: slow, hasBus: { true }, now: { slow.clock.now }).metered(
            (0..<50).map { "eth\($0)" })
        #expect(slow.asked.withLock { $0.count } == 3)
        let quick = Bus(devices: [:], values: [:])
        _ = NetworkManagerMetering(runner: quick, hasBus: { true }, now: { 0 }).metered((0..<50).map { "eth\($0)" })
        #expect(quick.asked.withLock { $0.count } == NetworkManagerMetering.maximumInterfaces)
    }
}

@Suite struct BoundedCommandTests {
    @Test func readsOutputOnSuccess() async {
        let found = await run([
            ["printf", "%s", "a b;c"], ["sh", "-c", "echo x; exit 3"], ["/nowhere/at-all"], ["true"],
        ])
        #expect(found == [Array("a b;c".utf8), nil, nil, []])
    }

    @Test func killsAHangingProgram() async {
        // It may neither keep its output open nor close it and stay.
        let found = await run(
            [["sh", "-c", "trap '' TERM; exec sleep 600"], ["sh", "-c", "exec >&- 2>&-; exec sleep 600"]], seconds: 0.2)
        #expect(found == [nil, nil])
    }

    @Test func limitsOutput() async {
        #expect(await run([["sh", "-c", "exec cat /dev/zero"]], seconds: 20) == [nil])
    }

    /// Away from the threads that all tests share.
    private func run(_ commands: [[String]], seconds: Double = 20) async -> [[UInt8]?] {
        await offPool { commands.map { BoundedCommand().run($0, within: seconds) } }
    }
}
