// SPDX-License-Identifier: MIT

@testable import CurlTransport
import Testing
import TransferTesting

/// What waits between libcurl's thread and a lane.
@Suite struct LaneQueueTests {
    private func append(_ bytes: [UInt8], to queue: inout ByteQueue) -> Int {
        bytes.withUnsafeBytes { queue.append($0) }
    }

    private func take(_ count: Int, from queue: inout ByteQueue) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { $1 = queue.take(into: UnsafeMutableRawBufferPointer($0)) }
    }

    @Test func bytesStayInOrderWhateverTheirPieces() {
        let bytes = patternedBytes(300_000)
        var queue = ByteQueue()
        var (given, got) = (0, [UInt8]())
        for size in [1, 70_000, 16_384, 65_536, 148_079] {
            #expect(append(Array(bytes[given..<given + size]), to: &queue) == size)
            given += size
            got += take(size / 3, from: &queue)
        }
        got += queue.takePiece()
        #expect(queue.count == given - got.count)
        while queue.count > 0 { got += take(10_000, from: &queue) }
        #expect(got == bytes)
        #expect(take(1, from: &queue).isEmpty && queue.takePiece().isEmpty)
    }

    @Test func aQueueTakesNoMoreThanItsCapacity() {
        var queue = ByteQueue()
        #expect(append(patternedBytes(ByteQueue.capacity - 1), to: &queue) == ByteQueue.capacity - 1)
        #expect(append([1, 2, 3], to: &queue) == 1)
        #expect(append([4], to: &queue) == 0 && queue.room == 0)
        #expect(queue.takePiece().count == ByteQueue.piece)
        #expect(queue.room == ByteQueue.piece)
    }

    @Test func writesAreMadeOneAfterTheOther() {
        let bytes = patternedBytes(100_000)
        var queue = WriteQueue(from: 500, reservingUpTo: 9000)
        #expect(!queue.isDrained)
        #expect(queue.next() == .reserve(upTo: 9000))
        #expect(bytes.withUnsafeBytes { queue.append($0) } == 100_000)
        #expect(queue.next() == nil, "a call is under way")
        queue.returned()
        #expect(queue.next() == .write(Array(bytes[..<65_536]), at: 500))
        queue.returned()
        #expect(!queue.isDrained)
        #expect(queue.next() == .write(Array(bytes[65_536...]), at: 66_036))
        #expect(queue.next() == nil && !queue.isDrained, "the last bytes are on their way")
        queue.returned()
        #expect(queue.next() == nil && queue.isDrained)
    }

    @Test func thereIsRoomWhenHalfIsWritten() {
        var queue = WriteQueue(from: 0, reservingUpTo: nil)
        #expect(queue.isDrained && queue.hasRoom)
        #expect(patternedBytes(2 * ByteQueue.capacity).withUnsafeBytes { queue.append($0) } == ByteQueue.capacity)
        var calls = 0
        while !queue.hasRoom, queue.next() != nil {
            queue.returned()
            calls += 1
        }
        #expect(calls == ByteQueue.capacity / ByteQueue.piece / 2)
    }

    @Test func readsRunAheadUntilTheQueueIsFull() {
        let size = Int64(ByteQueue.capacity) + 100
        var queue = ReadQueue(size: size)
        var read: Int64 = 0
        while let call = queue.next() {
            #expect(call == ReadQueue.Call(position: read, count: ByteQueue.piece, turn: 0))
            #expect(queue.next() == nil, "a call is under way")
            queue.returned([UInt8](repeating: 1, count: call.count), of: call.turn)
            read += Int64(call.count)
        }
        #expect(read == Int64(ByteQueue.capacity))
        var buffer = [UInt8](repeating: 0, count: ByteQueue.piece)
        #expect(buffer.withUnsafeMutableBytes { queue.take(into: $0) } == ByteQueue.piece)
        #expect(queue.next() == ReadQueue.Call(position: read, count: 100, turn: 0))
        // Fewer than asked for.
        queue.returned([2], of: 0)
        #expect(queue.next() == nil, "a whole piece must fit")
        #expect(buffer.withUnsafeMutableBytes { queue.take(into: $0) } == ByteQueue.piece)
        #expect(queue.next() == ReadQueue.Call(position: read + 1, count: 99, turn: 0))
    }

    @Test func aBodySentAgainDropsWhatWasReadForItBefore() {
        var queue = ReadQueue(size: 10)
        #expect(queue.next()?.turn == 0)
        queue.seek(to: 4)
        #expect(queue.next() == ReadQueue.Call(position: 4, count: 6, turn: 1))
        queue.returned([9, 9, 9], of: 0)
        #expect(queue.next() == nil)
        queue.returned([4, 5, 6, 7, 8, 9], of: 1)
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(buffer.withUnsafeMutableBytes { queue.take(into: $0) } == 6)
        #expect(Array(buffer[..<6]) == [4, 5, 6, 7, 8, 9])
    }
}
