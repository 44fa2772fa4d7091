// SPDX-License-Identifier: MIT

/// The checksum of ZIP (ISO 3309), eight bytes at a time: zlib is not among the libraries of the program.
struct CRC32: Sendable {
    private var state: UInt32 = .max

    var value: UInt32 { ~state }

    /// Eight tables of 256; table `n` has the effect of a byte with `n` more behind it.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        for byte in 0..<UInt32(256) {
            var crc = byte
            for _ in 0..<8 { crc = (crc >> 1) ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
            tables.append(crc)
        }
        for index in 256..<2048 {
            let before = tables[index - 256]
            tables.append((before >> 8) ^ tables[Int(before & 255)])
        }
        return tables
    }()

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var crc = state
        Self.tables.withUnsafeBufferPointer { tables in
            func entry(_ table: Int, _ byte: UInt32) -> UInt32 { tables[table << 8 | Int(byte & 255)] }
            var position = 0
            while position + 8 <= bytes.count {
                let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)) ^ crc
                let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
                crc = entry(7, low) ^ entry(6, low >> 8) ^ entry(5, low >> 16) ^ entry(4, low >> 24)
                crc ^= entry(3, high) ^ entry(2, high >> 8) ^ entry(1, high >> 16) ^ entry(0, high >> 24)
                position += 8
            }
            for byte in bytes[position...] { crc = entry(0, crc ^ UInt32(byte)) ^ (crc >> 8) }
        }
        state = crc
    }
}
