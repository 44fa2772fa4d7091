// SPDX-License-Identifier: MIT

import Dispatch
package import Foundation
import Glibc

/// A plain socket, for what no decent client would send. Its work runs on a queue of its own, as it blocks.
package final class RawConnection: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw connection")

    /// - Parameters:
    ///   - receiveBuffer: bytes that the kernel keeps, roughly; `nil`: as it likes.
    ///   - patience: seconds for each call.
    package init(port: Int, receiveBuffer: Int32? = nil, patience: Int = 20) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = loopback(port)
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { Glibc.close(descriptor) }

    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }

    /// How many bytes the kernel took.
    @discardableResult
    package func send(_ data: Data) async -> Int {
        await onQueue { [descriptor] in
            var sent = 0
            data.withUnsafeBytes { bytes in
                while sent < bytes.count {
                    let count = Glibc.send(
                        descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                    guard count > 0 else { return }
                    sent += count
                }
            }
            return sent
        }
    }

    @discardableResult
    package func send(_ text: String) async -> Int { await send(Data(text.utf8)) }

    package func finishSending() async { await onQueue { [descriptor] in _ = shutdown(descriptor, Int32(SHUT_WR)) } }

    /// Sends a reset. `shutdown` would not: its end of stream waits behind a window that is full.
    package func reset() async {
        await onQueue { [descriptor] in
            var address = sockaddr()
            address.sa_family = sa_family_t(AF_UNSPEC)
            _ = connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
        }
    }

    /// Whether something can be received at once.
    package var isReadable: Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    /// All there is until the end of the stream, or until `text` has come.
    package func receive(until text: String? = nil) async -> String {
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
