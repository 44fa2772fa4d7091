// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import TransferTesting

/// A server with ranges that limits each connection, on loopback.
final class RangeServer: Sendable {
    /// What happens to a request, by its number from 1.
    enum Deed: Sendable {
        case serve
        /// In place of a range.
        case whole
        case status(String)
        /// Resets the connection after so many bytes of the body.
        case reset(after: Int)
        /// Nothing is sent.
        case silence
        /// The range of another version, whatever `If-Range` says.
        case otherVersion
        /// So many bytes behind the range, in a response without a length.
        case excess(Int)
        /// The range of other bytes.
        case otherBytes
    }

    struct Version: Sendable {
        var body: [UInt8]
        var tag: String
    }

    private struct State: Sendable {
        var version: Version
        /// That of all requests but the first.
        var next: Version?
        var open = 0
        var most = 0
        /// Numbers of requests whose connections are to break.
        var broken: Set<Int> = []
    }

    private let state: Mutex<State>
    private let server: Mutex<ScriptedServer?> = Mutex(nil)
    private let rate: Int
    /// Of each response that has bytes.
    private let fields: [String]
    /// User and password in base64, without which nothing is served.
    private let login: String?
    private let least: Int
    private let deed: @Sendable (_ number: Int, _ open: Int) -> Deed

    /// - Parameters:
    ///   - rate: bytes a second of one connection.
    ///   - tag: its entity tag.
    ///   - next: what it is changed to by the first request.
    ///   - least: until so many connections have been served at the same time, the second half of a range comes slowly.
    ///   - deed: by the number of the request and of the connections that are being served.
    init(
        _ body: [UInt8], rate: Int, tag: String = "\"1\"", next: Version? = nil, fields: [String] = [],
        login: String? = nil, least: Int = 1,
        deed: @escaping @Sendable (_ number: Int, _ open: Int) -> Deed = { _, _ in .serve }
    ) throws {
        state = Mutex(State(version: Version(body: body, tag: tag), next: next))
        (self.rate, self.fields, self.login, self.least, self.deed) = (rate, fields, login, least, deed)
        let made = try ScriptedServer { [weak self] connection, _ in
            while let head = connection.readHead() {
                guard let self, self.answer(head, on: connection) else { return }
            }
        }
        server.withLock { $0 = made }
    }

    deinit { server.withLock { $0 }?.stop() }

    func url(_ path: String = "/file") -> String { server.withLock { $0 }?.url(path) ?? "" }
    var requests: [String] { server.withLock { $0 }?.requests ?? [] }
    /// The most connections that were served at the same time.
    var most: Int { state.withLock { $0.most } }
    var open: Int { state.withLock { $0.open } }
    /// The first requested byte of each request; 0 without a range.
    var firstBytes: [Int] { requests.map { Self.range($0)?.lowerBound ?? 0 } }

    /// From now on the file is another one.
    func change(to body: [UInt8], tag: String) { state.withLock { $0.version = Version(body: body, tag: tag) } }

    /// Resets the connection of a request that is being served.
    func breakConnection(_ number: Int) { state.withLock { _ = $0.broken.insert(number) } }

    private static func range(_ head: String) -> Range<Int>? {
        guard let text = field("range", head)?.split(separator: "=").last else { return nil }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = ends.first.flatMap({ Int($0) }) else { return nil }
        return first..<(ends.last.flatMap { Int($0) }.map { $0 + 1 } ?? Int.max)
    }

    private static func field(_ name: String, _ head: String) -> String? {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(name + ":") {
            return line.drop { $0 != ":" }.dropFirst().drop { $0 == " " }.description
        }
        return nil
    }

    /// - Returns: whether the connection can be used again.
    private func answer(_ head: String, on connection: ScriptedConnection) -> Bool {
        if let login, !head.contains("Authorization: Basic \(login)") {
            connection.answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"r\""])
            return true
        }
        let (version, open) = state.withLock { state in
            state.open += 1
            defer { state.version = state.next.take() ?? state.version }
            return (state.version, state.open)
        }
        defer { state.withLock { $0.open -= 1 } }
        let number = requests.count
        let deed = deed(number, open)
        let fields = ["ETag: \(version.tag)", "Accept-Ranges: bytes"] + fields
        var body = version.body
        var range = Self.range(head).map { $0.clamped(to: 0..<body.count) }
        switch deed {
        case .status(let status):
            connection.answer(status)
            return true
        case .silence:
            connection.waitForClose()
            return false
        case .whole: range = nil
        case .otherVersion: break
        case .otherBytes: body = Array(body.dropFirst() + body.prefix(1))
        case .serve, .reset, .excess: if let tag = Self.field("if-range", head), tag != version.tag { range = nil }
        }
        state.withLock { $0.most = max($0.most, $0.open) }
        var lines = fields
        if case .otherVersion = deed { lines[0] = "ETag: \"other\"" }
        if let range {
            lines.append("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)")
        }
        let sent = range ?? 0..<body.count
        var framing = "Content-Length: \(sent.count)"
        if case .excess = deed { framing = "Connection: close" }
        connection.send(
            "HTTP/1.1 \(range == nil ? "200 OK" : "206 Partial Content")\r\n\(framing)\r\n"
                + lines.map { $0 + "\r\n" }.joined() + "\r\n")
        var end = sent.upperBound
        if case .reset(let bytes) = deed { end = min(end, sent.lowerBound + bytes) }
        guard pace(body, sent.lowerBound..<end, number, on: connection) else { return false }
        if case .excess(let count) = deed {
            _ = connection.sendIfOpen([UInt8](repeating: 0x42, count: count))
            return false
        }
        if case .reset = deed {
            connection.reset()
            return false
        }
        return true
    }

    /// - Returns: false if the client has closed.
    private func pace(
        _ body: [UInt8], _ range: Range<Int>, _ number: Int, on connection: ScriptedConnection
    ) -> Bool {
        var position = range.lowerBound
        while position < range.upperBound {
            let isSlow = position >= range.lowerBound + range.count / 2 && most < least
            let piece = isSlow ? 1024 : max(1, rate / 20)
            let next = min(position + piece, range.upperBound)
            guard connection.sendIfOpen(Array(body[position..<next])) else { return false }
            position = next
            if state.withLock({ $0.broken.contains(number) }) {
                connection.reset()
                return false
            }
            var pause = timespec(tv_sec: 0, tv_nsec: 50_000_000)
            nanosleep(&pause, nil)
        }
        return true
    }
}
