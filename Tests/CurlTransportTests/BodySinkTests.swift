// SPDX-License-Identifier: MIT

import CLinux
@testable import CurlTransport
import Glibc
import Testing
import TransferTesting

@Suite struct BodySinkTests {
    private func write(_ bytes: [UInt8], to sink: inout BodySink) -> BodySink.Result {
        bytes.withUnsafeBytes { sink.write($0) }
    }

    private func length(_ descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : -1
    }

    @Test func appendsToExistingBytes() throws {
        let folder = try TemporaryFolder()
        let descriptor = open(try folder.write([1, 2, 3], to: "f"), O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        var sink = BodySink.file(descriptor, from: 3, expectedEnd: nil).sink
        #expect(write([4, 5], to: &sink) == .took(2))
        #expect(write([6], to: &sink) == .took(1))
        #expect(try folder.read("f") == [1, 2, 3, 4, 5, 6])
    }

    /// A hole would have the right length.
    @Test func truncatedFilesStayTooShort() throws {
        let folder = try TemporaryFolder()
        let descriptor = open(folder.file("f"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        var sink = BodySink.file(descriptor, from: 0, expectedEnd: 16_384).sink
        #expect(write([UInt8](repeating: 1, count: 8192), to: &sink) == .took(8192))
        #expect(ftruncate(descriptor, 100) == 0)
        #expect(write([UInt8](repeating: 2, count: 8192), to: &sink) == .took(8192))
        #expect(length(descriptor) == 100 + 8192)
    }

    @Test func writesLargeFilesBackEarly() throws {
        let folder = try TemporaryFolder()
        let descriptor = open(folder.file("f"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let expected = patternedBytes(1 << 20)
        var sink = BodySink.file(descriptor, from: 0, expectedEnd: 3 * WriteBehind.piece).sink
        for _ in 0..<(2 * WriteBehind.piece >> 20) { #expect(write(expected, to: &sink) == .took(expected.count)) }
        #expect(length(descriptor) == Int(2 * WriteBehind.piece))
        #expect(Array(try folder.read("f").suffix(1 << 20)) == expected)
    }

    @Test func writesBackOneRangeAtATime() async throws {
        let folder = try TemporaryFolder()
        let descriptor = open(try folder.write([1, 2, 3], to: "f"), O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let behind = try #require(WriteBehind(descriptor))
        #expect(behind.begin(0..<3))
        #expect(await eventually { behind.begin(0..<3) }, "it is free again when the kernel has taken the range")
        #expect(WriteBehind(-1) == nil)
    }

    /// What was reserved and has not come, behind the last byte and between those of several connections.
    @Test(arguments: [[0], [0, 4 << 20]] as [[Int64]]) func givesBackReservedBlocks(_ offsets: [Int64]) throws {
        let folder = try TemporaryFolder()
        let descriptor = open(folder.file("f"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let bytes: [UInt8] = [7, 8, 9]
        #expect(ftruncate(descriptor, off_t(offsets.count == 1 ? 3 : 8 << 20)) == 0)
        for offset in offsets { #expect(pwrite(descriptor, bytes, 3, off_t(offset)) == 3) }
        let before = length(descriptor)
        #expect(BodySink.reserve(descriptor, 16 << 20) == nil)
        #expect(clinux_release_reserved(descriptor) == 0)
        var status = stat()
        #expect(fstat(descriptor, &status) == 0 && status.st_blocks * 512 <= 1 << 20)
        #expect(length(descriptor) == before)
        for offset in offsets {
            var found = [UInt8](repeating: 0, count: 3)
            #expect(pread(descriptor, &found, 3, off_t(offset)) == 3 && found == bytes)
        }
    }
}
