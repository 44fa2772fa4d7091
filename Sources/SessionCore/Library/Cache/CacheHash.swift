// SPDX-License-Identifier: MIT

/// Hashes that distribute well but are not cryptographic: anyone who can write the files could forge them.
enum CacheHash {
    /// 32 hexadecimal digits (FNV-1a, 128 bits). Collisions are possible: the file contains the key.
    static func name(of key: String) -> String {
        var sum: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in key.utf8 {
            sum ^= UInt128(byte)
            sum &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
        return padded(String(sum, radix: 16), to: 32)
    }

    /// 16 hexadecimal digits to detect damage.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.withUnsafeBytes { buffer in
            var sum = 0xcbf2_9ce4_8422_2325 ^ UInt64(buffer.count)
            func take(_ word: UInt64) {
                sum = (sum ^ word) &* 0x9e37_79b9_7f4a_7c15
                sum ^= sum >> 32
            }
            let whole = buffer.count / 8 * 8
            for offset in stride(from: 0, to: whole, by: 8) {
                take(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            }
            take(buffer[whole...].reduce(0) { $0 << 8 | UInt64($1) })
            return padded(String(sum, radix: 16), to: 16)
        }
    }

    static func padded(_ digits: String, to width: Int) -> String {
        String(repeating: "0", count: width - digits.utf8.count) + digits
    }
}
