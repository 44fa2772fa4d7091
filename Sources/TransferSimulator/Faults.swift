// SPDX-License-Identifier: MIT

import TransferTesting

/// What may go wrong. Each seed draws a subset: with all of them at once, few transfers would come far enough to meet
/// the rare ones.
enum Fault: String, CaseIterable {
    case refusedConnection, slowHead, reset, earlyClose, stall, silence, busy, interimResponse
    case wrongRange, ignoredRange, ignoredIfRange, refusedRange, otherLength, newVersion, weakValidator, dateValidator,
        noValidator
    case pathLoss, expensivePath
    case fullDisk, failingWrites, failingSync, refusedFiles
    case slowJobs, kill, powerCut, cleanEnd, clockSet
    case commands, duplicateCommands
}

/// The faults of one seed.
struct Swarm {
    let faults: Set<Fault>
    init(_ random: inout SeededRandom) {
        var drawn: Set<Fault> = []
        // Some seeds have few kinds, some nearly all.
        let share = Int.random(in: 20...85, using: &random)
        for fault in Fault.allCases where Int.random(in: 0..<100, using: &random) < share { drawn.insert(fault) }
        faults = drawn
    }

    func has(_ fault: Fault) -> Bool { faults.contains(fault) }
}
