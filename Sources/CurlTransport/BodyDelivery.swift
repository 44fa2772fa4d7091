// SPDX-License-Identifier: MIT

import CCurl
import CLinux
import SessionCore

/// Whether the peer's kernel has acknowledged all of a request body. Used on the engine's thread only.
///
/// Bytes that libcurl has taken may still be in its buffers or in the kernel's: a server that responds without reading
/// the body has none of them. A response after the whole body acknowledges it, since every TCP segment carries the
/// latest acknowledgement.
struct BodyDelivery {
    /// A lower bound of the body's end in the connection's byte count.
    private var end: (bytes: Int64, socket: Int32, key: ConnectionKey)?

    /// Bodies up to this size fit into any peer's receive buffer: not worth finding the socket.
    private static let receiveBuffer: Int64 = 65_536

    private static func isWorthSearching(_ size: Int64?) -> Bool { size.map { $0 > receiveBuffer } ?? true }

    /// libcurl receives the last `count` bytes of the body; 0: it already has.
    /// - Parameter known: the connection's socket, if known.
    mutating func lastPieceTaken(
        _ count: Int, of size: Int64?, on handle: CurlHandle, known: (socket: Int32, key: ConnectionKey)?
    ) {
        guard Self.isWorthSearching(size), let (socket, key) = known ?? Self.connection(of: handle) else { return }
        let (acknowledged, queued) = (clinux_tcp_bytes_acknowledged(socket), clinux_tcp_bytes_queued(socket))
        guard acknowledged >= 0, queued >= 0 else { return }
        end = (acknowledged + queued + Int64(count), socket, key)
    }

    /// Called with the response's head, after libcurl has sent the whole body; true if the kernel does not know.
    func isAcknowledged(of size: Int64?, on handle: CurlHandle) -> Bool {
        guard Self.isWorthSearching(size) else { return true }
        if handle.long(CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0 {
            // Other streams of the connection may have bytes in flight.
            guard let (bytes, socket, key) = end, key.isConnection(socket) else { return true }
            let acknowledged = clinux_tcp_bytes_acknowledged(socket)
            return acknowledged < 0 || acknowledged >= bytes
        }
        guard let (socket, key) = end.map({ (socket: $0.socket, key: $0.key) }) ?? Self.connection(of: handle),
            key.isConnection(socket),
            clinux_tcp_bytes_acknowledged(socket) >= 0
        else { return true }
        return clinux_tcp_bytes_queued(socket) <= 0
    }

    private static func connection(of handle: CurlHandle) -> (socket: Int32, key: ConnectionKey)? {
        guard let key = ConnectionKey(of: handle), let socket = key.socket else { return nil }
        return (socket: socket, key: key)
    }
}
