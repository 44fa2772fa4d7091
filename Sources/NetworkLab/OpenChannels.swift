// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import NIOPosix
import Synchronization
import TransferModel

/// All open connections, to close them.
final class OpenChannels: Sendable {
    private struct Guarded {
        var last = 0
        var open: [Int: any Channel] = [:]
        var isEnding = false
    }

    private let guarded = Mutex(Guarded())

    /// - Returns: the connection's number, from 1.
    func add(_ channel: any Channel) -> Int {
        let (number, isLate) = guarded.withLock { guarded in
            guarded.last += 1
            guarded.open[guarded.last] = channel
            return (guarded.last, guarded.isEnding)
        }
        channel.closeFuture.whenComplete { _ in _ = self.guarded.withLock { $0.open.removeValue(forKey: number) } }
        if isLate { channel.close(promise: nil) }
        return number
    }

    /// Also closes those added later. Returns when all current ones are closed.
    func closeAll() async {
        let open = guarded.withLock { guarded in
            guarded.isEnding = true
            return Array(guarded.open.values)
        }
        for channel in open { channel.close(promise: nil) }
        for channel in open { try? await channel.closeFuture.get() }
    }
}

/// Runs `bind`, and describes why an address cannot be listened on.
/// - Throws: a ``TransferModel/TransferError`` with code `other`.
func listening<Result>(
    at host: String, _ port: Int, _ bind: () async throws -> Result
) async throws(TransferError) -> Result {
    do { return try await bind() } catch {
        throw TransferError(
            .other, "cannot listen at \(host):\(port): \(reason(of: error))",
            systemErrno: (error as? IOError)?.errnoCode)
    }
}

/// The system's text for a socket error, if any.
func reason(of error: any Error) -> String {
    if let error = error as? IOError { return String(cString: strerror(error.errnoCode)) }
    if let error = error as? NIOConnectionError {
        return error.connectionErrors.first.map { reason(of: $0.error) } ?? "its name could not be resolved"
    }
    if let error = error as? ChannelError, case .connectTimeout = error { return "no connection in time" }
    let clean = "\(error)".unicodeScalars.prefix(200).filter { $0.value >= 0x20 && $0.value != 0x7f }
    return String(String.UnicodeScalarView(clean))
}
