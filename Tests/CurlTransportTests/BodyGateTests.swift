// SPDX-License-Identifier: MIT

import CurlTransport
import HTTPTypes
@testable import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Bodies that are sent as far as their owner allows.
@Suite(.timeLimit(.minutes(5))) struct BodyGateTests {
    /// For the threads of servers and transports.
    private final class Noted: Sendable {
        private let held = Mutex<(asked: [Int64], received: [UInt8])>(([], []))
        var asked: [Int64] { held.withLock { $0.asked } }
        var count: Int { held.withLock { $0.received.count } }
        func holds(_ bytes: [UInt8]) -> Bool { held.withLock { $0.received == bytes } }
        func ask(_ count: Int64) { held.withLock { $0.asked.append(count) } }
        func take(_ bytes: [UInt8]) { held.withLock { $0.received += bytes } }
    }

    private static let step = BodyGate.step

    @Test func asksForMoreBeforeItIsNeeded() {
        let (noted, step) = (Noted(), Self.step)
        let gate = BodyGate(size: 20_000_000, isOpen: false) { _, count in noted.ask(count) }
        #expect(gate.room(from: 0) == 0 && noted.asked.isEmpty)
        gate.open(to: step)
        #expect(gate.room(from: 0) == step && noted.asked.isEmpty)
        for _ in 0..<2 { #expect(gate.room(from: step / 2 + 1) == step / 2 - 1 && noted.asked == [2 * step]) }
        #expect(gate.room(from: step) == 0)
        gate.open(to: 2 * step)
        #expect(gate.room(from: step) == step)
        #expect(gate.room(from: 2 * step - 1) == 1 && noted.asked == [2 * step, 3 * step])
        // All of the body.
        gate.open(to: 3 * step)
        #expect(gate.room(from: 20_000_000) == 3 * step - 20_000_000 && noted.asked.count == 2)
    }

    @Test func sendsNothingBeyond() async throws {
        let (noted, bytes, folder) = (Noted(), patternedBytes(20_000_000), try TemporaryFolder())
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            if head.contains("100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            while noted.count < bytes.count {
                let piece = connection.readBody(min(65_536, bytes.count - noted.count))
                guard !piece.isEmpty else { return }
                noted.take(piece)
            }
            connection.answer("201 Created")
        }
        let gate = BodyGate(size: 20_000_000, isOpen: true) { _, count in noted.ask(count) }
        let session = TransferSession(transport: try CurlTransport())
        let task = session.uploadTask(
            with: TransferRequest(url: try TransferURL(server.url()), method: .put),
            source: try UploadSourceFile(path: try folder.write(bytes, to: "source")), gate: gate)
        task.resume()
        for number in 1...2 {
            #expect(await eventually { noted.count == number * Int(Self.step) })
            #expect(noted.asked == (2...number + 1).map { Int64($0) * Self.step })
            #expect(task.progress.sent <= Int64(number) * Self.step && task.state == .running)
            gate.open(to: Int64(number + 1) * Self.step)
        }
        #expect(await eventually { task.state == .completed })
        #expect(task.error == nil && task.response?.status.code == 201)
        #expect(noted.holds(bytes) && task.handedOver == 20_000_000)
    }
}
