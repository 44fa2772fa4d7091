// SPDX-License-Identifier: MIT

package import SessionCore

/// Byte pipes on the same thread, beside the exchanges.
extension CurlTransport: StreamTransport {
    package func openStream(_ route: Exchange, handler: any StreamHandler) -> StreamID {
        let id = StreamID(rawValue: takeID())
        if !post(.stream(.open(id, route, handler))) {
            executor.post { handler.stream(id, didFail: .init(.cancelled)) }
        }
        return id
    }

    package func readStream(_ id: StreamID, maximum: Int) { post(.stream(.read(id, maximum))) }
    package func writeStream(_ id: StreamID, _ bytes: [UInt8]) { post(.stream(.write(id, bytes))) }
    package func closeStreamWriting(_ id: StreamID) { post(.stream(.closeWriting(id))) }
    package func closeStream(_ id: StreamID) { post(.stream(.close(id))) }
}

/// Commands of any thread for the engine's streams.
enum StreamCommand: Sendable {
    case open(StreamID, Exchange, any StreamHandler)
    case read(StreamID, Int)
    case write(StreamID, [UInt8])
    case closeWriting(StreamID)
    case close(StreamID)
}
