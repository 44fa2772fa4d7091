// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore
import Synchronization
import TransferControl
package import TransferModel

/// The running transfers, in a file that survives a crash, and the transfers during which earlier processes crashed.
///
/// A transfer during which the process crashed twice in a row is not attempted again (``condemned``). One during which
/// it crashed once is a suspect: suspects run one at a time, so that the next crash separates the guilty one from the
/// others. A suspect is cleared when it ends, or has run for ``proof`` seconds. Only crashes count: neither SIGKILL nor
/// a power cut.
package final class CrashLedger: Sendable {
    /// Crashes in a row after which a transfer fails.
    package static let maximumCrashes = 2
    /// Seconds after which a running suspect is cleared.
    package static let proof = 60.0

    private struct Slot {
        var index: Int
        /// When it started to run, on the clock of ``note(_:at:)``; `nil`: it does not run.
        var runningSince: Double?
    }

    private struct State {
        var slots: [TransferID: Slot] = [:]
        var free: [Int] = []
        var count = 0
        /// Crashes in a row, of suspects.
        var crashes: [TransferID: Int] = [:]
    }

    private let descriptor: Int32
    private let state: Mutex<State>
    /// The signal by which the last process crashed; `nil` if it ended otherwise.
    package let signal: Int32?
    /// The transfers that ran then.
    package let wereRunning: [TransferID]
    /// Transfers during which the process crashed too often.
    package let condemned: Set<TransferID>

    /// Reads the record of the last process, and starts one of this process. One process at a time, which holds the
    /// queue's lock.
    /// - Parameter time: seconds since 1970.
    /// - Throws: code `cannotWrite`.
    package init(path: String, time: Double) throws(TransferError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TransferError(.cannotWrite, file: .write, path: path, systemErrno: errno)
        }
        self.descriptor = descriptor
        let last = CrashRecord.read(descriptor)
        let old = last?.record ?? CrashRecord(startedAt: time)
        signal = old.signal == 0 ? nil : old.signal
        let hasCrashed = old.signal != 0
        wereRunning = hasCrashed ? old.entries.filter(\.isRunning).map(\.id) : []
        var crashes: [TransferID: Int] = [:]
        for entry in old.entries {
            let count = entry.crashes + (entry.isRunning && hasCrashed ? 1 : 0)
            if count > 0 { crashes[entry.id] = count }
        }
        condemned = Set(crashes.filter { $0.value >= Self.maximumCrashes }.keys)
        for id in condemned { crashes[id] = nil }
        var new = CrashRecord(crashes: old.crashesInRow(endedAt: last?.writtenAt ?? time), startedAt: time)
        var state = State(crashes: crashes)
        for (id, count) in crashes.sorted(by: { $0.key < $1.key }) {
            state.slots[id] = Slot(index: state.count)
            state.count += 1
            new.entries.append(.init(id: id, isRunning: false, crashes: count))
        }
        self.state = Mutex(state)
        let text = Array((new.header + new.entries.map(\.line).joined()).utf8)
        // On a full disk the old record stays, and a crash is counted one time too few; nothing else is lost.
        if pwrite(descriptor, text, text.count, 0) == text.count { ftruncate(descriptor, off_t(text.count)) }
    }

    deinit { close(descriptor) }

    /// From now on a crash of this process is recorded. The ledger must live as long as the process.
    package func recordCrashes() { clinux_note_crashes(descriptor) }

    /// Transfers during which the process crashed once.
    package var suspects: Set<TransferID> { state.withLock { Set($0.crashes.keys) } }

    package func isSuspect(_ id: TransferID) -> Bool { state.withLock { $0.crashes[id] != nil } }

    /// Records a transfer's state, in a file of few pages that is never synced: it has to survive the process alone,
    /// and must be there before the transfer can crash it.
    /// - Parameter now: seconds on a monotonic clock.
    package func note(_ transfer: Transfer, at now: Double) {
        state.withLock { state in
            let id = transfer.id
            let slot = state.slots[id]
            if transfer.state.occupiesSlot {
                let since = slot?.runningSince ?? now
                let isProven = state.crashes[id] != nil && now - since >= Self.proof
                if isProven { state.crashes[id] = nil }
                guard slot?.runningSince == nil || isProven else { return }
                let index = slot?.index ?? state.free.popLast() ?? state.count
                state.count = max(state.count, index + 1)
                state.slots[id] = Slot(index: index, runningSince: since)
                write(.init(id: id, isRunning: true, crashes: state.crashes[id] ?? 0), index)
            } else if let slot {
                if transfer.state.isEnded { state.crashes[id] = nil }
                if let crashes = state.crashes[id] {
                    guard slot.runningSince != nil else { return }
                    state.slots[id]?.runningSince = nil
                    write(.init(id: id, isRunning: false, crashes: crashes), slot.index)
                } else {
                    state.slots[id] = nil
                    state.free.append(slot.index)
                    write(nil, slot.index)
                }
            }
        }
    }

    /// Records transfers whose requests the transport may send at any time, before it is given them.
    package func began(_ ids: [TransferID], at now: Double) {
        state.withLock { state in
            for id in ids {
                let slot = state.slots[id]
                guard slot?.runningSince == nil else { continue }
                let index = slot?.index ?? state.free.popLast() ?? state.count
                state.count = max(state.count, index + 1)
                state.slots[id] = Slot(index: index, runningSince: now)
                write(.init(id: id, isRunning: true, crashes: state.crashes[id] ?? 0), index)
            }
        }
    }

    private func write(_ entry: CrashRecord.Entry?, _ index: Int) {
        let line = entry?.line ?? CrashRecord.Entry.emptyLine
        let text = Array(line.utf8)
        _ = pwrite(descriptor, text, text.count, off_t(CrashRecord.headerBytes + index * CrashRecord.entryBytes))
    }
}
