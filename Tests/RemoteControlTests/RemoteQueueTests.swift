// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import RemoteControl

@Suite struct RemoteQueueTests {
    private static let token = "token:\(RemoteFixture.secret)"
    private static let unauthorized = #"{"id":1,"jsonrpc":"2.0","error":{"code":1,"message":"Unauthorized"}}"#

    /// Requests, the status and the response; aria2's.
    private static let table: [(String, Int, String)] = [
        (
            #"{"id":1,"method":"aria2.saveSession","params":["\#(token)"]}"#, 200,
            #"{"id":1,"jsonrpc":"2.0","result":"OK"}"#
        ),
        (
            #"{"id":null,"method":"aria2.saveSession","params":["\#(token)"]}"#, 200,
            #"{"id":null,"jsonrpc":"2.0","result":"OK"}"#
        ),
        (#"{"id":1,"method":"aria2.saveSession","params":[]}"#, 400, unauthorized),
        (#"{"id":1,"method":"aria2.saveSession"}"#, 400, unauthorized),
        (#"{"id":1,"method":"aria2.saveSession","params":["token:"]}"#, 400, unauthorized),
        (#"{"id":1,"method":"aria2.saveSession","params":["\#(token)0"]}"#, 400, unauthorized),
        (#"{"id":1,"method":"aria2.saveSession","params":["token:0123456789abcdef"]}"#, 400, unauthorized),
        (
            #"{"id":1,"method":"aria2.fetch","params":["\#(token)"]}"#, 400,
            #"{"id":1,"jsonrpc":"2.0","error":{"code":1,"message":"No such method: aria2.fetch"}}"#
        ),
        ("{", 500, #"{"id":null,"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error."}}"#),
        ("1", 500, #"{"id":null,"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error."}}"#),
        ("[]", 400, #"{"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}"#),
        (
            #"{"method":"aria2.saveSession","params":[]}"#, 400,
            #"{"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}"#
        ),
        (#"{"id":"x"}"#, 400, #"{"id":"x","jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}"#),
        (
            #"{"id":1,"method":"aria2.saveSession","params":{}}"#, 500,
            #"{"id":1,"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params."}}"#
        ),
        (
            #"[{"id":1,"method":"aria2.saveSession"},2]"#, 200,
            "[\(unauthorized),"
                + #"{"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}]"#
        ),
        (
            #"{"id":1,"method":"system.multicall","params":[[{"methodName":"aria2.saveSession","#
                + #""params":["\#(token)"]},"#
                + #"{"methodName":"aria2.saveSession","params":[]},{"methodName":"system.multicall"},{}]]}"#, 200,
            #"{"id":1,"jsonrpc":"2.0","result":[["OK"],{"code":1,"message":"Unauthorized"},"#
                + #"{"code":1,"message":"Recursive system.multicall forbidden."},"#
                + #"{"code":1,"message":"methodName is missing"}]}"#
        ),
    ]

    @Test(arguments: table)
    func answersAsAria2(_ request: String, _ status: Int, _ response: String) async throws {
        let answer = await (try RemoteFixture()).raw(request)
        #expect(answer.text == response)
        #expect(answer.status == status)
    }

    @Test func onlyMessagesWithoutTheSecretAreDelayed() async throws {
        let fixture = try RemoteFixture()
        func reply(_ params: String) async -> RemoteQueue.Reply {
            await fixture.remote.reply(to: Array(#"{"id":1,"method":"aria2.saveSession","params":[\#(params)]}"#.utf8))
        }
        let right = await reply("\"\(Self.token)\"")
        #expect(right.isAuthorized && !right.isDelayed)
        let wrong = await reply("\"token:no\"")
        #expect(!wrong.isAuthorized && wrong.isDelayed)
        let names = await fixture.remote.reply(to: Array(#"{"id":1,"method":"system.listMethods"}"#.utf8))
        #expect(!names.isAuthorized && !names.isDelayed && names.body["result"]?.array?.count ?? 0 > 30)
    }

    @Test func comparesSecrets() {
        #expect(RemoteQueue.isEqual("abc", "abc"))
        for wrong in ["", "a", "abd", "abcabc", "abcd"] { #expect(!RemoteQueue.isEqual(wrong, "abc")) }
        #expect(!RemoteQueue.isEqual("", ""))
    }

    @Test func largeBatchesAreRefused() async throws {
        let fixture = try RemoteFixture()
        let calls = Array(repeating: #"{"id":1,"method":"system.listNotifications"}"#, count: 10_000)
        let answer = await fixture.raw("[\(calls.joined(separator: ","))]")
        #expect(answer.status == 400 && answer.text.contains("at most 1000 calls"))
        let many = Array(repeating: #"{"methodName":"system.listNotifications"}"#, count: 10_000)
        let request = #"{"id":1,"method":"system.multicall","params":[[\#(many.joined(separator: ","))]]}"#
        #expect(await fixture.raw(request).text.contains("at most 1000 calls"))
    }

    // MARK: Commands

    @Test func commandsReachTheQueue() async throws {
        let fixture = try RemoteFixture(RemoteFixture.five())
        #expect(try await fixture.call("pause", "\"\(RemoteFixture.gid(1))\"").string == RemoteFixture.gid(1))
        #expect(try await fixture.call("unpause", "\"\(RemoteFixture.gid(3))\"").string == RemoteFixture.gid(3))
        #expect(try await fixture.call("forceRemove", "\"\(RemoteFixture.gid(2))\"").string == RemoteFixture.gid(2))
        #expect(try await fixture.call("removeDownloadResult", "\"\(RemoteFixture.gid(4))\"").string == "OK")
        #expect(fixture.queue.performed.map(\.ids) == [[1], [3], [2], [4]])
        #expect(fixture.queue.performed.map(\.command) == [.pause, .resume, .cancel(deletingPartial: false), .dismiss])
        #expect(try await fixture.call("pauseAll").string == "OK")
        #expect(fixture.queue.contents.withLock(\.limits.isHeld) == true)
    }

    @Test(arguments: [
        ("pause", 3, "cannot be paused now"), ("unpause", 1, "cannot be unpaused now"),
        ("remove", 4, "cannot be removed now"), ("removeDownloadResult", 1, "Could not remove download result"),
    ])
    func commandsThatDoNotApplyAreRefused(_ method: String, _ id: Int, _ message: String) async throws {
        let fixture = try RemoteFixture(RemoteFixture.five())
        let error = try await fixture.error(method, "\"\(RemoteFixture.gid(id))\"")
        #expect(error?.contains(message) == true)
        #expect(fixture.queue.performed.isEmpty)
    }

    @Test(arguments: [
        ("\"xyz\"", "Invalid GID xyz"), ("\"\"", "Invalid GID "), ("7", "The parameter at 0 has wrong type."),
        ("\"0000000000000001\"", "GID 0000000000000001 is not found"),
    ])
    func wrongGIDsAreRefused(_ gid: String, _ message: String) async throws {
        #expect(try await RemoteFixture(RemoteFixture.five()).error("tellStatus", gid) == message)
    }

    @Test func purgingForgetsWhatHasEnded() async throws {
        let fixture = try RemoteFixture(RemoteFixture.five())
        #expect(try await fixture.call("purgeDownloadResult").string == "OK")
        #expect(fixture.queue.performed.map(\.ids) == [[4, 5]])
        #expect(try await fixture.call("tellStopped", "0,10").array == [])
    }

    @Test(arguments: [
        ("0,\"POS_SET\"", 0, [3, 1, 2]), ("1,\"POS_SET\"", 1, [1, 3, 2]), ("-1,\"POS_CUR\"", 1, [1, 3, 2]),
        ("-9,\"POS_CUR\"", 0, [3, 1, 2]), ("0,\"POS_END\"", 2, [1, 2, 3]),
        ("9223372036854774784,\"POS_SET\"", 2, [1, 2, 3]),
    ])
    func movesTheLast(_ place: String, _ position: Int, _ order: [Int]) async throws {
        try await moves(3, place, position, order)
    }

    @Test(arguments: [
        ("1,\"POS_SET\"", 1, [2, 1, 3]), ("0,\"POS_END\"", 2, [2, 3, 1]), ("-1,\"POS_END\"", 1, [2, 1, 3]),
    ])
    func movesTheFirst(_ place: String, _ position: Int, _ order: [Int]) async throws {
        try await moves(1, place, position, order)
    }

    /// As the queue does it: those that are moved keep their order.
    private func moves(_ id: Int, _ place: String, _ position: Int, _ order: [Int]) async throws {
        let three = (1...3).map {
            Transfer(id: TransferID(rawValue: $0), kind: .download, url: "http://a.test/", file: "/d/\($0)")
        }
        let fixture = try RemoteFixture(three)
        let found = try await fixture.call("changePosition", "\"\(RemoteFixture.gid(id))\",\(place)")
        #expect(found == .number(Double(position)))
        var ids = [1, 2, 3]
        for (command, moved) in fixture.queue.performed {
            let rest = ids.filter { !moved.contains($0) }
            let block = ids.filter(moved.contains)
            ids = command == .move(.top) ? block + rest : rest + block
        }
        #expect(ids == order)
    }

    @Test func anAddressIsReplaced() async throws {
        let fixture = try RemoteFixture(RemoteFixture.five())
        let gid = "\"\(RemoteFixture.gid(2))\""
        let done = try await fixture.call("changeUri", #"\#(gid),1,["http://a.test/2"],["http://b.test/2"]"#)
        #expect(done == .array([.number(1), .number(1)]))
        #expect(fixture.queue.relocated.map(\.url?.string) == ["http://b.test/2"])
        #expect(try await fixture.error("changeUri", #"\#(gid),1,[],["http://b.test/2"]"#)?.contains("mirrors") == true)
        #expect(try await fixture.error("changeUri", #"\#(gid),2,[],[]"#) == "fileIndex is out of range")
    }

    @Test func shutdownNeedsPermission() async throws {
        #expect(try await RemoteFixture().error("shutdown")?.contains("allow-shutdown") == true)
        let fixture = try RemoteFixture { $0.allowsShutdown = true }
        #expect(try await fixture.call("forceShutdown").string == "OK")
    }

    @Test func thereIsNoBitTorrent() async throws {
        let fixture = try RemoteFixture(RemoteFixture.five())
        #expect(try await fixture.error("addTorrent", "\"ZDQ6\"") == "fileq has no BitTorrent")
        #expect(try await fixture.error("addUri", #"["magnet:?xt=urn:btih:0"]"#) == "fileq has no BitTorrent")
        #expect(try await fixture.call("getPeers", "\"\(RemoteFixture.gid(1))\"") == .array([]))
        let features = try await fixture.call("getVersion")["enabledFeatures"]?.array
        #expect(features?.contains(.string("BitTorrent")) == false)
    }
}
