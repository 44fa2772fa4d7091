// SPDX-License-Identifier: MIT

import Synchronization
import TransferTesting

/// What a server has received.
final class UploadedFiles: Sendable {
    /// What the file with this number has in it.
    static func source(_ number: Int) -> [UInt8] { patternedBytes(number * 37, seed: UInt64(number)) }
    /// The number at the end of a request's path.
    static func number(_ head: String) -> Int {
        Int(head.split(separator: " ")[1].split(separator: "/").last ?? "") ?? -1
    }

    private let state = Mutex((bytes: [Int: [UInt8]](), counts: [Int: Int]()))

    var bytes: [Int: [UInt8]] { state.withLock { $0.bytes } }
    func put(_ bytes: [UInt8], _ number: Int) {
        state.withLock {
            $0.bytes[number] = bytes
            $0.counts[number, default: 0] += 1
        }
    }
    func note(_ number: Int) { state.withLock { $0.counts[number, default: 0] += 1 } }
    func count(_ number: Int) -> Int { state.withLock { $0.counts[number, default: 0] } }

    /// One that takes everything.
    func server() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                self.put(connection.receiveBody(of: head), Self.number(head))
                connection.answer("201 Created")
            }
        }
    }
}

extension ScriptedConnection {
    /// Reads the body that the head announces.
    func receiveBody(of head: String) -> [UInt8] {
        let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        return readBody(length.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0)
    }
}
