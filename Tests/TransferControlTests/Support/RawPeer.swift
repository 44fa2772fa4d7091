// SPDX-License-Identifier: MIT

import Dispatch
import FoundationEssentials
import Glibc
import TransferModel

@testable import TransferControl

/// A client that sends given bytes unchanged. Used by one test at a time.
final class RawPeer: @unchecked Sendable {
    // Sendable: everything happens on the peer's own dispatch queue, which may wait.

    static let hello = #"{"jsonrpc":"2.0","id":"hello","method":"hello","params":{"protocol":1,"version":"0.1.0"}}"#

    let descriptor: Int32
    private let queue = DispatchQueue(label: "peer")
    private var received: [UInt8] = []

    init(_ path: String) throws {
        descriptor = try UnixSocket.make()
        let code = try UnixSocket.connect(descriptor, to: path)
        guard code == 0 else { throw UnixSocket.failure(.connect, path, code) }
        wait(120)
    }

    /// Takes over one end of a pair.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        wait(120)
    }

    deinit { Glibc.close(descriptor) }

    /// Blocks from here on, that many seconds at most.
    private func wait(_ seconds: Int) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// - Returns: whether all of it was taken.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> Bool {
        await withCheckedContinuation { done in
            queue.async { [self] in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes {
                        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { return done.resume(returning: false) }
                    rest = rest.dropFirst(count)
                }
                done.resume(returning: true)
            }
        }
    }

    @discardableResult
    func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

    /// Sends nothing more, but still reads.
    func endInput() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next line; `nil` at the end, and after two minutes without one.
    func line() async -> String? {
        await withCheckedContinuation { done in
            queue.async { [self] in
                while true {
                    if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                        defer { received.removeFirst(end + 1) }
                        return done.resume(returning: String(decoding: received[..<end], as: UTF8.self))
                    }
                    var buffer = [UInt8](repeating: 0, count: 65_536)
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else { return done.resume(returning: nil) }
                    received += buffer[..<count]
                }
            }
        }
    }

    /// Sends a request and reads lines until its answer.
    func ask(_ method: String, _ params: String = "{}", id: Int = 1) async -> JSONValue? {
        await send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n")
        while let line = await line() {
            let value = JSONValue(line)
            if value?["id"] == .number(Double(id)) { return value }
        }
        return nil
    }

    /// The code of the error that comes next.
    func errorCode() async -> Double? { await line().flatMap { JSONValue($0)?["error"]?["code"]?.number } }
}

/// Any JSON, to compare.
enum JSONValue: Codable, Equatable {
    case null, bool(Bool), number(Double), text(String), list([JSONValue]), object([String: JSONValue])

    init?(_ text: String) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
        self = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    subscript(key: String) -> JSONValue? { if case .object(let members) = self { members[key] } else { nil } }
    var number: Double? { if case .number(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }

    /// Whether `other` is the same, where a text such as `<pid>` in this value stands for anything.
    func matches(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.text(let text), _) where text.hasPrefix("<") && text.hasSuffix(">"): true
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.matches($1) }
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { key, value in right[key].map(value.matches) ?? false }
        default: self == other
        }
    }
}
