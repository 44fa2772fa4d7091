// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TransferModel
import TransferTesting

/// A tus server that joins partial uploads. They are numbered from 1.
final class TusPartsServer: Sendable {
    private struct State {
        var words: [String] = []
        var stored: [Int: [UInt8]] = [:]
        var lengths: [Int: Int] = [:]
        var lastNumber = 0
        var file: [UInt8]?
        var joined: String?
        var losesFinalResponses: Int
        /// An append to this upload stays after its first MiB.
        var held: Int?
    }

    private let state: Mutex<State>
    private let extensions: String
    private let removesParts: Bool
    private let resets: Bool
    private let repeatsJoins: Bool
    private let server = Mutex<ScriptedServer?>(nil)

    var url: String { server.withLock { $0!.url("/files/") } }
    /// `PATCH 2 1048576`: number and offset.
    var words: [String] { state.withLock { $0.words } }
    /// The numbers of those that it has all bytes of.
    var complete: [Int] {
        state.withLock { state in state.stored.filter { $0.value.count == state.lengths[$0.key] }.keys.sorted() }
    }
    func offset(of number: Int) -> Int? { state.withLock { $0.stored[number]?.count } }
    func holds(_ bytes: [UInt8]) -> Bool { state.withLock { $0.file == bytes } }
    func proceed() { state.withLock { $0.held = nil } }
    func forget(_ number: Int) { state.withLock { $0.stored[number] = nil } }

    /// - Parameters:
    ///   - held: the part that stays after its first MiB.
    ///   - resets: whether its connection breaks afterwards.
    init(
        holds held: Int? = nil, resets: Bool = true, extensions: String = "creation,concatenation",
        losesFinalResponses: Int = 0, removesParts: Bool = false, repeatsJoins: Bool = false
    ) throws {
        state = Mutex(State(losesFinalResponses: losesFinalResponses, held: held))
        (self.extensions, self.removesParts, self.resets) = (extensions, removesParts, resets)
        self.repeatsJoins = repeatsJoins
        let made = try ScriptedServer { [weak self] connection, _ in
            while let head = connection.readHead(), self?.respond(to: head, connection) == true {}
        }
        server.withLock { $0 = made }
    }

    private static func field(_ name: String, of head: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
            .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
    }

    /// - Returns: false if the connection ends.
    private func respond(to head: String, _ connection: ScriptedConnection) -> Bool {
        let words = head.split(separator: " ")
        let number = words[1].split(separator: "/").last.flatMap { Int($0) } ?? 0
        if Self.field("expect", of: head) != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
        switch words[0] {
        case "OPTIONS":
            note("OPTIONS")
            connection.answer("204 No Content", ["Tus-Version: 1.0.0", "Tus-Extension: \(extensions)"])
        case "POST":
            guard let list = Self.field("upload-concat", of: head), list != "partial" else {
                create(head, connection)
                return true
            }
            return join(list, connection)
        case "HEAD":
            note("HEAD \(number)")
            let (offset, length) = state.withLock { ($0.stored[number]?.count, $0.lengths[number] ?? 0) }
            guard let offset else {
                connection.answer("404 Not Found")
                return true
            }
            let extensions = repeatsJoins ? ["Tus-Extension: \(Tus.repeatableConcatenation)"] : []
            connection.answer("200 OK", ["Upload-Offset: \(offset)", "Upload-Length: \(length)"] + extensions)
        case "PATCH": return append(number, head, connection)
        default:
            note("\(words[0]) \(number)")
            state.withLock { $0.stored[number] = nil }
            connection.answer("204 No Content")
        }
        return true
    }

    private func note(_ word: String) { state.withLock { $0.words.append(word) } }

    private func create(_ head: String, _ connection: ScriptedConnection) {
        let number = state.withLock { state in
            let isPart = Self.field("upload-concat", of: head) != nil
            state.words.append(isPart ? "POST partial" : "POST")
            state.lastNumber += 1
            state.stored[state.lastNumber] = []
            state.lengths[state.lastNumber] = Int(Self.field("upload-length", of: head) ?? "")
            return state.lastNumber
        }
        connection.answer("201 Created", ["Location: /files/\(number)"])
    }

    private func append(_ number: Int, _ head: String, _ connection: ScriptedConnection) -> Bool {
        let offset = Int(Self.field("upload-offset", of: head) ?? "") ?? -1
        let (isRight, isHeld) = state.withLock { state in
            state.words.append("PATCH \(number) \(offset)")
            return (state.stored[number]?.count == offset, state.held == number)
        }
        guard isRight else {
            connection.answer("409 Conflict")
            return false
        }
        let count = Int(Self.field("content-length", of: head) ?? "") ?? 0
        let first = isHeld ? min(count, 1 << 20) : count
        guard take(first, of: number, connection) else { return false }
        if isHeld {
            while state.withLock({ $0.held == number }), !connection.closes(within: 10) {}
            guard !resets else {
                connection.reset()
                return false
            }
            guard take(count - first, of: number, connection) else { return false }
        }
        connection.answer("204 No Content", ["Upload-Offset: \(state.withLock { $0.stored[number]?.count ?? 0 })"])
        return true
    }

    /// - Returns: false if the connection has ended before.
    private func take(_ count: Int, of number: Int, _ connection: ScriptedConnection) -> Bool {
        var rest = count
        while rest > 0 {
            let piece = connection.readBody(min(rest, 65_536))
            guard !piece.isEmpty else { return false }
            state.withLock { $0.stored[number]? += piece }
            rest -= piece.count
        }
        return true
    }

    private func join(_ list: String, _ connection: ScriptedConnection) -> Bool {
        let numbers = list.dropFirst("final;".count).split(separator: " ").map {
            Int($0.split(separator: "/").last ?? "") ?? 0
        }
        let (isStored, isLost) = state.withLock { state in
            state.words.append("POST final")
            let isComplete = numbers.allSatisfy { state.stored[$0].map(\.count) == state.lengths[$0] }
            if isComplete {
                (state.file, state.joined) = (numbers.flatMap { state.stored[$0] ?? [] }, list)
                if removesParts { for number in numbers { state.stored[number] = nil } }
            }
            guard isComplete, state.losesFinalResponses > 0 else { return (isComplete || state.joined == list, false) }
            state.losesFinalResponses -= 1
            return (true, true)
        }
        guard !isLost else {
            connection.reset()
            return false
        }
        connection.answer(isStored ? "201 Created" : "400 Bad Request", ["Location: /files/all"])
        return true
    }
}
