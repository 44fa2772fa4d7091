// SPDX-License-Identifier: MIT

import NIOCore
import Platform
import Testing

@testable import FileServer

@Suite struct WritePlaceTests {
    private func place(connections: Int, canBeEventLoop: Bool = true) -> WritePlace {
        let buffers = ReceiveBuffers()
        buffers.adapt(to: connections)
        return WritePlace(canBeEventLoop: canBeEventLoop, buffers: buffers)
    }

    @Test(arguments: [(1, true, true), (4, true, true), (5, true, false), (100, true, false), (1, false, false)])
    func eventLoopsWriteForFewConnectionsToALocalDisk(connections: Int, canBeEventLoop: Bool, isEventLoop: Bool) {
        let place = place(connections: connections, canBeEventLoop: canBeEventLoop)
        #expect(place.isEventLoop(at: .uptimeNanoseconds(1)) == isEventLoop)
    }

    @Test func afterASlowWriteThePoolWritesForAWhile() {
        let place = place(connections: 1)
        let begin = NIODeadline.uptimeNanoseconds(1_000_000_000)
        let quick = begin + .milliseconds(49)
        place.wrote(from: begin, to: quick)
        #expect(place.isEventLoop(at: quick))
        let slow = begin + WritePlace.slow
        place.wrote(from: begin, to: slow)
        #expect(!place.isEventLoop(at: slow))
        #expect(!place.isEventLoop(at: slow + WritePlace.pause - .nanoseconds(1)))
        #expect(place.isEventLoop(at: slow + WritePlace.pause))
    }

    @Test(arguments: [("/dev/shm", true), ("/proc", false)])
    func disksAndMemoryAreLocal(folder: String, isLocal: Bool) throws {
        #expect(try Descriptor.open(folder, 0).isLocal == isLocal)
    }
}
