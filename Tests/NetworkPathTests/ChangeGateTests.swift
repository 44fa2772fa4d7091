// SPDX-License-Identifier: MIT

import SessionCore
import Testing

@testable import NetworkPath

@Suite struct ChangeGateTests {
    @Test func mergesABurst() {
        var gate = ChangeGate()
        #expect(gate.add(PathChange(lost: ["a"]), at: 10) == 10.05)
        #expect(gate.add(PathChange(available: ["a"]), at: 10.01) == nil)
        #expect(gate.add(PathChange(hasBetterPath: true), at: 10.04) == nil)
        #expect(gate.open(at: 10.05) == PathChange(available: ["a"], lost: ["a"], hasBetterPath: true))
        #expect(gate.open(at: 10.06).isEmpty)
    }

    @Test func throttlesContinuousChanges() {
        var gate = ChangeGate()
        var (now, due, reported): (Double, Double?, Int) = (0, nil, 0)
        // 100 changes a second for a minute.
        for _ in 0..<6000 {
            if let when = due, when <= now {
                #expect(!gate.open(at: when).isEmpty)
                reported += 1
                due = nil
            }
            due = gate.add(PathChange(available: ["a"]), at: now) ?? due
            now += 0.01
        }
        #expect((58...70).contains(reported))
    }

    @Test func quietPeriodsResetTheThrottle() {
        var gate = ChangeGate()
        let change = PathChange(lost: ["a"])
        #expect(gate.add(change, at: 0) == 0.05)
        _ = gate.open(at: 0.05)
        #expect(gate.add(change, at: 0.1) == 0.2)
        _ = gate.open(at: 0.2)
        #expect(gate.add(change, at: 1.5) == 1.55)
    }
}
