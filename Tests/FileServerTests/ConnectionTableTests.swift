// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

@testable import FileServer

/// Who gets in when many are there.
struct ConnectionTableTests {
    @Test func closesTheLongestIdleConnection() {
        var table = ConnectionTable<Int>(limit: 4, limitPerAddress: 100)
        for id in 1...3 { #expect(table.open(id, from: "a") == .admitted) }
        table.setBusy(1, true)
        #expect(table.open(4, from: "b") == .replaces(2))
        table.setBusy(3, true)
        table.setBusy(3, false)
        #expect(table.open(5, from: "b") == .replaces(4), "3 has waited only since its last request")
        for id in [3, 5] { table.setBusy(id, true) }
        #expect(table.open(6, from: "b") == .admitted, "all carry out requests; the listener waits from here on")
        #expect(table.ids.sorted() == [1, 3, 5, 6])
    }

    @Test func limitsConnectionsPerAddress() {
        var table = ConnectionTable<Int>(limit: 100, limitPerAddress: 2)
        #expect(table.open(1, from: "a") == .admitted)
        #expect(table.open(2, from: "a") == .admitted)
        #expect(table.open(3, from: "a") == .replaces(1))
        #expect(table.open(4, from: "b") == .admitted)
        for id in [2, 3] { table.setBusy(id, true) }
        #expect(table.open(5, from: "a") == .refused)
        table.close(2)
        table.close(2)
        #expect(table.open(6, from: "a") == .admitted)
        #expect(table.ids.sorted() == [3, 4, 6])
    }

    @Test func closesTheSlowestOfBusyConnections() {
        var table = ConnectionTable<Int>(limit: 4, limitPerAddress: 3)
        let rates = [1: 500.0, 2: 20.0, 3: 30.0]
        for id in 1...3 {
            #expect(table.open(id, from: "a") == .admitted)
            table.setBusy(id, true)
        }
        #expect(table.open(4, from: "a") { rates[$0] } == .replaces(2), "of an address with too many")
        #expect(table.open(5, from: "b") { rates[$0] } == .replaces(4), "an idle one first")
        table.setBusy(5, true)
        #expect(table.open(6, from: "b") { _ in nil } == .admitted && table.isFull)
        table.setBusy(6, true)
        #expect(table.makeRoom(at: 0) { _ in nil } == nil)
        #expect(table.makeRoom(at: 0) { rates[$0] } == 3)
        #expect(table.makeRoom(at: 0) { rates[$0] } == nil && !table.isFull, "there is room")
        #expect(table.open(7, from: "b") { rates[$0] } == .replaces(1))
        #expect(table.ids.sorted() == [5, 6, 7])
    }

    /// The one in the last slot may be about to send its request.
    @Test func aNewConnectionIsNotClosedToMakeRoom() {
        var table = ConnectionTable<Int>(limit: 3, limitPerAddress: 3)
        for id in 1...2 {
            #expect(table.open(id, from: "a", at: 10) == .admitted)
            table.setBusy(id, true, at: 10)
        }
        #expect(table.open(3, from: "a", at: 20) == .admitted && table.isFull)
        #expect(table.makeRoom(at: 24.9) { _ in nil } == nil)
        #expect(table.makeRoom(at: 24.9) { $0 == 2 ? 1 : nil } == 2, "a slow one is")
        #expect(table.open(4, from: "a", at: 24.9) == .replaces(3), "nor is it kept from one that has arrived")
        #expect(table.open(5, from: "b", at: 25) == .replaces(4))
        table.setBusy(5, true, at: 25)
        #expect(table.open(6, from: "a", at: 26) == .admitted)
        table.setBusy(6, true, at: 27)
        table.setBusy(6, false, at: 30)
        #expect(table.makeRoom(at: 34.9) { _ in nil } == nil, "nor one that has just had its response")
        #expect(table.makeRoom(at: 35) { _ in nil } == 6)
    }

    @Test func ratesCountTheTimeOfWaiting() {
        var rate = PeerRate()
        #expect(rate.bytesPerSecond(afterSeconds: 0) == nil)
        rate.add(1_000_000, inSeconds: 5)
        #expect(rate.bytesPerSecond(afterSeconds: 10) == nil && rate.bytesPerSecond(afterSeconds: 5) == 200_000)
        for _ in 0..<25 { rate.add(1, inSeconds: 1) }
        #expect(rate.bytesPerSecond(afterSeconds: 10) == 1_000_025 / 30.0)
        // What was fast before counts for a minute at most.
        for _ in 0..<30 { rate.add(1, inSeconds: 1) }
        #expect(rate.bytesPerSecond(afterSeconds: 10) == 1)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("", ""),
        ("2001:db8:0:1::5", "20:1:d:b8:0:0:0:1/64"), ("2001:db8:0:1:ffff::", "20:1:d:b8:0:0:0:1/64"),
        ("2001:db8:0:2::5", "20:1:d:b8:0:0:0:2/64"), ("::1", "0:0:0:0:0:0:0:0/64"),
    ])
    func networksShareALimit(address: String, network: String) {
        #expect(OpenConnections.network(of: address) == network)
    }

    @Test(arguments: [(0, 256), (4, 256), (5, 128), (8, 128), (9, 64), (17, 32), (33, 16), (1024, 16)])
    func receiveBuffersShrinkAsConnectionsOpen(connections: Int, kibibytes: Int) {
        #expect(ReceiveBuffers.size(for: connections) == kibibytes << 10)
        let buffers = ReceiveBuffers()
        buffers.adapt(to: connections)
        #expect(buffers.size == kibibytes << 10 && buffers.isForFew == (connections <= 4))
    }

    @Test func oneUploadWritesLargeBatchesAndManyStayWithinTheBudget() {
        let limit = FileServerConfiguration.Limits().bufferBytes
        let budget = BufferBudget(limit: limit)
        #expect(budget.take(atMost: RequestHandler.batchBytes) == RequestHandler.batchBytes)
        for _ in 1..<50 { _ = budget.take(atMost: RequestHandler.batchBytes) }
        #expect(limit == 16 << 20 && budget.taken <= limit)
    }

    @Test func budgetsShrinkPiecesAndNeverEnd() {
        let budget = BufferBudget(limit: 64 << 20)
        #expect(budget.take(atMost: 256 << 10) == 256 << 10)
        for _ in 0..<1023 { _ = budget.take(atMost: 256 << 10) }
        #expect(budget.taken < (64 + 16) << 20)
        #expect(budget.take(atMost: 256 << 10) == BufferBudget.smallestPiece)
        #expect(budget.take(atMost: 1000) == 1000)
    }
}

/// The same over sockets.
struct ManyConnectionsTests {
    @Test(arguments: [nil, 4] as [Int?]) func incompleteHeadsDoNotBlock(perAddress: Int?) async throws {
        try await ServedFolder.with({ configuration, _ in
            configuration.limits.connections = 8
            if let perAddress { configuration.limits.connectionsPerAddress = perAddress }
        }) { (folder) async throws in
            try folder.write("x", "inside")
            var slow: [RawConnection] = []
            for _ in 0..<24 {
                let raw = try RawConnection(port: folder.server.port)
                await raw.send("GET /x HT")
                slow.append(raw)
            }
            #expect(try await folder.curl("/x").text == "inside")
            // Without its end, nothing could be read.
            #expect(try await eventually { slow[0].isReadable })
            #expect(await slow[0].receive().isEmpty)
        }
    }

    /// Each of them busy, and sending now and then.
    @Test(arguments: [nil, 4] as [Int?]) func slowRequestsDoNotBlock(perAddress: Int?) async throws {
        try await ServedFolder.with({ configuration, _ in
            configuration.limits.connections = 8
            configuration.limits.leastRate = 1_000_000
            configuration.limits.leastRateSeconds = 0.2
            if let perAddress { configuration.limits.connectionsPerAddress = perAddress }
        }) { (folder) async throws in
            try folder.write("x", "inside")
            var slow: [RawConnection] = []
            for index in 0..<24 {
                let raw = try RawConnection(port: folder.server.port)
                await raw.send("PUT /\(index) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx")
                slow.append(raw)
            }
            // One that is refused for its address tries again.
            var text = ""
            let deadline = Date() + 60
            while text != "inside", Date() < deadline { text = try await folder.curl("/x").text }
            #expect(text == "inside")
            // One that got in; nothing is sent to it but its end. Later ones may be refused for their address.
            var ended: RawConnection?
            _ = try await eventually {
                ended = slow.prefix(perAddress ?? slow.count).first { $0.isReadable }
                return ended != nil
            }
            #expect(await ended?.receive().isEmpty == true)
        }
    }

    /// Their receive buffers shrink meanwhile.
    @Test func uploadsOfManyConnectionsArriveWhole() async throws {
        try await ServedFolder.with { (folder) async throws in
            let bytes = sampleBytes(1_000_000)
            var connections: [RawConnection] = []
            for index in 0..<40 {
                let raw = try RawConnection(port: folder.server.port)
                await raw.send("PUT /\(index) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(bytes.count)\r\n\r\n")
                await raw.send(bytes.prefix(500_000))
                connections.append(raw)
            }
            for (index, raw) in connections.enumerated() {
                await raw.send(bytes.dropFirst(500_000))
                #expect(await raw.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 201"))
                #expect(try Data(contentsOf: folder.root.appendingPathComponent(String(index))) == bytes)
            }
        }
    }

    @Test func transfersCompleteWithAFullMemoryBudget() async throws {
        try await ServedFolder.with({ configuration, _ in
            configuration.limits.bufferBytes = 1 << 20
            // A loaded machine may give a transfer no time for a minute.
            configuration.limits.idleSeconds = 600
        }) { (folder) async throws in
            let bytes = sampleBytes(5_000_000)
            try folder.write("big", bytes)
            var slow: [RawConnection] = []
            for _ in 0..<50 {
                let raw = try RawConnection(port: folder.server.port)
                await raw.send("GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(await raw.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
                slow.append(raw)
            }
            #expect(try await folder.curl("/big").body == bytes)
            #expect(try await folder.curl("/up", "-T", "-", input: bytes).status == 201)
            #expect(try Data(contentsOf: folder.root.appendingPathComponent("up")) == bytes)
            #expect(slow.count == 50)
        }
    }
}
