// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing
import TransferModel

@Suite struct StreamMachineTests {
    private let error = TransferError(.receiveFailed, "broken")

    private func open() -> StreamMachine {
        var machine = StreamMachine(authority: "a.test:7", isSecure: false)
        #expect(machine.resume() == [.open(isSecure: false)])
        #expect(machine.opened() == [])
        return machine
    }

    @Test func earlyReadsWaitForTheConnection() {
        var machine = StreamMachine(authority: "a.test:7", isSecure: true)
        #expect(machine.read(1, minimum: 1, maximum: 10) == [])
        #expect(machine.write(2, [1]) == [])
        #expect(machine.resume() == [.open(isSecure: true)])
        #expect(machine.opened() == [.read(maximum: 10), .write([1])])
    }

    @Test func readsInOrderAndOnDemand() {
        var machine = open()
        #expect(machine.read(1, minimum: 3, maximum: 4) == [.read(maximum: 4)])
        #expect(machine.read(2, minimum: 1, maximum: 100) == [])
        #expect(machine.received([1, 2]) == [.read(maximum: 2)])
        #expect(machine.received([3, 4]) == [.answerRead(1, [1, 2, 3, 4], atEnd: false), .read(maximum: 100)])
        #expect(machine.received([5]) == [.answerRead(2, [5], atEnd: false)])
    }

    @Test func collectsALargeRead() {
        var machine = open()
        #expect(machine.read(1, minimum: 100_000, maximum: 100_000) == [.read(maximum: StreamMachine.pieceSize)])
        let piece = [UInt8](repeating: 1, count: StreamMachine.pieceSize)
        #expect(machine.received(piece) == [.read(maximum: 100_000 - StreamMachine.pieceSize)])
        let rest = [UInt8](repeating: 2, count: 100_000 - StreamMachine.pieceSize)
        #expect(machine.received(rest) == [.answerRead(1, piece + rest, atEnd: false)])
    }

    @Test(arguments: [(0, 0), (-5, 3), (4, 1)]) func clampsInvalidLengths(_ minimum: Int, _ maximum: Int) {
        var machine = open()
        #expect(machine.read(1, minimum: minimum, maximum: maximum) == [.read(maximum: max(1, minimum, maximum))])
    }

    @Test func readsTheRestThenNothing() {
        var machine = open()
        _ = machine.read(1, minimum: 10, maximum: 10)
        #expect(machine.received([1, 2]) == [.read(maximum: 8)])
        #expect(machine.received([]) == [.answerRead(1, [1, 2], atEnd: true), .reportReadClosed])
        #expect(machine.read(2, minimum: 1, maximum: 1) == [.answerRead(2, [], atEnd: true)])
    }

    @Test func reportsTheEndWithTheLastByte() {
        var machine = open()
        _ = machine.read(1, minimum: 2, maximum: 4)
        #expect(machine.giveUp(1, error) == [.refuseRead(1, error)])
        // The transport still owes an answer; what it brings waits for the next read.
        #expect(machine.received([1, 2, 3]) == [])
        #expect(machine.read(2, minimum: 1, maximum: 2) == [.answerRead(2, [1, 2], atEnd: false)])
        #expect(machine.read(3, minimum: 2, maximum: 9) == [.read(maximum: 8)])
        #expect(machine.received([]) == [.answerRead(3, [3], atEnd: true), .reportReadClosed])
    }

    @Test func writesInOrder() {
        var machine = open()
        #expect(machine.write(1, [1]) == [.write([1])])
        #expect(machine.write(2, [2]) == [])
        #expect(machine.wrote() == [.answerWrite(1), .write([2])])
        #expect(machine.wrote() == [.answerWrite(2)])
        #expect(machine.wrote() == [])
    }

    @Test func closingFlushesPendingWrites() {
        var machine = open()
        _ = machine.write(1, [1])
        #expect(machine.closeWrite() == [])
        guard case .refuseWrite(2, let refusal)? = machine.write(2, [2]).first else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .usage)
        #expect(machine.wrote() == [.answerWrite(1), .closeWriting])
        #expect(machine.closedWriting() == [.reportWriteClosed])
        #expect(machine.closeWrite() == [])
        #expect(!machine.isEnded)
    }

    @Test func closingBothDirectionsEndsTheTask() {
        var machine = open()
        #expect(machine.closeRead() == [.reportReadClosed])
        guard case .refuseRead(1, _)? = machine.read(1, minimum: 1, maximum: 1).first else {
            Issue.record("not refused")
            return
        }
        #expect(machine.closeWrite() == [.closeWriting])
        #expect(machine.closedWriting() == [.reportWriteClosed, .close, .complete(nil)])
        #expect(machine.isEnded)
        #expect(machine.failed(error) == [])
        #expect(machine.cancel() == [])
    }

    @Test func closedWritingAndEndOfInputEndTheTask() {
        var machine = open()
        _ = machine.closeWrite()
        #expect(machine.closedWriting() == [.reportWriteClosed])
        _ = machine.read(1, minimum: 1, maximum: 5)
        #expect(machine.received([]) == [.answerRead(1, [], atEnd: true), .reportReadClosed, .close, .complete(nil)])
    }

    @Test func failuresEndAllPendingCalls() {
        var machine = open()
        _ = machine.read(1, minimum: 1, maximum: 1)
        _ = machine.write(2, [1])
        _ = machine.write(3, [1])
        #expect(
            machine.failed(error) == [
                .close, .refuseRead(1, error), .refuseWrite(2, error), .refuseWrite(3, error), .complete(error),
            ])
        guard case .refuseRead(4, let refusal)? = machine.read(4, minimum: 1, maximum: 1).first else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .usage)
    }

    @Test func cancellingAnIdleStreamNeedsNoConnection() {
        var machine = StreamMachine(authority: "a.test:7", isSecure: false)
        _ = machine.read(1, minimum: 1, maximum: 1)
        #expect(machine.cancel() == [.refuseRead(1, .cancelled), .complete(.cancelled)])
        #expect(machine.resume() == [])
        #expect(machine.write(2, []) == [.refuseWrite(2, .cancelled)])
    }

    @Test func suspensionHoldsCallsAndEvents() {
        var machine = open()
        _ = machine.read(1, minimum: 1, maximum: 5)
        machine.suspend()
        machine.suspend()
        #expect(machine.received([1]) == [])
        #expect(machine.write(2, [2]) == [])
        #expect(machine.resume() == [])
        #expect(machine.resume() == [.answerRead(1, [1], atEnd: false), .write([2])])
    }

    @Test func pendingWritesCannotBeRevoked() {
        var machine = open()
        _ = machine.write(1, [1])
        _ = machine.write(2, [2])
        #expect(machine.giveUp(2, error) == [.refuseWrite(2, error)])
        #expect(machine.giveUp(1, error) == [.close, .refuseWrite(1, error), .complete(error)])
        #expect(machine.giveUp(1, error) == [])
    }

    @Test func tlsStartsWithTheFirstByteOrNever() throws {
        var idle = StreamMachine(authority: "a.test:7", isSecure: false)
        #expect(try idle.startSecureConnection() == [])
        #expect(idle.resume() == [.open(isSecure: true)])
        #expect(try idle.startSecureConnection() == [])

        var standing = open()
        #expect(try standing.startSecureConnection() == [.close, .open(isSecure: true)])
        #expect(standing.read(1, minimum: 1, maximum: 1) == [])
        #expect(standing.opened() == [.read(maximum: 1)])

        for begin in [
            { (machine: inout StreamMachine) in _ = machine.read(1, minimum: 1, maximum: 1) },
            { _ = $0.write(1, [1]) }, { _ = $0.cancel() },
        ] {
            var machine = open()
            begin(&machine)
            let refusal = #expect(throws: TransferError.self) { try machine.startSecureConnection() }
            #expect(refusal?.code == .usage)
        }
    }
}
