// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// The words of this process's command line.
enum GivenWords {
    /// - Throws: code `usage` for one that is not UTF-8: decoded, it would name another file.
    static func read() throws(TransferError) -> [String] {
        let words = Array(CommandLine.arguments.dropFirst())
        // Only decoding writes this sign, or the user.
        if words.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
            for index in 1..<Int(CommandLine.argc) {
                guard let word = CommandLine.unsafeArgv[index] else { continue }
                try check(UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) })
            }
        }
        return words
    }

    static func check(_ word: [UInt8]) throws(TransferError) {
        guard String(validating: word, as: UTF8.self) == nil else { return }
        throw TransferError(
            .usage, "'\(LineText.escaped(bytes: word))' is not UTF-8; rename the file or folder that it names")
    }
}
