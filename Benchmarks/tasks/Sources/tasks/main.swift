// SPDX-License-Identifier: MIT
// Makes 10,000 tasks that are not resumed, and says what that took. Exit code 1 beyond half a second or 30 MB.

import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// Bytes of this process that are in memory.
func resident() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, 128, file) != nil else { return 0 }
    let words = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
        separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
}

let count = 10_000
let session = TransferSession(transport: FailingTransport(TransferError(.usage, "no task is resumed")))
let urls = try (0..<count).map { try TransferURL("http://host\($0 % 50).test/file\($0)") }
let before = resident()
let clock = ContinuousClock()
let start = clock.now
let tasks = urls.map { session.downloadTask(with: TransferRequest(url: $0)) }
let seconds = start.duration(to: clock.now) / .seconds(1)
let megabytes = Double(resident() - before) / 1e6
print("\(tasks.count) tasks: \(Int((seconds * 1000).rounded())) ms, \((megabytes * 10).rounded() / 10) MB")
exit(seconds < 0.5 && megabytes < 30 ? 0 : 1)
