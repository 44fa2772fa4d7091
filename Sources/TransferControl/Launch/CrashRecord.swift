// SPDX-License-Identifier: MIT

import Glibc
package import TransferModel

/// A crash report for the next service: the signal, and the transfers that were running.
///
/// A file of lines of fixed length, each written in place: a header, whose first bytes the signal handler writes, then
/// one line per transfer. A kill or a power cut leaves no signal and does not count.
package struct CrashRecord: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var id: TransferID
        package var isRunning: Bool
        /// Consecutive crashes while it ran, before this record.
        package var crashes: Int

        package init(id: TransferID, isRunning: Bool, crashes: Int) {
            (self.id, self.isRunning, self.crashes) = (id, isRunning, crashes)
        }

        /// Replaces a removed entry.
        package static let emptyLine = CrashRecord.padded("", CrashRecord.entryBytes)

        /// ``CrashRecord/entryBytes`` long.
        package var line: String {
            CrashRecord.padded("\(isRunning ? "running" : "suspect") \(id) \(crashes)", CrashRecord.entryBytes)
        }
    }

    // A header and lines of fixed length.
    package static let headerBytes = 64
    package static let entryBytes = 48
    /// Seconds: a crash sooner after the start counts as a crash at start.
    package static let soon = 60.0
    /// Consecutive crashes at start before no service is started for ``soon`` seconds.
    package static let maximumInRow = 3

    /// The signal that ended the process; 0: none.
    package var signal: Int32
    /// Consecutive earlier services that crashed at start.
    package var crashes: Int
    /// Seconds since 1970.
    package var startedAt: Double
    package var entries: [Entry]

    package init(signal: Int32 = 0, crashes: Int = 0, startedAt: Double, entries: [Entry] = []) {
        (self.signal, self.crashes, self.startedAt, self.entries) = (signal, crashes, startedAt, entries)
    }

    /// No I/O: invalid lines are ignored.
    package init(parsing text: String) {
        self.init(startedAt: 0)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            switch words.first {
            case "signal" where words.count == 6:
                (signal, crashes, startedAt) = (Int32(words[1]) ?? 0, Int(words[3]) ?? 0, Double(words[5]) ?? 0)
            case "running" where words.count == 3, "suspect" where words.count == 3:
                guard let id = Int(words[1]), let crashes = Int(words[2]) else { continue }
                entries.append(Entry(id: TransferID(rawValue: id), isRunning: words[0] == "running", crashes: crashes))
            default: continue
            }
        }
    }

    /// ``headerBytes`` long. The signal handler writes up to the first number.
    package var header: String {
        let number = String("\(1000 + Int(signal))".suffix(3))
        return Self.padded(
            "signal \(number) crashes \(crashes) started \(Int(startedAt.isFinite ? startedAt : 0))", Self.headerBytes)
    }

    static func padded(_ text: String, _ bytes: Int) -> String {
        text + String(repeating: " ", count: max(0, bytes - 1 - text.utf8.count)) + "\n"
    }

    /// Consecutive services that crashed at start, including this one, if it crashed at `time`. No I/O.
    package func crashesInRow(endedAt time: Double) -> Int {
        signal != 0 && time - startedAt < Self.soon ? crashes + 1 : 0
    }

    /// Seconds without a start, because too many services have crashed at start. No I/O.
    /// - Parameter endedAt: the time of the last crash.
    package func pause(at now: Double, endedAt: Double) -> Double? {
        guard crashesInRow(endedAt: endedAt) >= Self.maximumInRow else { return nil }
        let left = endedAt + Self.soon - now
        // After the clock was set back the service must still start.
        return left > 0 && left <= Self.soon ? left : nil
    }

    /// The record at `path`, and its modification time; `nil` if there is none.
    package static func read(_ path: String) -> (record: CrashRecord, writtenAt: Double)? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return read(descriptor)
    }

    package static func read(_ descriptor: Int32) -> (record: CrashRecord, writtenAt: Double)? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), 1 << 20))
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let time = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
        return (CrashRecord(parsing: String(decoding: bytes[..<count], as: UTF8.self)), time)
    }
}
