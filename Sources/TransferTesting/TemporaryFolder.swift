// SPDX-License-Identifier: MIT

import Foundation

/// A temporary folder of a test, removed with its content when the value is released.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let base = FileManager.default.temporaryDirectory.path
        path = "\(base)/fileq-test-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    package func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }
    package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }
    /// Names in the folder, sorted.
    package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

/// Reproducible, incompressible bytes. Calls nothing for each of them: without the optimizer and under a sanitizer,
/// 40 MB would take a minute.
package func patternedBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let words = [UInt64](unsafeUninitializedCapacity: (count + 7) / 8) { words, filled in
        guard let base = words.baseAddress else { return }
        filled = (count + 7) / 8
        var next = base
        let end = base + filled
        while next != end {
            state ^= state &<< 13
            state ^= state &>> 7
            state ^= state &<< 17
            next.initialize(to: state.littleEndian)
            next += 1
        }
    }
    return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
        words.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(bytes).copyMemory(from: .init(rebasing: $0.prefix(count)))
        }
        filled = count
    }
}
