// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization

/// A server of the draft's version 8 with one upload. It breaks connections where the test says.
package final class DraftServer: Sendable {
    private struct State {
        var stored: [UInt8] = []
        var exists = false
        var isComplete = false
        /// Bytes of the next appends after which the connection breaks.
        var cuts: [Int]
        /// Queries to which it does not know the upload, and those that it responds to before.
        var forgets: Int
        var knows: Int
        /// Queries get no response.
        var stalls: Bool
        /// `Upload-Limit` of the response to OPTIONS.
        var limits: String
        var connections = 0
        var words: [String] = []
        var creations = 0
        /// The resource of the upload, and what it has of those before.
        var resource = "/u"
        var former: [String: (offset: Int, isComplete: Bool)] = [:]
        var removed: [String] = []
    }

    private let state: Mutex<State>
    private let held = Mutex<ScriptedServer?>(nil)

    package var server: ScriptedServer { held.withLock { $0! } }
    package var stored: [UInt8] { state.withLock { $0.stored } }
    /// Compared here: a description of two long lists takes minutes.
    package func holds(_ bytes: [UInt8]) -> Bool { stored == bytes }
    /// The requests.
    package var words: [String] { state.withLock { $0.words } }

    /// The resources that were deleted.
    package var removed: [String] { state.withLock { $0.removed } }

    package var connectionCount: Int { state.withLock { $0.connections } }

    package func announce(_ limits: String) { state.withLock { $0.limits = limits } }

    package func proceed() { state.withLock { $0.stalls = false } }

    private let numbers: Bool

    /// - Parameter numbers: whether uploads are `/u1`, `/u2` instead of `/u`.
    package init(
        cuts: [Int] = [], forgets: Int = 0, afterQueries knows: Int = 0, stalls: Bool = false, isPlain: Bool = false,
        limits: String = "min-size=0, max-age=100", final: [String] = [], numbers: Bool = false
    ) throws {
        self.numbers = numbers
        state = Mutex(State(cuts: cuts, forgets: forgets, knows: knows, stalls: stalls, limits: limits))
        let server = try ScriptedServer { [weak self] connection, _ in
            self?.state.withLock { $0.connections += 1 }
            while let head = connection.readHead() {
                guard self?.respond(to: head, connection, isPlain, final) == true else { return }
            }
        }
        // Otherwise the kernel takes the whole file before the connection breaks.
        server.setReceiveBuffer(65_536)
        held.withLock { $0 = server }
    }

    private static func field(_ name: String, of head: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
            .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
    }

    /// - Returns: false if the connection ends.
    private func respond(to head: String, _ connection: ScriptedConnection, _ isPlain: Bool, _ final: [String]) -> Bool
    {
        let method = String(head.prefix { $0 != " " })
        let offset = Self.field("upload-offset", of: head)
        state.withLock { $0.words.append([method, offset].compactMap(\.self).joined(separator: " ")) }
        let count = Int(Self.field("content-length", of: head) ?? "0") ?? 0
        if Self.field("expect", of: head) != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
        switch method {
        case "OPTIONS":
            let limits = state.withLock { $0.limits }
            let announced = ["Upload-Limit: \(limits)", "Upload-Draft-Interop-Version: 8"]
            connection.answer("204 No Content", isPlain ? [] : announced)
        case "PUT", "POST":
            if isPlain, method == "POST" {
                _ = connection.readBody(count)
                connection.answer("405 Method Not Allowed")
                return true
            }
            let isCareful = !isPlain && Self.field("upload-complete", of: head) == "?0"
            let isChunked = Self.field("transfer-encoding", of: head) == "chunked"
            let body = isChunked ? connection.readChunked() : connection.readBody(count)
            let resource = state.withLock { state in
                if numbers {
                    if state.exists { state.former[state.resource] = (state.stored.count, state.isComplete) }
                    state.creations += 1
                    state.resource = "/u\(state.creations)"
                }
                (state.stored, state.exists, state.isComplete) = (body, isCareful, false)
                return state.resource
            }
            connection.answer("201 Created", isCareful ? ["Location: \(resource)"] : [])
        case "HEAD": return query(Self.target(of: head), connection)
        case "PATCH":
            let isLast = Self.field("upload-complete", of: head) != "?0"
            return append(count, isLast, at: Int(offset ?? "") ?? -1, connection, final)
        case "DELETE":
            let target = Self.target(of: head)
            state.withLock { state in
                state.removed.append(target)
                if state.former.removeValue(forKey: target) == nil { state.exists = false }
            }
            connection.answer("204 No Content")
        default: return false
        }
        return true
    }

    private static func target(of head: String) -> String {
        head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }

    private func query(_ target: String, _ connection: ScriptedConnection) -> Bool {
        if state.withLock({ $0.stalls }) {
            // Until the test or the client ends it.
            while state.withLock({ $0.stalls }), !connection.closes(within: 10) {}
            connection.reset()
            return false
        }
        let (isKnown, offset, isComplete) = state.withLock { state in
            if let former = state.former[target] { return (true, former.offset, former.isComplete) }
            if state.knows > 0 {
                state.knows -= 1
            } else if state.forgets > 0 {
                (state.forgets, state.exists) = (state.forgets - 1, false)
            }
            return (state.exists, state.stored.count, state.isComplete)
        }
        guard isKnown else {
            connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return true
        }
        let complete = isComplete ? "?1" : "?0"
        connection.send("HTTP/1.1 204 No Content\r\nUpload-Offset: \(offset)\r\nUpload-Complete: \(complete)\r\n\r\n")
        return true
    }

    private func append(
        _ count: Int, _ isLast: Bool, at offset: Int, _ connection: ScriptedConnection, _ final: [String]
    ) -> Bool {
        let (isRight, cut) = state.withLock { state in
            (state.exists && offset == state.stored.count, state.cuts.isEmpty ? nil : state.cuts.removeFirst())
        }
        guard isRight else {
            connection.answer("409 Conflict", ["Upload-Offset: \(stored.count)"])
            return false
        }
        let body = connection.readBody(min(count, cut ?? count))
        state.withLock { state in
            state.stored += body
            if body.count == count { state.isComplete = isLast }
        }
        guard cut == nil else {
            connection.reset()
            return false
        }
        if isLast {
            connection.answer("201 Created", ["Upload-Complete: ?1"] + final)
        } else {
            connection.send(
                "HTTP/1.1 204 No Content\r\nUpload-Complete: ?0\r\nUpload-Offset: \(stored.count)\r\n\r\n")
        }
        return true
    }
}
