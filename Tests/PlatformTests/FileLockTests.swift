// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Testing
import TransferTesting

@Suite struct FileLockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Descriptor { try Descriptor.open(folder.file("lock"), O_RDWR | O_CREAT, mode: 0o600) }

    @Test func isExclusiveUntilReleased() throws {
        var first: Descriptor? = try open()
        let second = try open()
        #expect(try FileLock.take(try #require(first)))
        #expect(try !FileLock.take(second))
        #expect(try !FileLock.take(second, .shared))
        FileLock.release(try #require(first))
        #expect(try FileLock.take(second))
        #expect(try !FileLock.take(try #require(first)))
        FileLock.release(second)
        #expect(try FileLock.take(try #require(first)))
        first = nil
        // A program that another test is just starting may hold a copy for a moment.
        #expect(try FileLock.take(second, patience: 10))
    }

    @Test func isShared() throws {
        let (first, second) = (try open(), try open())
        #expect(try FileLock.take(first, .shared) && FileLock.take(second, .shared))
        #expect(try !FileLock.take(first, .exclusive))
    }

    @Test func timesOut() throws {
        let (first, second) = (try open(), try open())
        #expect(try FileLock.take(first))
        let begin = SystemClock.monotonic
        #expect(try !FileLock.take(second, patience: 0.02, interval: 0.001))
        #expect(SystemClock.monotonic - begin >= 0.02)
    }

    @Test(arguments: [60, .infinity] as [Double]) func waitsForARelease(_ patience: Double) async throws {
        let (first, second) = (try open(), try open())
        #expect(try FileLock.take(first))
        async let isHeld = offPool { (try? FileLock.take(second, patience: patience)) == true }
        FileLock.release(first)
        #expect(await isHeld)
    }

    @Test func invalidDescriptorsAreErrors() throws {
        #expect(throws: SystemError("flock", errno: EBADF)) { try FileLock.take(Descriptor(borrowing: -1)) }
    }
}
