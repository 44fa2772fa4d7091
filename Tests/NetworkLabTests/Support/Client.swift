// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TransferTesting

/// How a run of curl ended.
struct CurlAnswer: Sendable {
    var exit: Int32
    var status: Int
    var heads: String
    var body: [UInt8]
    /// Seconds to the connection, to the first byte of the answer, and in all.
    var connected: Double
    var started: Double
    var total: Double

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// Runs curl without holding a thread of the pool.
func curl(_ arguments: String..., url: String) async throws -> CurlAnswer {
    let folder = try TemporaryFolder()
    let written = "%{http_code} %{time_connect} %{time_starttransfer} %{time_total}"
    let words =
        [
            "curl", "-q", "-s", "--globoff", "--noproxy", "*", "--max-time", "60", "-D", folder.file("heads"),
            "-o", folder.file("body"), "-w", written,
        ] + arguments + [url]
    let exit = try await ChildProcess.run(words, output: .file(folder.file("out")))
    func content(_ name: String) -> [UInt8] {
        (FileManager.default.contents(atPath: folder.file(name)) ?? Data()).map { $0 }
    }
    let figures = String(decoding: content("out"), as: UTF8.self).split(separator: " ").map(String.init)
    func number(_ index: Int) -> Double { figures.indices.contains(index) ? Double(figures[index]) ?? 0 : 0 }
    return CurlAnswer(
        exit: exit, status: Int(number(0)), heads: String(decoding: content("heads"), as: UTF8.self),
        body: content("body"), connected: number(1), started: number(2), total: number(3))
}

/// A plain socket, on a thread of its own for whatever blocks.
final class RawClient: Sendable {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard Self.connect(descriptor, port) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// 0, or -1 and `errno`.
    static func connect(_ descriptor: Int32, _ port: Int) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    func send(_ text: String) { _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// All that comes, and the error that ended it; 0: the end of the stream.
    func receiveAll() async -> (text: String, error: Int32) {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var received: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else {
                        let code = count == 0 ? 0 : errno
                        return continuation.resume(returning: (String(decoding: received, as: UTF8.self), code))
                    }
                    received += buffer[..<count]
                }
            }
        }
    }
}
