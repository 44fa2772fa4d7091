// SPDX-License-Identifier: MIT

import Glibc
public import TransferModel

/// What a service leaves behind for the case that it crashes: by which signal it ended, and which transfers were
/// running then.
///
/// A file of lines of fixed length, each written in place: a header, whose first bytes the signal handler writes, then
/// one line for each transfer. A process that is killed, or a machine that loses its power, leaves no signal, and none
/// is counted.
public struct CrashRecord: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        public var id: TransferID
        public var isRunning: Bool
        /// Crashes in a row while it ran, those before this record.
        public var crashes: Int

        public init(id: TransferID, isRunning: Bool, crashes: Int) {
            (self.id, self.isRunning, self.crashes) = (id, isRunning, crashes)
        }

        /// In the place of an entry that is gone.
        public static let emptyLine = CrashRecord.padded("", CrashRecord.entryBytes)

        /// ``CrashRecord/entryBytes`` long.
        public var line: String {
            CrashRecord.padded("\(isRunning ? "running" : "suspect") \(id) \(crashes)", CrashRecord.entryBytes)
        }
    }

    // A header and lines of fixed length.
    public static let headerBytes = 64
    public static let entryBytes = 48
    /// Seconds: a service that crashes sooner after its start counts as one that crashes at once.
    public static let soon = 60.0
    /// Services in a row that crash at once before nobody starts another for ``soon`` seconds.
    public static let maximumInRow = 3

    /// By which the process ended; 0: by none that is counted.
    public var signal: Int32
    /// Services in a row before this one that crashed at once.
    public var crashes: Int
    /// Seconds since 1970.
    public var startedAt: Double
    public var entries: [Entry]

    public init(signal: Int32 = 0, crashes: Int = 0, startedAt: Double, entries: [Entry] = []) {
        (self.signal, self.crashes, self.startedAt, self.entries) = (signal, crashes, startedAt, entries)
    }

    /// Pure: what cannot be read counts for nothing.
    public init(parsing text: String) {
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

    /// ``headerBytes`` long. The signal handler writes as far as the first number.
    public var header: String {
        let number = String("\(1000 + Int(signal))".suffix(3))
        return Self.padded(
            "signal \(number) crashes \(crashes) started \(Int(startedAt.isFinite ? startedAt : 0))", Self.headerBytes)
    }

    static func padded(_ text: String, _ bytes: Int) -> String {
        text + String(repeating: " ", count: max(0, bytes - 1 - text.utf8.count)) + "\n"
    }

    /// Pure: services in a row that crashed at once, this one included, where it crashed at `time`.
    public func crashesInRow(endedAt time: Double) -> Int {
        signal != 0 && time - startedAt < Self.soon ? crashes + 1 : 0
    }

    /// Pure: seconds in which no service is started, because so many have crashed at once.
    /// - Parameter endedAt: when the last one crashed.
    public func pause(at now: Double, endedAt: Double) -> Double? {
        guard crashesInRow(endedAt: endedAt) >= Self.maximumInRow else { return nil }
        let left = endedAt + Self.soon - now
        // A clock that was set back must not keep the service away.
        return left > 0 && left <= Self.soon ? left : nil
    }

    /// The record at `path`, and when it was written last; `nil` where there is none.
    public static func read(_ path: String) -> (record: CrashRecord, writtenAt: Double)? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return read(descriptor)
    }

    public static func read(_ descriptor: Int32) -> (record: CrashRecord, writtenAt: Double)? {
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
