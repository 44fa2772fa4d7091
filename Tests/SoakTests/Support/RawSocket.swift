// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TransferTesting

/// A connection to the service's socket that says what it likes.
final class RawSocket: Sendable {
    private let descriptor: Int32

    /// - Parameter receiveBuffer: what the kernel keeps for a reader that does not read, roughly.
    init(_ path: String, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var bytes = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        // A service that hangs fails the test, instead of hanging it too.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: path.utf8.prefix(place.count - 1))
        }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw POSIXError(.ECONNREFUSED)
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func hello() {
        send(
            #"{"jsonrpc":"2.0","id":0,"method":"hello","params":{"protocol":1,"version":"0","program":"soak"}}"# + "\n")
    }

    /// No more is coming; answers can still be read.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends until `count` bytes are sent, none is accepted for `seconds`, or the peer has closed.
    /// - Returns: how many were accepted.
    func flood(_ count: Int, with bytes: [UInt8] = [UInt8](repeating: 0x78, count: 1 << 20), seconds: Int = 30) -> Int {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var done = 0
        while done < count {
            let sent = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            guard sent > 0 else { break }
            done += sent
        }
        return done
    }

    /// All lines until the peer has closed, or has sent nothing for half a minute.
    func readAll() -> [String] {
        var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 { bytes += piece[..<count] }
        return bytes.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
    }
}
