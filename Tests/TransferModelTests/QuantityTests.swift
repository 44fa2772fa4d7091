// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct QuantityTests {
    @Test(arguments: [
        ("12", 12), ("500k", 512_000), ("2M", 2_097_152), ("1.5G", 1_610_612_736), ("1T", 1_099_511_627_776),
    ])
    func rates(text: String, expected: Int) throws { #expect(try TransferRate.parse(text) == expected) }

    @Test(arguments: [
        "", "0", "-1", "k", "1e5", "1.2.3", "5 k", "5kb", "99999999999999999999", "9999999999T", "٣k", ".", "+1",
    ])
    func refusedRates(text: String) {
        #expect(throws: TransferError(.rate, text)) {
            try TransferRate.parse(text)
        }
    }

    @Test(
        arguments: [
            (0, "0B"), (-5, "0B"), (999.9, "999B"), (1000, "0.98K"), (1536, "1.50K"), (10_445, "10.2K"),
            (1_023_000, "999K"),
            (1_023_600, "0.98M"), (1_073_741_824, "1.00G"), (1.1e15, "0.98P"), (1e18, "888P"), (1e30, ">999P"),
            (.infinity, ">999P"), (.nan, "0B"),
        ] as [(Double, String)])
    func sizes(bytes: Double, expected: String) {
        #expect(ByteCount.short(bytes) == expected)
        #expect(ByteCount.short(bytes).count <= 5)
    }

    @Test(
        arguments: [
            (nil, "--"), (.nan, "--"), (-1, "--"), (.infinity, "--"), (0, "0:00"), (0.2, "0:01"), (59.1, "1:00"),
            (247, "4:07"),
            (3723, "1h02"), (273_600, "3d4h"), (9e6, "--"),
        ] as [(Double?, String)])
    func spans(seconds: Double?, expected: String) { #expect(TimeSpan.short(seconds) == expected) }

    @Test(
        arguments: [
            (0, "0.0 ms"), (-1, "0.0 ms"), (0.00004, "0.0 ms"), (0.0015, "1.5 ms"), (0.0124, "12 ms"),
            (0.9994, "999 ms"),
            (0.9996, "1.0 s"), (1.24, "1.2 s"), (9.94, "9.9 s"), (9.96, "0:10"), (38.6, "0:39"), (59.7, "1:00"),
            (80.04, "1:20"), (247, "4:07"), (.infinity, "--"), (.nan, "--"),
        ] as [(Double, String)])
    func measuredSpans(seconds: Double, expected: String) { #expect(TimeSpan.taken(seconds) == expected) }

    @Test func checksums() throws {
        let hex = String(repeating: "0aF", count: 21) + "0"
        #expect(try Checksum(parsing: "SHA256:\(hex)").hex == hex.lowercased())
        #expect(try Checksum(parsing: "sha512:\(hex + hex)").algorithm == .sha512)
        for text in ["", "sha256", "sha256:", "sha256:ab", "md5:\(hex)", "sha256:\(hex.dropLast())g", "sha512:\(hex)"] {
            #expect(throws: TransferError.self) { try Checksum(parsing: text) }
        }
        #expect(Hex.decode("0") == nil && Hex.decode("zz") == nil && Hex.decode("") == [])
    }
}

struct TransferStateTests {
    @Test func finishedTransfersOnlyRequeue() {
        for state in TransferState.allCases {
            for next in TransferState.allCases where state.canBecome(next) {
                #expect(state != next)
                #expect(state != .completed)
                if state.isEnded { #expect(next == .queued || next == .paused) }
                if next == .verifying { #expect(!state.isEnded) }
            }
            if !state.isEnded { #expect(state.canBecome(.cancelled)) }
            if !state.isEnded, state != .paused, state != .verifying { #expect(state.canBecome(.paused)) }
        }
    }

    @Test func cookieRules() throws {
        #expect(try Cookie(name: "a", value: "b=c d").value == "b=c d")
        for (name, value) in [
            ("", "x"), ("a b", "x"), ("a=", "x"), ("a", "x;y"), ("a", "x\n"), ("a", "写"),
            ("a", String(repeating: "x", count: 4095)),
        ] {
            #expect(throws: TransferError.self) { try Cookie(name: name, value: value) }
        }
        #expect(try Cookie(name: "a", value: String(repeating: "x", count: 4094)).value.count == 4094)
    }
}
