// SPDX-License-Identifier: MIT

import Glibc

/// The records of a ZIP archive of stored files (APPNOTE.TXT 6.3.10 of PKWARE). Checksums follow the content: each file
/// is read once.
struct ZipLayout {
    struct Entry: Sendable, Equatable {
        /// With slashes, one at the end for a folder.
        var name: String
        var size: Int64
        /// Seconds since 1970.
        var modified: Int64

        var isFolder: Bool { name.utf8.last == UInt8(ascii: "/") }
    }

    /// The largest value of a field of 32 bits; what does not fit has this one there, and its own in Zip64.
    private static let limit: Int64 = 0xFFFF_FFFF

    /// Of the bytes so far.
    private(set) var offset: Int64 = 0
    private(set) var directory: [UInt8] = []
    private var count: Int64 = 0

    /// The record in front of a file's content. The sizes are known, the checksum is not.
    mutating func begin(_ entry: Entry) -> [UInt8] {
        var record = Record(0x0403_4B50)
        let isLarge = entry.size >= Self.limit
        record.short(isLarge ? 45 : 20)
        record.common(entry, checksum: 0)
        record.long(isLarge ? Self.limit : entry.size)
        record.long(isLarge ? Self.limit : entry.size)
        let extra = Self.extra(entry, isLarge ? [entry.size, entry.size] : [])
        record.short(Int64(entry.name.utf8.count))
        record.short(Int64(extra.count))
        return record.bytes + entry.name.utf8 + extra
    }

    /// The record behind a file's content.
    /// - Parameter first: what ``begin(_:)`` returned has so many bytes.
    mutating func end(_ entry: Entry, checksum: UInt32, first: Int) -> [UInt8] {
        var descriptor: [UInt8] = []
        if !entry.isFolder {
            var record = Record(0x0807_4B50)
            record.long(Int64(checksum))
            for _ in 0..<2 { entry.size >= Self.limit ? record.longLong(entry.size) : record.long(entry.size) }
            descriptor = record.bytes
        }
        describe(entry, checksum)
        offset += Int64(first) + entry.size + Int64(descriptor.count)
        return descriptor
    }

    private mutating func describe(_ entry: Entry, _ checksum: UInt32) {
        let wide = [entry.size, entry.size, offset].filter { $0 >= Self.limit }
        var record = Record(0x0201_4B50)
        // Made by Unix.
        record.short(3 << 8 | 45)
        record.short(wide.isEmpty ? 20 : 45)
        record.common(entry, checksum: checksum)
        record.long(min(entry.size, Self.limit))
        record.long(min(entry.size, Self.limit))
        let extra = Self.extra(entry, wide)
        record.short(Int64(entry.name.utf8.count))
        record.short(Int64(extra.count))
        // No comment, first disk, no internal attributes; mode, and that of MS-DOS.
        for _ in 0..<3 { record.short(0) }
        record.long(entry.isFolder ? 0o040755 << 16 | 0x10 : 0o100644 << 16)
        record.long(min(offset, Self.limit))
        directory += record.bytes + entry.name.utf8 + extra
        count += 1
    }

    /// The directory and its end, behind the last file.
    func close() -> [UInt8] {
        let size = Int64(directory.count)
        var end = Record()
        if count >= 0xFFFF || size >= Self.limit || offset >= Self.limit {
            end.long(0x0606_4B50)
            end.longLong(44)
            end.short(3 << 8 | 45)
            end.short(45)
            end.long(0)
            end.long(0)
            for value in [count, count, size, offset] { end.longLong(value) }
            end.long(0x0706_4B50)
            end.long(0)
            end.longLong(offset + size)
            end.long(1)
        }
        end.long(0x0605_4B50)
        end.short(0)
        end.short(0)
        for _ in 0..<2 { end.short(min(count, 0xFFFF)) }
        end.long(min(size, Self.limit))
        end.long(min(offset, Self.limit))
        end.short(0)
        return directory + end.bytes
    }

    private static func extra(_ entry: Entry, _ wide: [Int64]) -> [UInt8] {
        var record = Record()
        if !wide.isEmpty {
            record.short(0x0001)
            record.short(Int64(8 * wide.count))
            for value in wide { record.longLong(value) }
        }
        // The modification time in UTC: the other field has no time zone.
        record.short(0x5455)
        record.short(5)
        record.bytes.append(1)
        record.long(Int64(Int32(clamping: entry.modified)))
        return record.bytes
    }

    /// Bytes, little-endian.
    private struct Record {
        var bytes: [UInt8] = []

        init() {}

        init(_ signature: Int64) { long(signature) }

        mutating func short(_ value: Int64) { append(value, 2) }
        mutating func long(_ value: Int64) { append(value, 4) }
        mutating func longLong(_ value: Int64) { append(value, 8) }

        /// Flags, method, time and checksum.
        mutating func common(_ entry: Entry, checksum: UInt32) {
            // The name is UTF-8, and a file's checksum behind its content.
            short(entry.isFolder ? 0x0800 : 0x0808)
            short(0)
            var (seconds, time) = (time_t(entry.modified), tm())
            gmtime_r(&seconds, &time)
            // Years since 1980.
            let year = time.tm_year - 80
            let isKnown = (0...127).contains(year)
            short(isKnown ? Int64(time.tm_hour << 11 | time.tm_min << 5 | min(time.tm_sec, 59) / 2) : 0)
            short(isKnown ? Int64(year << 9 | (time.tm_mon + 1) << 5 | time.tm_mday) : 1 << 5 | 1)
            long(Int64(checksum))
        }

        private mutating func append(_ value: Int64, _ count: Int) {
            for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
    }
}
