// SPDX-License-Identifier: MIT

import CFuzzer
import Glibc

/// `fuzz TARGET [arguments of libFuzzer]`; without arguments, the names of the targets.
@main struct Driver {
    /// Set once, before libFuzzer begins.
    nonisolated(unsafe) private static var target: FuzzTarget?

    static func main() {
        guard CommandLine.arguments.count > 1 else {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        guard let found = FuzzTarget.all.first(where: { $0.name == CommandLine.arguments[1] }) else {
            let words = Array("fuzz: no target '\(CommandLine.arguments[1])'\n".utf8)
            _ = write(STDERR_FILENO, words, words.count)
            exit(2)
        }
        target = found
        // Without the target's name.
        let words = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)
        var count = Int32(words.count)
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let code = pointers.withUnsafeMutableBufferPointer { buffer in
            var base = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &base) { data, size in
                Driver.run(UnsafeRawBufferPointer(start: data, count: size))
                return 0
            }
        }
        exit(code)
    }

    private static func run(_ bytes: UnsafeRawBufferPointer) {
        do {
            try target?.run(bytes)
        } catch {
            fatalError("\(error)")
        }
    }
}
