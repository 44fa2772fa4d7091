// SPDX-License-Identifier: MIT

import TransferTesting

/// What may go wrong, and what makes a course unusual. Each seed draws a subset: with all of them at once, few
/// transfers would come far enough to meet the rare ones.
enum Fault: String, CaseIterable {
    case refusedConnection, slowHead, reset, earlyClose, stall, silence, halfOpen, busy, interimResponse
    case earlyResponse, lostResponse
    /// Resumable uploads: the server forgets one, writes what has come of a broken request later, keeps a part of one.
    case expiredUpload, lateAppend, shortAppend
    case wrongRange, ignoredRange, ignoredIfRange, refusedRange, otherLength, newVersion, weakValidator, dateValidator,
        noValidator
    case pathLoss, expensivePath, betterPath
    case fullDisk, readOnlyDisk, failingWrites, failingSync, refusedFiles, remoteFolder, hangingFolder
    case slowJobs, kill, powerCut, cleanEnd, clockSet
    /// Commands of users, and some of them twice.
    case commands, duplicateCommands
    /// Files that are worth several connections.
    case largeFiles
    /// Other addresses of the same file, and some that have another one.
    case mirrors, wrongMirrors
    /// Servers that ask for a login, or have a key that no authority vouches for, and those that change either.
    case logins, untrustedServers, newLogins, newKeys
    /// Answers of users to what is asked: wrong, refused, or late.
    case wrongAnswers, declinedQuestions, lateAnswers
    /// Users revert the last command.
    case undo
    /// Limits in bytes a second for all downloads and uploads, and by the time of day.
    case rateLimits, timetable
    /// Small transfers without tasks; folders without a disk.
    case fetches, memoryFolder
    /// Servers name another address of the same file.
    case redirects
    /// Clients of the control server: some read slowly, some end before they have their reply.
    case controlClients, slowClients, lostClients
}

extension Fault {
    /// One of its own; a case without values is its number.
    fileprivate var bit: UInt64 { 1 << UInt64(unsafeBitCast(self, to: UInt8.self)) }
}

/// The faults of one seed.
struct Swarm {
    let faults: Set<Fault>
    /// The same, by the order of the cases: each call on a file asks for several.
    private let bits: UInt64

    /// - Parameter only: others are left out; `nil`: none.
    init(_ random: inout SeededRandom, only: Set<Fault>? = nil) {
        var drawn: Set<Fault> = []
        // Some seeds have few kinds, some nearly all.
        let share = Int.random(in: 20...85, using: &random)
        for fault in Fault.allCases where Int.random(in: 0..<100, using: &random) < share { drawn.insert(fault) }
        self.init(only.map(drawn.intersection) ?? drawn)
    }

    init(_ faults: Set<Fault>) {
        self.faults = faults
        bits = faults.reduce(0) { $0 | $1.bit }
    }

    func has(_ fault: Fault) -> Bool { bits & fault.bit != 0 }
}
