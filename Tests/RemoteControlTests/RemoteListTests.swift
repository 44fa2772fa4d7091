// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import RemoteControl

@Suite struct RemoteListTests {
    private func gids(_ value: RPCValue) -> [String?] { value.array?.map { $0["gid"]?.string } ?? [] }

    @Test func threeListsHaveAllTransfers() async throws {
        let fixture = try RemoteFixture(RemoteFixture.five())
        #expect(gids(try await fixture.call("tellActive")) == [RemoteFixture.gid(1)])
        #expect(gids(try await fixture.call("tellWaiting", "0,10")) == [2, 3].map(RemoteFixture.gid))
        #expect(gids(try await fixture.call("tellStopped", "-1,1000")) == [5, 4].map(RemoteFixture.gid))
        let sums = try await fixture.call("getGlobalStat")
        let expected: [(String, String)] = [
            ("downloadSpeed", "0"), ("uploadSpeed", "0"), ("numActive", "1"), ("numWaiting", "2"), ("numStopped", "2"),
            ("numStoppedTotal", "2"),
        ]
        #expect(sums == .object(expected.map { .init($0.0, .string($0.1)) }))
    }

    @Test(arguments: [
        (0, 2, [1, 2]), (2, 9, [3, 4]), (4, 1, []), (-1, 2, [4, 3]), (-2, 1, [3]), (-4, 9, [1]), (-5, 1, []),
        (0, 0, []), (.min, 5, []), (.max, 5, []), (0, .max, [1, 2, 3, 4]), (-1, .max, [4, 3, 2, 1]),
    ])
    func pages(_ offset: Int, _ count: Int, _ expected: [Int]) {
        let ids = (1...4).map(TransferID.init(rawValue:))
        #expect(RemoteQueue.page(ids, offset, count).map(\.rawValue) == expected)
    }

    @Test func keysLimitTheMembers() async throws {
        let fixture = try RemoteFixture(RemoteFixture.five())
        let value = try await fixture.call("tellStatus", #""\#(RemoteFixture.gid(1))",["status","gid","nothing"]"#)
        #expect(value == .object([.init("gid", .string(RemoteFixture.gid(1))), .init("status", .string("active"))]))
    }

    /// What clients read without asking whether it is there.
    @Test func everyStructHasTheMembersOfClients() async throws {
        let fixture = try RemoteFixture(RemoteFixture.five())
        for id in 1...5 {
            let value = try await fixture.call("tellStatus", "\"\(RemoteFixture.gid(id))\"")
            for name in [
                "gid", "status", "totalLength", "completedLength", "uploadLength", "downloadSpeed", "uploadSpeed",
                "pieceLength", "numPieces", "connections", "dir",
            ] { #expect(value[name]?.string != nil, "\(name)") }
            let file = try #require(value["files"]?.array?.first)
            for name in ["index", "path", "length", "completedLength", "selected"] {
                #expect(file[name]?.string != nil, "\(name)")
            }
            #expect(file["uris"]?.array?.first?["uri"] == .string("http://a.test/\(id)"))
        }
        let failed = try await fixture.call("tellStatus", "\"\(RemoteFixture.gid(5))\"")
        #expect(failed["errorCode"] == .string("3") && failed["errorMessage"] == .string("not found"))
        let completed = try await fixture.call("tellStatus", "\"\(RemoteFixture.gid(4))\"")
        #expect(completed["errorCode"] == .string("0") && completed["bitfield"] == .string("80"))
    }

    private static let mebibyte: Int64 = 1 << 20
    private static let lengths: [(Int64, Int64)] = [
        (0, mebibyte), (1, mebibyte), (4096 * mebibyte, mebibyte), (4096 * mebibyte + 1, 2 * mebibyte),
        (Int64.max, Int64(1 << 51)),
    ]

    @Test(arguments: lengths)
    func piecesAreAtMost4096(_ total: Int64, _ length: Int64) {
        #expect(RemoteStatus.pieceLength(of: total) == length)
    }

    private static let fields: [([Range<Int64>], String)] = [
        ([0..<mebibyte], "80"), ([1..<(2 * mebibyte)], "40"),
        ([0..<mebibyte, (9 * mebibyte)..<(10 * mebibyte - 1)], "8040"),
        ([mebibyte..<(99 * mebibyte)], "7fc0"), ([0..<5], "0000"),
    ]

    @Test(arguments: fields)
    func bitfieldHasCompletePieces(_ stored: [Range<Int64>], _ expected: String) throws {
        var transfer = RemoteFixture.five()[0]
        transfer.total = expected.count == 2 ? 3 * Self.mebibyte : 10 * Self.mebibyte - 1
        let info = TransferInfo(transfer: transfer, ranges: TransferRanges(stored: stored))
        #expect(RemoteStatus(transfer: transfer, info: info).value()["bitfield"] == .string(expected))
    }

    @Test func uploadsCountConfirmedBytes() throws {
        var form = TransferForm(
            id: TransferID(rawValue: 1), kind: .upload, url: "http://a.test/", file: "/s/a", state: .running)
        (form.bytes, form.confirmed, form.total, form.rate) = (50, 30, 100, 5)
        let value = RemoteStatus(transfer: Transfer(form)).value()
        #expect(value["completedLength"] == .string("30") && value["uploadLength"] == .string("50"))
        #expect(value["uploadSpeed"] == .string("5") && value["downloadSpeed"] == .string("0"))
    }
}

@Suite struct RemoteGIDTests {
    @Test func isMadeFromTheIDAndBack() throws {
        var texts: Set<String> = []
        for number in [1, 2, 3, 1000, 1 << 40, .max] {
            let gid = RemoteGID(TransferID(rawValue: number))
            #expect(gid.text.utf8.count == 16)
            #expect(try #require(RemoteGID(gid.text)).id?.rawValue == number)
            texts.insert(String(gid.text.prefix(6)))
        }
        #expect(texts.count == 6)
        #expect(RemoteGID(TransferID(rawValue: 1)).text == "9e3779b97f4a7c15")
    }

    @Test(arguments: ["", "1", "0000000000000000", "9e3779b97f4a7c1g", "9e3779b97f4a7c155", "+e3779b97f4a7c15"])
    func othersAreNone(_ text: String) { #expect(RemoteGID(text) == nil) }

    @Test func aChosenOneIsInTheRecord() async throws {
        let fixture = try RemoteFixture()
        let added = try await fixture.call("addUri", #"["http://a.test/x"],{"gid":"00000000000000aB"}"#)
        #expect(added.string == "00000000000000ab")
        let calls = fixture.queue.calls(AddParams.self)
        #expect(calls.first?.terms.taskDescription == "added by remote control, GID 00000000000000ab")
        #expect(try await fixture.call("tellStatus", "\"00000000000000ab\",[\"gid\"]")["gid"] == added)
        #expect(try await fixture.call("tellStatus", "\"000000\",[\"gid\"]")["gid"] == added)
        let again = try await fixture.error("addUri", #"["http://a.test/x"],{"gid":"00000000000000ab"}"#)
        #expect(again == "GID 00000000000000ab is not unique")
    }

    @Test func prefixesMustBeUnique() async throws {
        let index = RemoteIndex()
        let all = (1...2000).map {
            Transfer(id: TransferID(rawValue: $0), kind: .download, url: "http://a.test/", file: "/d")
        }
        _ = index.receive(.snapshot(QueueSnapshot(transfers: all)))
        #expect(try index.find("9e3779").rawValue == 1)
        #expect(throws: RPCFailure("GID 9 is not unique")) { try index.find("9") }
        #expect(throws: RPCFailure("GID 9e37790 is not found")) { try index.find("9e37790") }
    }
}

@Suite struct RemoteIndexTests {
    private func event(_ id: Int, _ state: TransferState) -> QueueUpdate {
        let transfer = Transfer(
            TransferForm(
                id: TransferID(rawValue: id), kind: .download, url: "http://a.test/", file: "/d", state: state))
        return .events([TransferEvent(time: 0, name: .changed, transfer: transfer)])
    }

    @Test func changesAreNotified() {
        let index = RemoteIndex()
        #expect(index.receive(.snapshot(QueueSnapshot(transfers: RemoteFixture.five()))).isEmpty)
        func kinds(_ id: Int, _ state: TransferState) -> [RemoteIndex.Notice.Kind] {
            index.receive(event(id, state)).map(\.kind)
        }
        #expect(kinds(1, .running).isEmpty)
        #expect(kinds(1, .retrying).isEmpty)
        #expect(kinds(1, .running).isEmpty)
        #expect(kinds(1, .paused) == [.pause])
        #expect(kinds(1, .queued).isEmpty)
        #expect(kinds(1, .running) == [.start])
        #expect(kinds(1, .verifying).isEmpty)
        #expect(kinds(1, .completed) == [.complete])
        #expect(kinds(2, .failed) == [.error])
        #expect(kinds(3, .cancelled) == [.stop])
        #expect(kinds(6, .paused).isEmpty)
        #expect(index.ids(.stopped).map(\.rawValue) == [4, 5, 1, 2, 3])
        #expect(index.ids(.waiting).map(\.rawValue) == [6])
    }

    @Test func aLaterSnapshotNotifiesOfWhatWasMissed() {
        let index = RemoteIndex()
        _ = index.receive(.snapshot(QueueSnapshot(transfers: RemoteFixture.five())))
        var later = RemoteFixture.five()
        later[0].status = .completed(.init(at: 9))
        let notices = index.receive(.snapshot(QueueSnapshot(transfers: later)))
        #expect(notices == [.init(kind: .complete, gid: RemoteGID(TransferID(rawValue: 1)))])
        #expect(index.ids(.stopped).map(\.rawValue) == [4, 5, 1])
    }

    @Test func followsOrderAndRemoval() {
        let index = RemoteIndex()
        _ = index.receive(.snapshot(QueueSnapshot(transfers: RemoteFixture.five())))
        _ = index.receive(.order([5, 4, 3, 2, 1].map(TransferID.init(rawValue:))))
        #expect(index.ids(.waiting).map(\.rawValue) == [3, 2])
        _ = index.receive(event(1, .queued))
        #expect(index.ids(.waiting).map(\.rawValue) == [3, 2, 1] && index.ids(.active).isEmpty)
        _ = index.receive(.removed([TransferID(rawValue: 2), TransferID(rawValue: 5)]))
        #expect(index.ids(.waiting).map(\.rawValue) == [3, 1] && index.ids(.stopped).map(\.rawValue) == [4])
    }
}
