// SPDX-License-Identifier: MIT

public import SessionCore

/// Byte pipes on the same thread, beside the exchanges.
extension CurlTransport: StreamTransport {
    public func openStream(_ route: Exchange, handler: any StreamHandler) -> StreamID {
        let id = StreamID(rawValue: takeID())
        if !post(.stream(.open(id, route, handler))) {
            executor.post { handler.stream(id, didFail: .init(.cancelled)) }
        }
        return id
    }

    public func readStream(_ id: StreamID, maximum: Int) { post(.stream(.read(id, maximum))) }
    public func writeStream(_ id: StreamID, _ bytes: [UInt8]) { post(.stream(.write(id, bytes))) }
    public func closeStreamWriting(_ id: StreamID) { post(.stream(.closeWriting(id))) }
    public func closeStream(_ id: StreamID) { post(.stream(.close(id))) }
}

/// Commands of any thread for the engine's streams.
enum StreamCommand: Sendable {
    case open(StreamID, Exchange, any StreamHandler)
    case read(StreamID, Int)
    case write(StreamID, [UInt8])
    case closeWriting(StreamID)
    case close(StreamID)
}
