// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import Synchronization
import TransferTesting

/// A store with one object.
final class SmallStore: Sendable {
    private struct State {
        var parts: [Int: [UInt8]] = [:]
        var object: [UInt8]?
        var words: [String] = []
        var stallsAt: Int?
        var creations = 0
        var removed: [String] = []
        /// Parts on their way.
        var open = 0
    }

    private let state: Mutex<State>
    private let held = Mutex<ScriptedServer?>(nil)

    var url: String { held.withLock { $0!.url("/bucket/key") } }
    var words: [String] { state.withLock { $0.words } }
    func holds(_ bytes: [UInt8]) -> Bool { state.withLock { $0.object == bytes } }
    /// The numbers of those that it has.
    var parts: [Int] { state.withLock { $0.parts.keys.sorted() } }
    /// The uploads that were aborted: `u1`, `u2`.
    var removed: [String] { state.withLock { $0.removed } }
    func proceed() { state.withLock { $0.stallsAt = nil } }

    /// The most parts at the same time.
    private let most: Int
    private let resets: Bool
    private let loses: Int?

    /// - Parameters:
    ///   - stallsAt: the part of which no content is read.
    ///   - resets: whether its connection breaks afterwards.
    ///   - takes: the most parts at the same time.
    ///   - loses: the part that it confirms and does not keep. It closes the connection instead of joining the parts.
    init(stallsAt: Int? = nil, resets: Bool = true, takes most: Int = .max, loses: Int? = nil) throws {
        state = Mutex(State(stallsAt: stallsAt))
        (self.most, self.resets, self.loses) = (most, resets, loses)
        let server = try ScriptedServer { [weak self] connection, _ in
            while let head = connection.readHead(), self?.respond(to: head, connection) == true {}
        }
        held.withLock { $0 = server }
    }

    private static func field(_ name: String, of head: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
            .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
    }

    /// - Returns: false if the connection ends.
    private func respond(to head: String, _ connection: ScriptedConnection) -> Bool {
        let words = head.split(separator: " ")
        let (method, target) = (String(words[0]), String(words[1]))
        let number = target.split(separator: "partNumber=").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
        let isCreation = target.hasSuffix("?uploads=")
        let stalls = state.withLock { state in
            state.words.append(number.map { "PUT \($0)" } ?? (isCreation ? "POST uploads" : method))
            return number != nil && number == state.stallsAt
        }
        guard Self.field("authorization", of: head)?.hasPrefix("AWS4-HMAC-SHA256 Credential=planted-id/") == true else {
            connection.answer("403 Forbidden")
            return true
        }
        if stalls {
            while state.withLock({ $0.stallsAt == number }), !connection.closes(within: 10) {}
            if resets {
                connection.reset()
                return false
            }
        }
        if Self.field("expect", of: head) != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
        let open = state.withLock { state in
            state.open += number == nil ? 0 : 1
            return state.open
        }
        defer { state.withLock { $0.open -= number == nil ? 0 : 1 } }
        let body = connection.readBody(Int(Self.field("content-length", of: head) ?? "0") ?? 0)
        switch method {
        case "PUT" where open > most: connection.answer("503 Service Unavailable")
        case "PUT":
            let digest = Data(SHA256.hash(data: Data(body))).base64EncodedString()
            guard let number, Self.field("x-amz-checksum-sha256", of: head) == digest else {
                connection.answer("400 Bad Request")
                return true
            }
            if number != loses { state.withLock { $0.parts[number] = body } }
            connection.answer("200 OK", ["ETag: \"\(number)\"", "x-amz-checksum-sha256: \(digest)"])
        case "GET":
            let parts = state.withLock { $0.parts }.sorted { $0.key < $1.key }.map { number, bytes in
                "<Part><PartNumber>\(number)</PartNumber><ETag>\"\(number)\"</ETag><Size>\(bytes.count)</Size>"
                    + "<ChecksumSHA256>\(Data(SHA256.hash(data: Data(bytes))).base64EncodedString())</ChecksumSHA256>"
                    + "</Part>"
            }
            connection.answer("200 OK", body: Array("<ListPartsResult>\(parts.joined())</ListPartsResult>".utf8))
        case "POST" where isCreation:
            let creation = state.withLock { state in
                state.parts = [:]
                state.creations += 1
                return state.creations
            }
            let text =
                "<InitiateMultipartUploadResult><UploadId>u\(creation)</UploadId></InitiateMultipartUploadResult>"
            connection.answer("200 OK", body: Array(text.utf8))
        case "POST" where loses != nil: return false
        case "POST":
            let digests = state.withLock { state in
                let parts = state.parts.sorted { $0.key < $1.key }.map(\.value)
                state.object = parts.flatMap(\.self)
                return parts.map { Data(SHA256.hash(data: Data($0))) }
            }
            let whole = Data(SHA256.hash(data: digests.reduce(Data(), +))).base64EncodedString()
            connection.answer(
                "200 OK",
                body: Array(
                    ("<CompleteMultipartUploadResult><ETag>\"x-\(digests.count)\"</ETag><ChecksumSHA256>\(whole)"
                        + "-\(digests.count)</ChecksumSHA256></CompleteMultipartUploadResult>").utf8))
        default:
            state.withLock { $0.removed.append(String(target.split(separator: "uploadId=").last ?? "")) }
            connection.answer("204 No Content")
        }
        return true
    }
}
