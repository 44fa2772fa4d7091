// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing

@testable import TransferControl

@Suite struct OutgoingQueueTests {
    @Test func sendsBytesInOrder() {
        for step in 1...7 {
            var queue = OutgoingQueue()
            let pieces = ["one", "", "two", "three"].map { Data($0.utf8) }
            for piece in pieces { queue.append(piece, isDroppable: false) }
            var sent: [UInt8] = []
            while let next = queue.next {
                sent += next.prefix(step)
                queue.sent(min(step, next.count))
            }
            #expect(sent == Array("onetwothree".utf8))
            #expect(queue.bytes == 0)
        }
    }

    @Test func countsDroppableBytesSeparately() {
        var queue = OutgoingQueue()
        queue.append(Data(count: 10), isDroppable: false)
        queue.append(Data(count: 5), isDroppable: true)
        #expect(queue.bytes == 15)
        #expect(queue.droppableBytes == 5)
        queue.sent(10)
        queue.sent(2)
        #expect(queue.bytes == 3)
        #expect(queue.droppableBytes == 3)
        queue.sent(3)
        #expect(queue.next == nil)
        #expect(queue.droppableBytes == 0)
    }

    @Test func keepsItsPositionInManyChunks() {
        var queue = OutgoingQueue()
        for number in 0..<1000 { queue.append(Data([UInt8(number % 256)]), isDroppable: true) }
        for number in 0..<1000 {
            #expect(queue.next.map { Array($0) } == [UInt8(number % 256)])
            queue.sent(1)
        }
        #expect(queue.next == nil)
    }
}
