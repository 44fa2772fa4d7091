// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

/// docs/Control.md and its pages: every example is played against the real server.
@Suite struct SpecificationTests {
    struct Conversation: Sendable, CustomTestStringConvertible {
        /// The page and the line of its beginning.
        var place: String
        /// Each with its direction taken off.
        var messages: [(isFromClient: Bool, text: String)] = []
        var testDescription: String { place }
    }

    static let pages: [(name: String, text: String)] = [
        "Control.md", "ControlCommands.md", "ControlQueries.md", "ControlUpdates.md",
    ].map { name in
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return (name, (try? String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)) ?? "")
    }

    static let document = pages.map(\.text).joined(separator: "\n")

    static let conversations: [Conversation] = pages.flatMap { page in
        var found: [Conversation] = []
        var isInside = false
        for (index, line) in page.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                isInside = line == "```json"
                if isInside { found.append(Conversation(place: "\(page.name):\(index + 1)")) }
            } else if isInside, !found.isEmpty, line.hasPrefix("--> ") || line.hasPrefix("<-- ") {
                found[found.count - 1].messages.append((line.hasPrefix("-->"), String(line.dropFirst(4))))
            }
        }
        return found
    }

    @Test(arguments: conversations) func examplesMatchTheServer(_ conversation: Conversation) async throws {
        try await onStage { stage in
            let peer = try RawPeer(stage.path)
            let greets = conversation.messages.first.map { !$0.isFromClient && $0.text.contains(#""hello""#) } ?? false
            if !greets {
                _ = await peer.line()
                await peer.send(RawPeer.hello + "\n")
                _ = await peer.line()
            }
            for message in conversation.messages {
                if message.isFromClient {
                    await peer.send(message.text + "\n")
                } else {
                    let line = try #require(
                        await peer.line(), "\(conversation.place): nothing came for \(message.text)")
                    let (expected, actual) = (JSONValue(message.text), JSONValue(line))
                    let fits = expected.flatMap { expected in actual.map { expected.matches($0) } } ?? false
                    #expect(fits, "\(conversation.place): the server says \(line)")
                }
            }
        }
    }

    @Test func everyMethodNoticeAndCodeHasAnExample() {
        let said = Self.conversations.flatMap(\.messages).compactMap { JSONValue($0.text) }
        let methods = Set(said.compactMap { $0["method"]?.text })
        for call in ControlCalls.all { #expect(methods.contains(call.method), "\(call.method)") }
        #expect(methods.contains(ControlNotice.update))
        let updates = said.compactMap { $0["params"] }.filter { $0["subscription"] != nil }
        for kind in ["snapshot", "events", "order", "removed", "limits", "window", "ended"] {
            #expect(updates.contains { $0[kind] != nil }, "\(kind)")
        }
        let codes = Set(said.compactMap { $0["error"]?["code"]?.number })
        for code in [-32700.0, -32600, -32601, -32602, -32000, -32001, -32002] {
            #expect(codes.contains(code), "\(code)")
        }
        // The table names them all.
        for code in [-32603, -32003, -32004] {
            #expect(Self.pages.contains { $0.text.contains("| \(code) |") })
        }
    }
}
