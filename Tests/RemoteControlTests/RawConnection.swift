// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Glibc
import TransferTesting

/// A plain socket. Its work runs on a queue of its own, as it blocks.
final class RawConnection: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw connection")

    init(port: Int) throws {
        descriptor = connectLoopback(port)
        guard descriptor >= 0 else { throw POSIXError(.ECONNREFUSED) }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }

    /// Sends as much as the peer takes.
    func send(_ data: Data) async {
        await onQueue { [descriptor] in
            data.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let part = UnsafeRawBufferPointer(rebasing: rest)
                    let count = Glibc.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                    guard count > 0 else { return }
                    rest = rest.dropFirst(count)
                }
            }
        }
    }

    func send(_ text: String) async { await send(Data(text.utf8)) }

    /// Whether something can be received at once.
    var isReadable: Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    /// All there is until the end of the stream, or until `text` has come.
    func receive(until text: String? = nil) async -> String {
        await onQueue { [descriptor] in
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                received += buffer[..<count]
                if let text, String(decoding: received, as: UTF8.self).contains(text) { break }
            }
            return String(decoding: received, as: UTF8.self)
        }
    }
}
